import type { OverallStatus } from '@tripline/proto/alert'
import { WebhookAnswer, WebhookRefusal } from '@tripline/proto/http/webhook'
import { type Remark, remarksIn } from '@tripline/proto/remark'
import { isNumberedCode } from '../../shared/is-numbered-code.ts'
import { numbersInText } from '../../shared/number-text.ts'
import { commandDetail } from './command-detail.ts'
import { messageSummary } from './message-summary.ts'
import type { ResponseRecord } from './response-record.ts'
import { terminalTexts } from './texts.ts'

/** The mark of a card of the monitor. */
export type CardStatus = OverallStatus | 'accepted'

/** One line of a card. */
export interface CardRow {
  key: string
  name: string
  status: string
  detail: string
  durationMs: number | null
  /** The remarks on it: warnings, and that there was nothing to do. */
  remarks: readonly Remark[]
  /** The code of what went wrong, with what was said of it. */
  failure?: { code: string; message: string | null }
  /** The bot that it went wrong for. */
  label?: string
}

/** The parts of a card of the monitor that show before it is opened. */
export interface Card {
  status: CardStatus
  /** The symbols with their bots; what was sent, in short, where the answer names none. */
  title: string
  rows: CardRow[]
  /** The remarks on the message as a whole. */
  remarks: readonly Remark[]
  /** The product's own time, if the answer has it. */
  backendMs: number | null
  /** The id in the history; undefined if it is not there. */
  executionId: string | undefined
}

/** Returns the card of any response. */
export function cardOf(record: ResponseRecord, labels: readonly string[]): Card {
  const { request, response, httpStatus, isAnswered } = record
  const summary = messageSummary(request, labels)
  const answer = WebhookAnswer.safeParse(response)
  if (answer.success) return answerCard(answer.data, record, summary)
  const refusal = WebhookRefusal.safeParse(response)
  const { noAnswer } = terminalTexts
  const unreadRow = isAnswered
    ? failedRow('0', `HTTP ${httpStatus}`, '')
    : failedRow('0', noAnswer.name, noAnswer.detail)
  const rows = refusal.success ? refusalRows(refusal.data) : [unreadRow]
  const executionId = refusal.data?.alert_id
  return { status: 'failed', title: summary, rows, remarks: [], backendMs: null, executionId }
}

function answerCard(answer: WebhookAnswer, record: ResponseRecord, summary: string): Card {
  const title = answer.results.map(({ label, symbol }) => `${symbol} · ${label}`).join(', ')
  const rows = answer.results.flatMap(({ execution_id, label, results }) =>
    results.map((command, index) => ({
      key: `${execution_id}.${index}`,
      name: command.command,
      status: command.status,
      detail: commandDetail(command),
      remarks: remarksIn(command.result),
      // Nothing was done that could have taken time.
      durationMs: command.status === 'skipped' ? null : command.execution_time_ms,
      ...(command.error_code !== null && { failure: { code: command.error_code, message: command.error } }),
      label,
    })),
  )
  const isRefused = record.settled[answer.alert_id] !== undefined
  return {
    status: answer.status === 'accepted' ? settledStatus(record) : answer.status,
    title: title || summary,
    rows,
    remarks: (answer.diagnostics ?? []).map(({ code, message }) => ({
      code,
      text: numbersInText(withoutCode(message, code)),
    })),
    backendMs: answer.performance.total_ms,
    executionId: isRefused ? answer.alert_id : answer.execution_id,
  }
}

/** Returns the end of an accepted alert; as long as one of its executions goes on, that it has none. */
function settledStatus({ acceptedAlert, settled }: ResponseRecord): CardStatus {
  const { id = '', blocks = 1 } = acceptedAlert ?? {}
  const refused = settled[id]
  if (refused) return refused
  const [first, ...others] = Object.values(settled)
  if (first === undefined || others.length + 1 < blocks) return 'accepted'
  return others.every((end) => end === first) ? first : 'partial'
}

function refusalRows({ diagnostics, error_code, detail }: WebhookRefusal): CardRow[] {
  if (!diagnostics?.length) return [failedRow('0', error_code, withoutCode(detail, error_code))]
  return diagnostics.map(({ code, message }, index) =>
    failedRow(String(index), code, withoutCode(message, code)),
  )
}

function failedRow(key: string, name: string, detail: string): CardRow {
  const failure = { code: name, message: detail }
  return {
    key,
    name: isNumberedCode(name) ? name : name.replaceAll('_', ' '),
    status: 'failed',
    detail: numbersInText(detail),
    remarks: [],
    durationMs: null,
    failure,
  }
}

// The code has a place of its own in a row.
function withoutCode(message: string, code: string): string {
  return message.startsWith(`${code} `) ? message.slice(code.length + 1) : message
}
