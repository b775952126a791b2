import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@tripline/kit/telemetry/log'
import { type BotSymbol, botSymbolKeyOf } from './key.ts'

/** A look at a place that goes on; a due one is repeated, since what it is for happened meanwhile. */
export interface Look {
  isDue: boolean
}

/**
 * Looks at places, once at a time at each. A look says itself from when on it shows what happens meanwhile, by being due
 * no more, and returns in how many ms another is to be made where it could not see all.
 */
export function createLooks(
  log: Log,
  fault: string,
  lookAt: (place: BotSymbol, look: Look) => Promise<number | undefined>,
): (place: BotSymbol) => Promise<void> {
  const looking = new Map<string, Look>()
  return async (place) => {
    const key = botSymbolKeyOf(place)
    const known = looking.get(key)
    if (known !== undefined) {
      known.isDue = true
      return
    }
    const look = { isDue: true }
    looking.set(key, look)
    try {
      while (look.isDue) {
        const againInMs = await lookAt(place, look)
        if (againInMs === undefined) continue
        look.isDue = true
        await sleep(againInMs, undefined, { ref: false })
      }
    } catch (error) {
      log.error({ err: error, ...place }, fault)
    } finally {
      looking.delete(key)
    }
  }
}
