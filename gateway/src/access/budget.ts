import { RefusedError } from '@tripline/kit/refused-error'
import type { UserId } from '@tripline/proto/id'
import type { CallCost } from '../domain/call-cost.ts'

/** The budget that calls of a user are paid from. */
export interface Budget {
  /** Takes the cost of a call, or refuses it with how long to wait. */
  spend: (userId: UserId, cost: CallCost) => void
}

/** The share of a budget that only urgent calls may spend. */
const reserve = 0.1
const sweepEveryMs = 60_000

interface Account {
  units: number
  at: number
}

/**
 * Gives each user so many units a minute, and as many at once after a minute of rest (a token bucket). It is held in
 * memory: a user has it once on each gateway, which is a bound still, and no call waits for another process.
 */
export function createBudget(unitsPerMinute: number, now: () => number): Budget {
  const perMs = unitsPerMinute / 60_000
  const accounts = new Map<UserId, Account>()
  let sweptAt = now()
  return {
    spend: (userId, { units, isUrgent }) => {
      const at = now()
      const left = leftOf(accounts.get(userId), at)
      const missing = units + (isUrgent ? 0 : unitsPerMinute * reserve) - left
      if (missing > 0) {
        throw new RefusedError('rate_limited', 'Too many requests, please wait a moment', {
          retryAfterS: Math.ceil(missing / perMs / 1000),
        })
      }
      if (at - sweptAt >= sweepEveryMs) forgetFull(at)
      accounts.set(userId, { units: left - units, at })
    },
  }

  function leftOf(account: Account | undefined, at: number): number {
    if (account === undefined) return unitsPerMinute
    return Math.min(unitsPerMinute, account.units + (at - account.at) * perMs)
  }

  /** A full account is what a user begins with. */
  function forgetFull(at: number): void {
    sweptAt = at
    for (const [userId, account] of accounts) {
      if (leftOf(account, at) >= unitsPerMinute) accounts.delete(userId)
    }
  }
}
