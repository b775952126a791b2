import type { Bus } from '@tripline/kit/bus'
import type { Log } from '@tripline/kit/log'
import type { Span } from '@tripline/kit/trace'
import type { AlertMessage } from '@tripline/proto/alert'
import type { DiagnosticView, WebhookAnswer } from '@tripline/proto/http/webhook'
import type { AlertId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import type { BotConfig } from '@tripline/proto/user-config'
import { newAlertId, receiptOf } from './alert-id.ts'
import { bodyKey, identityKey } from './claim-key.ts'
import type { Results } from './consumers/results.ts'
import type { Identity } from './domain/identity.ts'
import { type ReadMessage, readAlert } from './domain/reading.ts'
import {
  diagnosed,
  laneFull,
  notConfirmed,
  type Refusal,
  tooManyAlerts,
  webhookInactive,
} from './domain/refusal.ts'
import type { Webhook } from './domain/webhook.ts'
import type { IntakeMetrics } from './metrics.ts'
import { expectResult, type PendingResult } from './pending-result.ts'
import { attemptMs, storeAlert } from './store/alerts.ts'
import { type Claim, unclaimed } from './store/claim.ts'
import type { RateLimit } from './store/rate-limit.ts'
import type { Repeats } from './store/repeats.ts'
import type { Resends } from './store/resends.ts'
import type { Turn, Turns } from './store/turns.ts'

// With the time until replicas know of a failure it leaves a 503 within 1.6 s of the receipt.
const storeWithinMs = 1350

export interface ReceiveDeps {
  bus: Bus
  log: Log
  clock: () => number
  rateLimit: RateLimit
  resends: Resends
  repeats: Repeats
  results: Results
  turns: Turns
  metrics: Pick<IntakeMetrics, 'stages'>
}

/** A message that came on a webhook. */
export interface Arrival {
  webhook: Webhook
  body: string
  /** How long the caller asked to wait; undefined where nothing was asked. */
  waitMs: number | undefined
  receivedAt: number
  /** The whole of its way here, where it is traced. */
  span?: Span | undefined
}

/** What became of a message: only a `stored` one is executed. */
export type Receipt =
  | ({ outcome: 'refused' } & Refused)
  | { outcome: 'repeated'; answer: WebhookAnswer }
  | {
      outcome: 'stored'
      alert: AlertMessage
      claim: Claim
      pending: PendingResult
      remarks: DiagnosticView[]
    }

interface Refused {
  refusal: Refusal
  alertId: AlertId
  message: string
  bot?: BotConfig | undefined
}

/** Reads and checks a message and makes it durable; one user's messages become so in the order of their receipt. */
export async function receiveAlert(deps: ReceiveDeps, arrival: Arrival): Promise<Receipt> {
  const turn = deps.turns.take(arrival.webhook.userId)
  try {
    return await receiveInTurn(deps, arrival, turn)
  } finally {
    turn.leave()
  }
}

async function receiveInTurn(deps: ReceiveDeps, arrival: Arrival, turn: Turn): Promise<Receipt> {
  const { webhook, receivedAt } = arrival
  const alertId = newAlertId(receivedAt)
  if (!webhook.isActive) return refused({ refusal: webhookInactive, alertId, message: arrival.body })
  // Redis is asked first, so that it answers while the message is being read.
  const limit = webhook.maxRequestsPerMinute
  const admitting = deps.rateLimit.admit(webhook.tokenHash, limit, receivedAt)
  const reading = readAlert(arrival.body, webhook, receivedAt)
  const { message } = reading
  if (reading.outcome === 'unreadable') {
    const waitMs = await admitting
    const refusal = waitMs > 0 ? tooManyAlerts(limit, waitMs) : diagnosed(reading.diagnostics)
    return refused({ refusal, alertId, message, bot: reading.bot })
  }
  const [waitMs, claim] = await Promise.all([admitting, claimId(deps, arrival, reading.identity, alertId)])
  if (waitMs > 0) {
    claim.settle({ outcome: claim.standing === 'first' ? 'refused' : 'failed' })
    return refused({ refusal: tooManyAlerts(limit, waitMs), alertId, message, bot: botOf(webhook, reading) })
  }
  if (claim.answer !== undefined) return { outcome: 'repeated', answer: claim.answer }
  return await storeInTurn(deps, arrival, turn, reading, claim)
}

async function storeInTurn(
  deps: ReceiveDeps,
  { webhook, body, receivedAt, span }: Arrival,
  turn: Turn,
  reading: ReadMessage,
  claim: Claim,
): Promise<Receipt> {
  const { alertId, standing } = claim
  const isFirst = standing === 'first'
  const alert: AlertMessage = {
    alertId,
    userId: webhook.userId,
    message: reading.message,
    ...(body !== reading.message && { body }),
    blocks: reading.blocks,
    isFirst,
    // A resend is as old as what it resends: its age counts from there, and its orders may be as old.
    receivedAt: isFirst ? receivedAt : receiptOf(alertId),
    readAt: deps.clock(),
  }
  span?.begin('alert.read', 'internal', receivedAt).end({ alertId }, alert.readAt)
  const pending = expectResult(deps.results, alertId)
  const remarks = reading.diagnostics
  if (standing === 'stored') return { outcome: 'stored', alert, claim, pending, remarks }

  if (turn.before !== undefined) await turn.before
  const leftMs = storeWithinMs - (deps.clock() - receivedAt)
  const storingSpan = span?.begin('alert.store', 'producer', alert.readAt)
  // Whom no other alert held up was held up by a standstill of this process, and tries all the same.
  const storing = await storeAlert(
    deps.bus,
    alert,
    turn.before === undefined ? Math.max(leftMs, attemptMs) : leftMs,
    storingSpan?.traceparent,
  )
  storingSpan?.end({ alertId, partition: partitionOf(alert.userId), outcome: storing.outcome }, deps.clock())
  claim.settle({ outcome: storing.outcome === 'stored' ? 'stored' : 'failed' })
  observeStages(deps, receivedAt, alert.readAt)
  if (storing.outcome === 'stored') return { outcome: 'stored', alert, claim, pending, remarks }
  pending.forget()
  if (storing.outcome === 'unconfirmed') deps.log.warn({ alertId, err: storing.cause }, 'alert not confirmed')
  const refusal = storing.outcome === 'full' ? laneFull(alertId) : notConfirmed(alertId)
  return refused({ refusal, alertId, message: alert.message, bot: botOf(webhook, reading) })
}

function observeStages(
  { metrics: { stages }, clock }: ReceiveDeps,
  receivedAt: number,
  readAt: number,
): void {
  stages.observe({ stage: 'read' }, (readAt - receivedAt) / 1000)
  stages.observe({ stage: 'store' }, (clock() - readAt) / 1000)
}

function refused(refused: Refused): Receipt {
  return { outcome: 'refused', ...refused }
}

function botOf({ botsByLabel }: Webhook, { blocks }: ReadMessage): BotConfig | undefined {
  return botsByLabel.get(blocks[0]?.label ?? '')
}

async function claimId(
  { resends, repeats }: ReceiveDeps,
  { webhook, body, waitMs, receivedAt }: Arrival,
  identity: Identity,
  fresh: AlertId,
): Promise<Claim> {
  switch (identity.kind) {
    case 'id':
      return await repeats.claim(identityKey(webhook, identity.id), fresh, receivedAt)
    case 'sent':
      return await repeats.claim(bodyKey(webhook, body), fresh, receivedAt)
    case 'none':
      // Who waits for the result sends by hand, and may well mean the same thing twice.
      if (waitMs === undefined) return await resends.claim(bodyKey(webhook, body), fresh, receivedAt)
      return unclaimed(fresh)
  }
}
