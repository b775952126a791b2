import type { AlertId } from '@tripline/proto/id'
import { type Attempt, cutOffMs, resendWindowMs } from '../domain/resend.ts'
import { expiringMap } from './expiring-map.ts'
import { openRemovals } from './removals.ts'
import type { Unanswered } from './unanswered.ts'

const localKeys = 20_000

/** An attempt of this process; `isShared` once the other replicas can know of it. */
export interface OwnAttempt extends Attempt {
  isShared: boolean
}

/** The unanswered attempts of this process, which tells the other replicas of each change. */
export interface OwnAttempts {
  /** Those with this body that can be taken over. */
  open: (body: string, now: number) => OwnAttempt[]
  /** Whether this process answered the attempt, whatever is told of it elsewhere. */
  isAnswered: (alertId: AlertId, now: number) => boolean
  put: (body: string, alertId: AlertId, openAt: number) => void
  remove: (body: string, alertId: AlertId) => void
}

/** No attempts yet. */
export function openOwnAttempts(unanswered: Unanswered, clock: () => number): OwnAttempts {
  const attempts = expiringMap<OwnAttempt[]>(resendWindowMs + cutOffMs, localKeys)
  const answered = expiringMap<true>(resendWindowMs + cutOffMs, localKeys)
  const removeForAll = openRemovals(unanswered, clock)
  const othersThan = (body: string, alertId: AlertId): OwnAttempt[] =>
    (attempts.get(body, clock()) ?? []).filter((attempt) => attempt.alertId !== alertId)
  return {
    open: (body, now) => (attempts.get(body, now) ?? []).filter(({ openAt }) => openAt <= now),
    isAnswered: (alertId, now) => answered.get(alertId, now) === true,
    put: (body, alertId, openAt) => {
      const attempt: OwnAttempt = { alertId, openAt, isShared: false }
      attempts.set(body, [...othersThan(body, alertId), attempt], clock())
      void unanswered.put(body, attempt).then((told) => {
        attempt.isShared = told !== undefined
      })
    },
    remove: (body, alertId) => {
      const others = othersThan(body, alertId)
      if (others.length === 0) attempts.delete(body)
      else attempts.set(body, others, clock())
      answered.set(alertId, true, clock())
      removeForAll(body, alertId)
    },
  }
}
