import { expiringMap } from '@tripline/kit/time/expiring-map'
import type { AlertId } from '@tripline/proto/id'
import { type Attempt, resendWindowMs } from '../domain/resend.ts'
import type { Unanswered } from './unanswered.ts'

const localKeys = 20_000

/** An attempt, and whether its answer was lost after it had counted as received. */
interface OwnAttempt extends Attempt {
  isAnswerLost: boolean
}

/** The attempts of this process, which publishes each change to the other replicas. */
export interface OwnAttempts {
  /** Those with this body that are not answered. */
  unanswered: (body: string, now: number) => readonly Attempt[]
  /** Returns whether this process answered the attempt, whatever Redis has of it. */
  isAnswered: (alertId: AlertId, now: number) => boolean
  /** Begins an attempt, which opens at this time. */
  begin: (body: string, attempt: Attempt) => void
  /** Opens an attempt at this time; one that this process answered only where that answer proved to be lost. */
  open: (body: string, attempt: Attempt, isAnswerLost: boolean) => void
  answered: (body: string, alertId: AlertId) => void
  /** Writes all of it again, for a Redis that was away or has forgotten it. */
  writeAll: () => void
}

/** No attempts yet. */
export function openOwnAttempts(unanswered: Unanswered, clock: () => number): OwnAttempts {
  const attempts = expiringMap<readonly OwnAttempt[]>(resendWindowMs, localKeys)
  // By alert: the body it came with.
  const answered = expiringMap<string>(resendWindowMs, localKeys)
  const othersThan = (body: string, alertId: AlertId): OwnAttempt[] =>
    (attempts.get(body, clock()) ?? []).filter((attempt) => attempt.alertId !== alertId)
  const put = (body: string, attempt: OwnAttempt): void => {
    attempts.set(body, [...othersThan(body, attempt.alertId), attempt], clock())
  }
  return {
    unanswered: (body, now) => attempts.get(body, now) ?? [],
    isAnswered: (alertId, now) => answered.get(alertId, now) !== undefined,
    begin: (body, attempt) => {
      put(body, { ...attempt, isAnswerLost: false })
      void unanswered.put(body, attempt)
    },
    open: (body, attempt, isAnswerLost) => {
      if (isAnswerLost) answered.delete(attempt.alertId)
      else if (answered.get(attempt.alertId, clock()) !== undefined) return
      put(body, { ...attempt, isAnswerLost })
      void unanswered.open(body, attempt, isAnswerLost)
    },
    answered: (body, alertId) => {
      const others = othersThan(body, alertId)
      if (others.length === 0) attempts.delete(body)
      else attempts.set(body, others, clock())
      answered.set(alertId, body, clock())
      unanswered.answered(body, alertId, Math.trunc(clock()))
    },
    writeAll: () => {
      const now = clock()
      // Redis may know of the answer, and not that it was lost.
      for (const [body, known] of attempts.entries(now))
        for (const attempt of known)
          if (attempt.isAnswerLost) void unanswered.open(body, attempt, true)
          else void unanswered.put(body, attempt)
      for (const [alertId, body] of answered.entries(now))
        unanswered.answered(body, alertId as AlertId, Math.trunc(now))
    },
  }
}
