import { nextRandom, seedRandom } from '../domain/fault.ts'
import { hashOf } from '../domain/random.ts'
import type { Entry } from './ledger.ts'

/** Returns the lag of the next read of an account, in whole milliseconds. */
export type Lateness = (entry: Entry) => number

/**
 * Reads that are up to this late, or as late as the account's terms have it. Venues serve reads from caches and
 * databases that follow the engine: "Memory => Database" (Binance spot's REST documentation), "temporary delays"
 * (Bybit, order/realtime). The lag is drawn anew for each read, so a later read may show less; the same seed and the
 * same reads of an account give the same row.
 */
export function createLateness(seed: number, mostMs: number): Lateness {
  const states = new WeakMap<Entry, number>()
  return (entry) => {
    const most = entry.account.settings.terms?.readLagMs ?? mostMs
    if (most === 0) return 0
    const drawn = nextRandom(states.get(entry) ?? seedRandom(hashOf(`reads ${entry.turn} ${seed}`)))
    states.set(entry, drawn.state)
    return Math.floor(drawn.value * (most + 1))
  }
}
