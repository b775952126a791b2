import { type ExpiringMap, expiringMap } from '@tripline/kit/time/expiring-map'
import type { WebhookAnswer } from '@tripline/proto/http/webhook'
import type { AlertId } from '@tripline/proto/id'
import { receivedAtOf } from '../alert-id.ts'
import { type Attempt, cutOffMs, resendWindowMs, resentAttempt } from '../domain/resend.ts'
import { storedAnswer } from '../domain/stored-answer.ts'
import type { AcceptedLanes, LaneArrival } from './accepted-lanes.ts'
import type { Claim, ClaimOutcome } from './claim.ts'
import { type OwnAttempts, openOwnAttempts } from './own-attempts.ts'
import type { PatientRedis } from './patient-redis.ts'
import { pollAttempts, type SharedAttempts } from './shared-attempts.ts'
import { openUnanswered, type Unanswered } from './unanswered.ts'

/** A failed attempt is known to every replica after this time: who answers later can be resent to any of them. */
export const spreadMs = 150

// Only alerts whose answer was lost have one here, which are few.
const mostAnswers = 2000

/** A body that waits for its turn. */
export interface ResendArrival extends LaneArrival {
  /** Resolves once what came before it here is accepted or not; undefined when nothing is before. */
  before: Promise<void> | undefined
}

/** Knows which equal bodies are resends of an alert whose answer nobody got. */
export interface Resends {
  /** The id of the attempt that this body resends, else the fresh one; from now on it is pending. */
  claim: (arrival: ResendArrival, fresh: AlertId, now: number) => Promise<Claim>
  stop: () => void
}

interface Attempts {
  unanswered: Unanswered
  own: OwnAttempts
  shared: SharedAttempts
  lanes: AcceptedLanes
  deliveries: { isAnswered: (alertId: AlertId) => boolean }
  /** Answers that nobody received, by alert. */
  answers: ExpiringMap<WebhookAnswer>
  clock: () => number
}

/**
 * Resends known to all replicas through Redis, and to this process alone while Redis is away. Attempts that can be
 * taken over are rare, so each replica follows them, and only a body that has one makes its alert wait for Redis.
 */
export async function openResends(
  redis: PatientRedis,
  { lanes, deliveries }: Pick<Attempts, 'lanes' | 'deliveries'>,
  clock: () => number,
): Promise<Resends> {
  const unanswered = openUnanswered(redis)
  const own = openOwnAttempts(unanswered, clock)
  redis.onBack(own.writeAll)
  const shared = await pollAttempts(unanswered, redis, clock)
  const answers = expiringMap<WebhookAnswer>(2 * resendWindowMs, mostAnswers)
  const attempts: Attempts = { unanswered, own, shared, lanes, deliveries, answers, clock }
  return {
    claim: async (arrival, fresh, now) => {
      const at = Math.trunc(now)
      const resent = await takeOver(attempts, arrival, at)
      own.begin(arrival.body, { alertId: resent ?? fresh, openAt: at + cutOffMs })
      return claimOf(attempts, arrival.body, { alertId: resent ?? fresh, at, isFirst: resent === undefined })
    },
    stop: shared.stop,
  }
}

/** A claim that ends once its caller has the answer; where that is lost it opens again at once. */
function claimOf(
  { own, answers, clock }: Attempts,
  body: string,
  { alertId, at, isFirst }: { alertId: AlertId; at: number; isFirst: boolean },
): Claim {
  let delivery: 'open' | 'received' | 'lost' = 'open'
  let answer: WebhookAnswer | undefined
  const open = (isAnswerLost: boolean): void => {
    own.open(body, { alertId, openAt: Math.min(Math.trunc(clock()), at + cutOffMs) }, isAnswerLost)
  }
  const finish = (end: ClaimOutcome): void => {
    if (end.outcome === 'failed') open(false)
    if (end.outcome === 'refused') own.answered(body, alertId)
    if (end.outcome !== 'answered') return
    answer = end.answer
    if (delivery === 'lost') keep(answer)
  }
  const keep = (lost: WebhookAnswer): void => answers.set(alertId, storedAnswer(lost).answer, clock())
  const lose = (isAnswerLost: boolean): void => {
    open(isAnswerLost)
    if (answer !== undefined) keep(answer)
  }
  const delivered = (isReceived: boolean): void => {
    const before = delivery
    delivery = isReceived ? 'received' : 'lost'
    if (before === delivery) return
    if (isReceived) own.answered(body, alertId)
    else lose(before === 'received')
  }
  const known = isFirst ? undefined : answers.get(alertId, clock())
  return {
    alertId,
    by: 'body',
    standing: isFirst ? 'first' : 'again',
    ...(known !== undefined && { answer: known }),
    wantsLateResult: () => delivery === 'lost',
    finish,
    delivered,
  }
}

async function takeOver(
  attempts: Attempts,
  arrival: ResendArrival,
  at: number,
): Promise<AlertId | undefined> {
  const { unanswered, lanes } = attempts
  const { body, before } = arrival
  let suspects = await suspectsOf(attempts, body, at)
  if (suspects.size === 0) return undefined
  if (before !== undefined) {
    // An alert that is being stored counts as accepted only afterwards, and may take over a suspect.
    await before
    suspects = await suspectsOf(attempts, body, at)
  }
  // Behind an alert of its lane that says something else it means something else than it did before.
  const lastAt = await lanes.lastOther(arrival, at)
  const open = [...suspects.values()].filter(({ alertId }) => receivedAtOf(alertId) >= lastAt)
  if (open.length === 0) return undefined
  const inOrder = open.sort((one, other) => (one.alertId < other.alertId ? -1 : 1))
  const taken = await unanswered.takeFirst(body, inOrder, at)
  return taken === undefined ? resentAttempt(inOrder, at)?.alertId : (taken ?? undefined)
}

async function suspectsOf(
  { own, shared, deliveries }: Attempts,
  body: string,
  at: number,
): Promise<Map<AlertId, Attempt>> {
  const known = [...(await shared.suspects(body, at)), ...own.unanswered(body, at)]
  const unanswered = known.filter(
    ({ alertId }) => !own.isAnswered(alertId, at) && !deliveries.isAnswered(alertId),
  )
  return new Map(unanswered.map((attempt) => [attempt.alertId, attempt]))
}
