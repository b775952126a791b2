import { setTimeout } from 'node:timers/promises'
import type { AlertResult } from '@tripline/proto/alert'
import type { DiagnosticView, WebhookAnswer, WebhookRefusal } from '@tripline/proto/http/webhook'
import { acceptedAnswer, diagnosticViews, executedAnswer } from './domain/answer.ts'
import type { IntakeMoments } from './domain/performance.ts'
import { diagnosed, type Refusal, refusalBody, statusOf } from './domain/refusal.ts'
import { refusedEvent } from './domain/refused-event.ts'
import type { Arrival, Receipt } from './receive-alert.ts'
import type { Refusals } from './store/refusals.ts'
import { spreadMs } from './store/resends.ts'

type Stored = Extract<Receipt, { outcome: 'stored' }>
type Refused = Extract<Receipt, { outcome: 'refused' }>

export interface AnswerDeps {
  clock: () => number
  refusals: Refusals
  /** How long to wait for the result where the caller did not say. */
  resultWaitMs: number
}

/** What the caller gets. */
export interface Answer {
  status: number
  body: WebhookAnswer | WebhookRefusal
}

/** The answer to a message: its result if that comes within the wait. A refusal is recorded besides. */
export async function answerAlert(deps: AnswerDeps, arrival: Arrival, receipt: Receipt): Promise<Answer> {
  switch (receipt.outcome) {
    case 'refused':
      return await answerRefused(deps, arrival, receipt)
    case 'repeated':
      return { status: 200, body: { ...receipt.answer, duplicate: true } }
    case 'stored':
      return await answerStored(deps, arrival, receipt)
  }
}

async function answerRefused(deps: AnswerDeps, arrival: Arrival, refused: Refused): Promise<Answer> {
  const { refusal, alertId, message, bot } = refused
  const { webhook, receivedAt, body, span } = arrival
  const raw = body === message ? {} : { body }
  const alert = { alertId, userId: webhook.userId, message, ...raw, receivedAt, bot }
  deps.refusals.record(refusedEvent(alert, refusal, deps.clock()), span?.traceparent)
  // Whoever sends it again at once, to whichever replica, must find it known there.
  if (refusal.reason === 'not_durable') await setTimeout(spreadMs)
  return refusalAnswer(refusal, alertId)
}

/** What a refusal answers. */
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
  const moments = (): IntakeMoments => ({ receivedAt, readAt: alert.readAt, answeredAt: deps.clock() })
  const isDuplicate = claim.keepsAnswer && claim.standing !== 'first'
  if (result !== undefined) return answerResult(stored, result, moments(), isDuplicate)

  claim.settle({ outcome: 'accepted' })
  pending.forget()
  if (claim.keepsAnswer) pending.later((late) => answerResult(stored, late, moments(), isDuplicate))
  return {
    status: 202,
    body: flagged(remarked(acceptedAnswer(alert.alertId, moments()), remarks), isDuplicate),
  }
}

/** The answer of a finished alert, kept for repeats where its id asks for that. */
function answerResult(
  { alert, claim, remarks }: Stored,
  result: AlertResult,
  moments: IntakeMoments,
  isDuplicate: boolean,
): Answer {
  if (result.outcome === 'refused') {
    claim.settle({ outcome: 'refused' })
    return refusalAnswer(diagnosed(diagnosticViews(result, alert)), alert.alertId)
  }
  const answer = remarked(executedAnswer(result, moments), remarks)
  claim.settle({ outcome: 'answered', answer })
  return { status: 200, body: flagged(answer, isDuplicate) }
}

/** The answer with what is to be said about the message, if anything is. */
function remarked(answer: WebhookAnswer, remarks: DiagnosticView[]): WebhookAnswer {
  return remarks.length > 0 ? { ...answer, diagnostics: remarks } : answer
}

function flagged(answer: WebhookAnswer, isDuplicate: boolean): WebhookAnswer {
  return isDuplicate ? { ...answer, duplicate: true } : answer
}
