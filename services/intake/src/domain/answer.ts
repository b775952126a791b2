import type { AlertMessage, AlertResult, ExecutionResult } from '@tripline/proto/alert'
import type { CommandResult } from '@tripline/proto/command-result'
import type { DiagnosticView, WebhookAnswer } from '@tripline/proto/http/webhook'
import { type AlertId, executionIdOf } from '@tripline/proto/id'
import { type IntakeMoments, performanceOf, performanceSoFar } from './performance.ts'

type Executed = Extract<AlertResult, { outcome: 'executed' }>
type Refused = Extract<AlertResult, { outcome: 'refused' }>

/** Returns the answer of an executed alert. */
export function executedAnswer(result: Executed, moments: IntakeMoments): WebhookAnswer {
  const commands = result.executions.flatMap((execution) => execution.commands)
  const succeeded = commands.filter(({ status }) => status === 'success').length
  return {
    status: result.status,
    message: `${succeeded} of ${commands.length} command${commands.length === 1 ? '' : 's'} succeeded`,
    error: commands.find(({ error }) => error !== null)?.error ?? null,
    alert_id: result.alertId,
    execution_id: executionIdOf(result.alertId, 0),
    performance: performanceOf(moments, result.moments),
    results: result.executions.map(executionView),
  }
}

/** Returns the answer of a stored alert that is not finished within the wait. */
export function acceptedAnswer(alertId: AlertId, moments: IntakeMoments): WebhookAnswer {
  return {
    status: 'accepted',
    message: 'Alert accepted, still running',
    error: null,
    alert_id: alertId,
    execution_id: executionIdOf(alertId, 0),
    performance: performanceSoFar(moments),
    results: [],
  }
}

/** The executor's diagnostics, at the blocks or commands they are about. */
export function diagnosticViews(
  { diagnostics }: Refused,
  { blocks, message }: AlertMessage,
): DiagnosticView[] {
  return diagnostics.map(({ code, message: cause, block, command }) => {
    const view = { code, message: `${code} ${cause}` }
    const span = (command === undefined ? blocks[block] : blocks[block]?.commands[command])?.span
    return span === undefined ? view : { ...view, ...lineAndColumn(message, span.offset), ...span }
  })
}

function executionView({ executionId, label, symbol, status, commands }: ExecutionResult) {
  return {
    label,
    symbol,
    execution_id: executionId,
    status,
    results: commands.map(commandView),
    commands: commands.map(({ command, status }) => ({ command, success: status === 'success' })),
  }
}

function commandView({ command, status, result, error, errorCode, executionTimeMs }: CommandResult) {
  return {
    command,
    success: status === 'success',
    status,
    result,
    error,
    error_code: errorCode,
    execution_time_ms: executionTimeMs,
  }
}

function lineAndColumn(message: string, offset: number): { line: number; column: number } {
  const lines = message.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}
