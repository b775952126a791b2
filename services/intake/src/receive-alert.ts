import type { Bus } from '@tripline/kit/bus/bus'
import type { Log } from '@tripline/kit/telemetry/log'
import type { Span } from '@tripline/kit/telemetry/trace'
import { type AlertBlock, type AlertMessage, storedAlertOf } from '@tripline/proto/alert'
import type { DiagnosticView, WebhookAnswer } from '@tripline/proto/http/webhook'
import type { AlertId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import type { BotConfig } from '@tripline/proto/user-config'
import type { Admission } from './admission/admission.ts'
import type { OwnDelays } from './admission/own-delays.ts'
import { newAlertId, receivedAtOf } from './alert-id.ts'
import { bodyKey, identityKey, sessionKey } from './claim-key.ts'
import type { Results } from './consumers/results.ts'
import { type Cost, mostOrders } from './domain/quota.ts'
import { type ReadMessage, readAlert } from './domain/reading.ts'
import {
  diagnosed,
  laneFull,
  notConfirmed,
  type Origin,
  overloaded,
  type Refusal,
  tooManyAlerts,
  tooManyIds,
} from './domain/refusal.ts'
import type { Webhook } from './domain/webhook.ts'
import type { IntakeMetrics } from './metrics.ts'
import { expectResult, type PendingResult } from './pending-result.ts'
import type { AcceptedLanes, LaneArrival } from './store/accepted-lanes.ts'
import { attemptMs, storeAlert } from './store/alerts.ts'
import { type Claim, unclaimed } from './store/claim.ts'
import type { RateLimit } from './store/rate-limit.ts'
import type { StoredReceipt } from './store/receipt-rows.ts'
import type { Receipts } from './store/receipts.ts'
import type { Repeats } from './store/repeats.ts'
import type { Resends } from './store/resends.ts'
import type { Ticket, UserQueues } from './store/user-queues.ts'
import type { UserQuotas } from './store/user-quotas.ts'

// With the time until replicas know of a failure it leaves a 503 within 1.6 s of the receipt.
const storeWithinMs = 1350
/** Alerts that only close or cancel, taken in a minute beyond a webhook's limit. */
const moreExits = 20

export interface ReceiveDeps {
  bus: Bus
  log: Log
  clock: () => number
  rateLimit: RateLimit
  /** Messages of a user's own session that are taken in a minute. */
  sessionPerMinute: number
  admission: Admission
  ownDelays: OwnDelays
  resends: Resends
  repeats: Repeats
  lanes: AcceptedLanes
  results: Results
  queues: UserQueues
  quotas: UserQuotas
  receipts: Pick<Receipts, 'add' | 'isAway'>
  metrics: Pick<IntakeMetrics, 'stages' | 'shed'>
}

/** A message that came on a webhook. */
export interface Arrival {
  webhook: Webhook
  body: string
  origin: Origin
  /** The wait that the caller asked for; undefined without one. */
  waitMs: number | undefined
  /** The refusal of all alerts but those that only close or cancel, where such a limit is reached. */
  unlessExit?: Refusal | undefined
  receivedAt: number
  /** The whole of its way here, where it is traced. */
  span?: Span | undefined
}

/** The receipt of an alert, once it is stored; undefined where it is not going to be. */
export type PendingReceipt = Promise<StoredReceipt | undefined>

/** The outcome of a message: only a `stored` one is executed. */
export type Received =
  | ({ outcome: 'refused' } & Refused)
  | {
      outcome: 'repeated'
      answer: WebhookAnswer
      claim: Claim
      blocks: readonly AlertBlock[]
      receipt: PendingReceipt
    }
  | {
      outcome: 'stored'
      alert: AlertMessage
      claim: Claim
      pending: PendingResult
      remarks: DiagnosticView[]
      receipt: PendingReceipt
    }

interface Refused {
  refusal: Refusal
  /** There for an alert that may be stored all the same. */
  receipt?: PendingReceipt
  alertId: AlertId
  message: string
  bot?: BotConfig | undefined
}

/** Reads and checks a message and makes it durable; one user's messages become so in the order of their receipt. */
export async function receiveAlert(deps: ReceiveDeps, arrival: Arrival): Promise<Received> {
  const ticket = deps.queues.join(arrival.webhook.userId)
  try {
    return await receiveQueued(deps, arrival, ticket)
  } finally {
    ticket.leave()
  }
}

async function receiveQueued(deps: ReceiveDeps, arrival: Arrival, ticket: Ticket): Promise<Received> {
  const { webhook, receivedAt, unlessExit, origin } = arrival
  const alertId = newAlertId(receivedAt)
  // An unreadable message of the webhook's owner costs nothing of what may be sent: it counts towards the refused ones
  // alone.
  const countsUnread = origin !== 'session'
  // Redis is asked before the message is read, so that it answers meanwhile.
  const admitting = unlessExit ?? (countsUnread ? overLimit(deps, arrival, 0) : undefined)
  const reading = readAlert(arrival.body, webhook, receivedAt)
  const { message } = reading
  const overUnread = await admitting
  if (reading.outcome === 'unreadable') {
    const refusal = overUnread ?? diagnosed(reading.diagnostics)
    return refused({ refusal, alertId, message, bot: reading.bot })
  }
  const over = overUnread ?? (countsUnread ? undefined : await overLimit(deps, arrival, 0))
  const bot = botOf(webhook, reading)
  const overOwn = over && reading.isExit ? await overLimit(deps, arrival, moreExits) : over
  if (overOwn !== undefined) return refused({ refusal: overOwn, alertId, message, bot })
  const lane = laneArrival(webhook, arrival.body, reading.blocks)
  const claim = await claimId(deps, arrival, ticket, { ...reading, lane }, alertId)
  if ('reason' in claim) return refused({ refusal: claim, alertId, message, bot })
  if (claim.answer !== undefined) {
    const { answer } = claim
    const receipt = receiptFor(deps, arrival, reading, claim, { isConfirmed: true })
    return { outcome: 'repeated', answer, claim, blocks: reading.blocks, receipt }
  }
  // A resend was admitted before, and may be executed: refused for long enough it would count as a new alert.
  const refusal = claim.standing === 'first' ? overCapacity(deps, arrival, reading.isExit) : undefined
  if (refusal !== undefined) {
    claim.finish({ outcome: 'refused' })
    return refused({ refusal, alertId, message, bot })
  }
  return await storeQueued(deps, arrival, ticket, { ...reading, lane }, claim)
}

/** The refusal of a message beyond its limit and so many more; one that is within it is counted. */
async function overLimit(
  { rateLimit, sessionPerMinute }: ReceiveDeps,
  { webhook: { userId, tokenHash, maxRequestsPerMinute }, origin, receivedAt }: Arrival,
  more: number,
): Promise<Refusal | undefined> {
  const [key, limit] =
    origin === 'session' ? [sessionKey(userId), sessionPerMinute] : [tokenHash, maxRequestsPerMinute]
  const waitMs = await rateLimit.admit(key, limit, receivedAt, more)
  return waitMs > 0 ? tooManyAlerts({ most: limit + more, origin }, waitMs, more > 0) : undefined
}

/** The refusal of a message that would wait for too long, since more come than are executed. */
function overCapacity(
  { admission, metrics, clock }: ReceiveDeps,
  { webhook }: Arrival,
  isExit: boolean,
): Refusal | undefined {
  const waitMs = admission.admit(webhook.userId, isExit, clock())
  if (waitMs === 0) return undefined
  metrics.shed.add({})
  return overloaded(waitMs)
}

async function storeQueued(
  deps: ReceiveDeps,
  arrival: Arrival,
  ticket: Ticket,
  reading: PlacedMessage,
  claim: Claim,
): Promise<Received> {
  const { webhook, body, receivedAt, span } = arrival
  const { userId } = webhook
  const { alertId, standing } = claim
  const isFirst = standing === 'first'
  const alert: AlertMessage = {
    alertId,
    userId,
    message: reading.message,
    ...(body !== reading.message && { body }),
    blocks: reading.blocks,
    isFirst,
    // A resend is as old as what it resends: its age counts from there, and its orders may be as old.
    receivedAt: isFirst ? receivedAt : receivedAtOf(alertId),
    readAt: deps.clock(),
    ...(webhook.closeOnlyAmong !== undefined && { isCloseOnly: true as const }),
  }
  span?.begin('alert.read', 'internal', receivedAt).end({ alertId }, alert.readAt)
  const payload = JSON.stringify(storedAlertOf(alert))
  const { isExit } = reading
  // A resend was counted before, and may be in the stream.
  const over = isFirst
    ? await deps.quotas.take({ userId, alertId, cost: costOf(alert, payload), isExit }, receivedAt)
    : undefined
  if (over !== undefined) {
    claim.finish({ outcome: 'refused' })
    return refused({ refusal: over, alertId, message: alert.message })
  }
  const pending = expectResult(deps.results, alertId)
  const remarks = reading.diagnostics
  const receiptOf = (storing: { isConfirmed: boolean; sequence?: number }): PendingReceipt =>
    receiptFor(deps, arrival, reading, claim, storing)
  if (standing === 'stored')
    return { outcome: 'stored', alert, claim, pending, remarks, receipt: receiptOf({ isConfirmed: true }) }

  if (ticket.before !== undefined) await ticket.before
  const leftMs = storeWithinMs - (deps.clock() - receivedAt)
  const storingSpan = span?.begin('alert.store', 'producer', alert.readAt)
  // An alert that no other one held up was held up by a standstill of this process, and tries all the same.
  const storing = await storeAlert(
    deps.bus,
    alert,
    payload,
    ticket.before === undefined ? Math.max(leftMs, attemptMs) : leftMs,
    storingSpan?.traceparent,
  )
  storingSpan?.end({ alertId, partition: partitionOf(alert.userId), outcome: storing.outcome }, deps.clock())
  claim.finish({ outcome: storing.outcome === 'stored' ? 'stored' : 'failed' })
  observeStages(deps, receivedAt, alert.readAt)
  if (storing.outcome === 'stored') {
    // One that others of its user held up does not say how late everybody's are.
    deps.ownDelays.stored(ticket.before === undefined ? deps.clock() - receivedAt : undefined)
    deps.lanes.note(reading.lane, receivedAtOf(alertId))
    const receipt = receiptOf({ isConfirmed: true, sequence: storing.sequence })
    return { outcome: 'stored', alert, claim, pending, remarks, receipt }
  }
  pending.forget()
  if (storing.outcome === 'full') deps.quotas.release(alertId)
  if (storing.outcome === 'unconfirmed') deps.log.warn({ alertId, err: storing.cause }, 'alert not confirmed')
  const about = { alertId, message: alert.message, bot: botOf(webhook, reading) }
  if (storing.outcome === 'full') return refused({ ...about, refusal: laneFull(alertId) })
  return refused({ ...about, refusal: notConfirmed(alertId), receipt: receiptOf({ isConfirmed: false }) })
}

/** The receipt of an alert; one that came before has the one of its first attempt. */
function receiptFor(
  { receipts }: ReceiveDeps,
  { webhook: { userId }, body, receivedAt }: Arrival,
  { blocks }: ReadMessage,
  { alertId, standing }: Claim,
  { isConfirmed, sequence }: { isConfirmed: boolean; sequence?: number },
): PendingReceipt {
  const isResend = standing !== 'first'
  const at = new Date(isResend ? receivedAtOf(alertId) : receivedAt).toISOString()
  const about = { userId, alertId, body, receivedAt: at, blocks: blocks.length }
  return receipts.add({ ...about, isConfirmed, sequence, isResend })
}

function costOf({ blocks }: AlertMessage, payload: string): Cost {
  const commands = blocks.flatMap((block) => block.commands)
  const orders = sum(commands.map(mostOrders))
  return { bytes: Buffer.byteLength(payload), commands: commands.length, orders }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function observeStages(
  { metrics: { stages }, clock }: ReceiveDeps,
  receivedAt: number,
  readAt: number,
): void {
  stages.observe({ stage: 'read' }, (readAt - receivedAt) / 1000)
  stages.observe({ stage: 'store' }, (clock() - readAt) / 1000)
}

function refused(refused: Refused): Received {
  return { outcome: 'refused', ...refused }
}

function botOf({ botsByLabel }: Webhook, { blocks }: ReadMessage): BotConfig | undefined {
  return botsByLabel.get(blocks[0]?.label ?? '')
}

/** Returns the refusal if the bus does not answer in time who has the id, or its user has no room for a new one. */
async function claimId(
  { resends, repeats, clock, log }: ReceiveDeps,
  { webhook, waitMs, receivedAt }: Arrival,
  { before }: Ticket,
  { identity, isExit, lane }: PlacedMessage,
  fresh: AlertId,
): Promise<Claim | Refusal> {
  const { userId } = webhook
  if (identity.kind === 'none') {
    // A caller that waits for the result sends by hand, and may mean the same thing twice.
    if (waitMs !== undefined) return unclaimed(fresh)
    return await resends.claim({ ...lane, before }, fresh, receivedAt)
  }
  const name = identity.kind === 'id' ? identityKey(webhook, identity.id) : lane.body
  const withinMs = storeWithinMs - (clock() - receivedAt)
  try {
    const claim = await repeats.claim({ identity: name, userId, isExit, withinMs }, fresh, receivedAt)
    return 'alertId' in claim ? claim : tooManyIds(claim.most, claim.waitMs, isExit)
  } catch (error) {
    log.warn({ alertId: fresh, err: error }, 'id not confirmed')
    return notConfirmed(fresh)
  }
}

/** A message with what is known of it by its body and its lanes. */
type PlacedMessage = ReadMessage & { lane: LaneArrival }

/** A body with where its commands act: alerts that have no lane in common may pass each other. */
function laneArrival(webhook: Webhook, body: string, blocks: readonly AlertBlock[]): LaneArrival {
  const lanes = [...new Set(blocks.map(({ botId, symbol }) => `${botId} ${symbol}`))]
  return { userId: webhook.userId, lanes, body: bodyKey(webhook, body) }
}
