import { RefusedError } from '@tripline/kit/refused-error'
import type { Deps } from './deps.ts'
import type { Budget } from './domain/throttle.ts'
import { returnAttempt, takeAttempt } from './store/throttle.ts'

/** Takes an attempt from each budget, or refuses it when one of them is spent. */
export async function takeAttempts({ db, now }: Deps, budgets: readonly Budget[]): Promise<void> {
  for (const budget of limited(budgets)) {
    const waitMs = await takeAttempt(db, budget, now())
    if (waitMs > 0) {
      const minutes = Math.ceil(waitMs / 60_000)
      const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
      throw new RefusedError('rate_limited', `Too many attempts, please try again in ${wait}`, {
        retryAfterS: Math.ceil(waitMs / 1000),
      })
    }
  }
}

/** Gives the attempt back to each budget: what succeeds does not count. */
export async function returnAttempts({ db }: Deps, budgets: readonly Budget[]): Promise<void> {
  for (const budget of limited(budgets)) await returnAttempt(db, budget)
}

function limited(budgets: readonly Budget[]): Budget[] {
  return budgets.filter(({ perHour }) => perHour > 0)
}
