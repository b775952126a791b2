import type { AlertId } from '@tripline/proto/id'
import { type Attempt, cutOffMs, resendWindowMs, resentAttempt } from '../domain/resend.ts'
import type { Claim, Settlement } from './claim.ts'
import { expiringMap } from './expiring-map.ts'
import type { PatientRedis } from './patient-redis.ts'
import { openUnanswered } from './unanswered.ts'

const pollMs = 100
// What is known from other replicas is trusted for so long; older, it is asked for again.
const staleMs = 300
// Replicas' clocks differ, and what is written takes its time.
const slackMs = 2000
const localKeys = 20_000

/** A failed attempt is known to every replica after this time: who answers later can be resent to any of them. */
export const spreadMs = 150

/** Knows which equal bodies are resends of an alert that was not answered. */
export interface Resends {
  /** The id of the attempt that this body resends, else the fresh one; from now on it is pending. */
  claim: (body: string, fresh: AlertId, now: number) => Promise<Claim>
  stop: () => void
}

/** An attempt of this process; `isShared` once Redis has it. */
interface OwnAttempt extends Attempt {
  isShared: boolean
}

/**
 * Resends known to all replicas through Redis, and to this process alone while Redis is away. Attempts that can be
 * taken over are rare, so each replica follows them, and only a body that has one makes its alert wait for Redis.
 */
export async function openResends(redis: PatientRedis, clock: () => number): Promise<Resends> {
  const unanswered = openUnanswered(redis)
  const own = expiringMap<OwnAttempt[]>(resendWindowMs + cutOffMs, localKeys)
  const heard = expiringMap<Set<AlertId>>(resendWindowMs, localKeys)
  let heardAt = Math.trunc(clock()) - resendWindowMs

  const poll = async (): Promise<void> => {
    const at = Math.trunc(clock())
    const opened = await unanswered.openedIn(heardAt - slackMs, at + slackMs)
    if (opened === undefined) return
    heardAt = at
    for (const { body, alertId } of opened)
      heard.set(body, (heard.get(body, at) ?? new Set()).add(alertId), at)
  }
  const othersThan = (body: string, alertId: AlertId): OwnAttempt[] =>
    (own.get(body, clock()) ?? []).filter((attempt) => attempt.alertId !== alertId)
  const put = (body: string, alertId: AlertId, openAt: number): void => {
    const attempt: OwnAttempt = { alertId, openAt, isShared: false }
    own.set(body, [...othersThan(body, alertId), attempt], clock())
    void unanswered.put(body, attempt).then((told) => {
      attempt.isShared = told !== undefined
    })
  }
  const remove = (body: string, alertId: AlertId): void => {
    const others = othersThan(body, alertId)
    if (others.length === 0) own.delete(body)
    else own.set(body, others, clock())
    void unanswered.remove(body, alertId)
  }
  const takeOver = async (body: string, at: number): Promise<AlertId | undefined> => {
    if (at - heardAt > staleMs) await poll()
    const mine = (own.get(body, at) ?? []).filter(({ openAt }) => openAt <= at)
    const suspects = new Set([...(heard.get(body, at) ?? []), ...mine.map(({ alertId }) => alertId)])
    if (suspects.size === 0) return undefined
    const taken = await unanswered.takeFirst(body, [...suspects].sort(), at)
    // What Redis has is judged there: another replica may have answered it meanwhile.
    const judged = taken === undefined ? mine : mine.filter(({ isShared }) => !isShared)
    return taken ?? resentAttempt(judged, at)?.alertId
  }
  const settle = (body: string, alertId: AlertId, { outcome }: Settlement): void => {
    if (outcome === 'failed') put(body, alertId, Math.trunc(clock()))
    else if (outcome !== 'stored') remove(body, alertId)
  }

  await poll()
  const polling = setInterval(() => void poll(), pollMs)
  return {
    claim: async (body, fresh, now) => {
      const at = Math.trunc(now)
      const resent = await takeOver(body, at)
      const alertId = resent ?? fresh
      put(body, alertId, at + cutOffMs)
      return {
        alertId,
        standing: resent === undefined ? 'first' : 'again',
        keepsAnswer: false,
        settle: (settlement) => settle(body, alertId, settlement),
      }
    },
    stop: () => clearInterval(polling),
  }
}
