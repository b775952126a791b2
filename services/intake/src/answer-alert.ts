import { setTimeout } from 'node:timers/promises'
import type { AlertBlock, AlertResult } from '@tripline/proto/alert'
import type { DiagnosticView, WebhookAnswer, WebhookRefusal } from '@tripline/proto/http/webhook'
import { acceptedAnswer, diagnosticViews, executedAnswer } from './domain/answer.ts'
import type { IntakeMoments } from './domain/performance.ts'
import { diagnosed, type Refusal, refusalBody, statusOf } from './domain/refusal.ts'
import { refusedEvent } from './domain/refused-event.ts'
import { resentEvent } from './domain/resent-event.ts'
import { onlyBotOf, type Webhook } from './domain/webhook.ts'
import type { Arrival, PendingReceipt, Received } from './receive-alert.ts'
import type { Claim } from './store/claim.ts'
import type { Receipts } from './store/receipts.ts'
import type { Refusals } from './store/refusals.ts'
import { spreadMs } from './store/resends.ts'
import type { UserQuotas } from './store/user-quotas.ts'

type Stored = Extract<Received, { outcome: 'stored' }>
type Refused = Extract<Received, { outcome: 'refused' }>

export interface AnswerDeps {
  clock: () => number
  refusals: Refusals
  quotas: UserQuotas
  receipts: Pick<Receipts, 'add' | 'isAway'>
  /** The wait for the result if the caller named none. */
  resultWaitMs: number
  /** The wait for the receipt behind the result; none where the database is away. */
  receiptWaitMs: number
}

/** The answer to the caller. */
export interface Answer {
  status: number
  body: WebhookAnswer | WebhookRefusal
}

/** The answer to a message: its result if that comes within the wait. A refusal is recorded besides. */
export async function answerAlert(deps: AnswerDeps, arrival: Arrival, received: Received): Promise<Answer> {
  switch (received.outcome) {
    case 'refused':
      return await withReceipt(deps, await answerRefused(deps, arrival, received), received.receipt)
    case 'repeated':
      recordResend(deps, arrival, received.claim, received.blocks)
      return await withReceipt(deps, repeatedAnswer(received), received.receipt)
    case 'stored':
      return await withReceipt(deps, await answerStored(deps, arrival, received), received.receipt)
  }
}

/** The answer with the receipt of its alert, if that is stored by now or in a moment. */
async function withReceipt(
  { receipts, receiptWaitMs }: AnswerDeps,
  answer: Answer,
  pending: PendingReceipt | undefined,
): Promise<Answer> {
  if (pending === undefined) return answer
  const overdue = new AbortController()
  const late = setTimeout(receipts.isAway() ? 0 : receiptWaitMs, undefined, { signal: overdue.signal })
  const receipt = await Promise.race([pending, late.catch(() => undefined)])
  overdue.abort()
  return receipt === undefined ? answer : { ...answer, body: { ...answer.body, receipt } }
}

function repeatedAnswer({ answer, claim }: Extract<Received, { outcome: 'repeated' }>): Answer {
  return { status: 200, body: marked(answer, claim) }
}

async function answerRefused(deps: AnswerDeps, arrival: Arrival, refused: Refused): Promise<Answer> {
  const { refusal, alertId, message } = refused
  const { webhook, origin, receivedAt, body, span } = arrival
  if (refusal.limit !== undefined) return countedAnswer(deps, webhook, refusal, receivedAt)
  const raw = body === message ? {} : { body }
  const bot = refused.bot ?? onlyBotOf(webhook)
  const isCloseOnly = webhook.closeOnlyAmong !== undefined
  const alert = { alertId, userId: webhook.userId, message, ...raw, receivedAt, isCloseOnly, bot }
  const event = refusedEvent(alert, refusal, deps.clock())
  const bytes = Buffer.byteLength(JSON.stringify(event))
  const over = await deps.quotas.takeRefusal(webhook.userId, origin, bytes, receivedAt)
  // Recorded in full as long as there is room for it, and else counted.
  const recordedAs = over === undefined ? alertId : deps.refusals.count(webhook.userId, over, receivedAt)
  if (over === undefined) deps.refusals.record(event, span?.traceparent)
  // A caller that sends it again at once, to any replica, must find it known there.
  if (refusal.reason === 'not_durable') await setTimeout(spreadMs)
  return refusalAnswer(refusal, refusal.reason === 'not_durable' ? alertId : recordedAs)
}

