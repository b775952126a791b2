import type { AlertId } from '@tripline/proto/id'
import { cutOffMs, resentAttempt } from '../domain/resend.ts'
import type { Claim, Settlement } from './claim.ts'
import { followAttempts, type HeardAttempts } from './heard-attempts.ts'
import { type OwnAttempts, openOwnAttempts } from './own-attempts.ts'
import type { PatientRedis } from './patient-redis.ts'
import { openUnanswered, type Unanswered } from './unanswered.ts'

/** A failed attempt is known to every replica after this time: who answers later can be resent to any of them. */
export const spreadMs = 150

/** Knows which equal bodies are resends of an alert that was not answered. */
export interface Resends {
  /** The id of the attempt that this body resends, else the fresh one; from now on it is pending. */
  claim: (body: string, fresh: AlertId, now: number) => Promise<Claim>
  stop: () => void
}

interface Attempts {
  unanswered: Unanswered
  own: OwnAttempts
  heard: HeardAttempts
}

/**
 * Resends known to all replicas through Redis, and to this process alone while Redis is away. Attempts that can be
 * taken over are rare, so each replica follows them, and only a body that has one makes its alert wait for Redis.
 */
export async function openResends(redis: PatientRedis, clock: () => number): Promise<Resends> {
  const unanswered = openUnanswered(redis)
  const own = openOwnAttempts(unanswered, clock)
  const heard = await followAttempts(unanswered, clock)
  const settle = (body: string, alertId: AlertId, { outcome }: Settlement): void => {
    if (outcome === 'failed') own.put(body, alertId, Math.trunc(clock()))
    else if (outcome !== 'stored') own.remove(body, alertId)
  }
  return {
    claim: async (body, fresh, now) => {
      const at = Math.trunc(now)
      const resent = await takeOver({ unanswered, own, heard }, body, at)
      const alertId = resent ?? fresh
      own.put(body, alertId, at + cutOffMs)
      return {
        alertId,
        standing: resent === undefined ? 'first' : 'again',
        keepsAnswer: false,
        settle: (settlement) => settle(body, alertId, settlement),
      }
    },
    stop: heard.stop,
  }
}

async function takeOver(
  { unanswered, own, heard }: Attempts,
  body: string,
  at: number,
): Promise<AlertId | undefined> {
  const heardOf = [...(await heard.suspects(body, at))]
  const foreign = heardOf.filter((alertId) => !own.isAnswered(alertId, at))
  const mine = own.open(body, at)
  const suspects = new Set([...foreign, ...mine.map(({ alertId }) => alertId)])
  if (suspects.size === 0) return undefined
  const taken = await unanswered.takeFirst(body, [...suspects].sort(), at)
  // What Redis has is judged there: another replica may have answered it meanwhile.
  const judged = taken === undefined ? mine : mine.filter(({ isShared }) => !isShared)
  return taken ?? resentAttempt(judged, at)?.alertId
}
