import { setTimeout as sleep } from 'node:timers/promises'

/** When readings of an account show what was last done to it. */
export interface ShownAfter {
  /** Remembers that something was changed just now. */
  changed: () => void
  /** Settles once a reading that is asked for shows what was changed before this call; undefined where it does. */
  shown: () => Promise<void> | undefined
}

/**
 * The time after a change in which nothing is read that depends on it. Venues read from copies of what their engine has
 * ("Memory => Database", Binance spot's REST documentation; "temporary delays", Bybit's order/realtime) and promise no
 * time. A client that receives the private stream knows sooner, and does not ask.
 */
export const shownAfterMs = 100

/** An account of which nothing was changed yet. */
export function createShownAfter(): ShownAfter {
  let changedAt = Number.NEGATIVE_INFINITY
  return {
    changed: () => {
      changedAt = performance.now()
    },
    shown: () => {
      const leftMs = changedAt + shownAfterMs - performance.now()
      return leftMs > 0 ? sleep(leftMs) : undefined
    },
  }
}

/** The answer to a question, which is asked once more a moment later where the first answer may have come too early. */
export async function askedAgain<Answer>(
  ask: () => Promise<Answer>,
  isSure: (answer: Answer) => boolean,
): Promise<Answer> {
  const first = await ask()
  if (isSure(first)) return first
  await sleep(shownAfterMs)
  return await ask()
}