/** The answer of a refusal that is counted; it names the row in which it is. */
export function countedAnswer(
  { refusals }: Pick<AnswerDeps, 'refusals'>,
  { userId }: Pick<Webhook, 'userId'>,
  refusal: Refusal,
  receivedAt: number,
): Answer {
  return refusalAnswer(refusal, refusals.count(userId, refusal, receivedAt))
}

/** Returns the answer of a refusal. */
export function refusalAnswer(refusal: Refusal, alertId?: Refused['alertId']): Answer {
  return { status: statusOf(refusal), body: refusalBody(refusal, alertId) }
}

async function answerStored(deps: AnswerDeps, arrival: Arrival, stored: Stored): Promise<Answer> {
  const { alert, claim, pending, remarks } = stored
  const { receivedAt, span } = arrival
  const waitMs = arrival.waitMs ?? deps.resultWaitMs
  const awaiting = span?.begin('result.await', 'internal', deps.clock())
  const result = await pending.within(receivedAt + waitMs - deps.clock())
  awaiting?.end({ alertId: alert.alertId, outcome: result?.outcome ?? 'accepted' }, deps.clock())
  // By now the history knows of its execution.
  if (result?.outcome !== 'refused') recordResend(deps, arrival, claim, alert.blocks)
  const moments = (): IntakeMoments => ({ receivedAt, readAt: alert.readAt, answeredAt: deps.clock() })
  if (result !== undefined) return answerResult(stored, result, moments())

  pending.forget()
  if (claim.wantsLateResult()) pending.later((late) => answerResult(stored, late, moments()))
  return { status: 202, body: marked(remarked(acceptedAnswer(alert.alertId, moments()), remarks), claim) }
}

/** The history says of an alert that its body came again. */
function recordResend(
  { refusals, clock }: AnswerDeps,
  { webhook, receivedAt, span }: Arrival,
  { alertId, by, standing }: Claim,
  [block]: readonly AlertBlock[],
): void {
  const bot = block && webhook.botsByLabel.get(block.label)
  if (by !== 'body' || standing === 'first' || block === undefined || bot === undefined) return
  const { userId } = webhook
  const event = resentEvent({ alertId, userId, receivedAt, block, bot }, clock())
  if (event !== undefined) refusals.record(event, span?.traceparent)
}

/** The answer of a finished alert, stored for repeats where its id asks for that. */
function answerResult(
  { alert, claim, remarks }: Stored,
  result: AlertResult,
  moments: IntakeMoments,
): Answer {
  if (result.outcome === 'refused') {
    claim.finish({ outcome: 'refused' })
    return refusalAnswer(diagnosed(diagnosticViews(result, alert)), alert.alertId)
  }
  const answer = remarked(executedAnswer(result, moments), remarks)
  claim.finish({ outcome: 'answered', answer })
  return { status: 200, body: marked(answer, claim) }
}

/** The answer with what is to be said about the message, if anything is. */
function remarked(answer: WebhookAnswer, remarks: DiagnosticView[]): WebhookAnswer {
  return remarks.length > 0 ? { ...answer, diagnostics: remarks } : answer
}

/** The answer to what came again says so. */
function marked(answer: WebhookAnswer, { alertId, by, standing }: Claim): WebhookAnswer {
  if (standing === 'first') return answer
  return by === 'body' ? { ...answer, resent_as: alertId } : { ...answer, duplicate: true }
}
