import type { Log } from '@tripline/kit/telemetry/log'
import type { BotId } from '@tripline/proto/id'
import type { Venue } from '../venue/venue.ts'
import { type BotSymbol, botSymbolKeyOf } from './key.ts'
import { createLooks } from './looks.ts'
import type { RunningByBot } from './running.ts'
import type { WatchRun } from './watch-run.ts'

/** Time before a failed list is asked for again. */
const againMs = 1000

export interface LoneOrdersOptions {
  running: RunningByBot<WatchRun>
  venueOf: (botId: BotId) => Venue | undefined
  log: Log
}

/** The resting orders among the watches. */
export type LoneOrders = ReturnType<typeof createLoneOrders>

/**
 * Lets resting orders receive what their stream may have left out. An account may hold hundreds of them, so they are
 * listed once for all of a symbol, and only those that are missing there are asked for one by one.
 */
export function createLoneOrders(options: LoneOrdersOptions) {
  const look = createLooks(options.log, 'resting orders not listed', async (place, mine) => {
    mine.isDue = false
    return restingAt(options, place).length === 0 || (await list(options, place)) ? undefined : againMs
  })
  const checkThose = (runs: Iterable<WatchRun>): void => {
    for (const place of placesOf(runs)) void look(place)
  }
  return {
    /** Lists the orders of this bot. */
    check: (botId: BotId): void => checkThose(options.running.ofBot(botId)),
    /** Lists the orders of all bots. */
    checkAll: (): void => checkThose(options.running.all()),
  }
}

function placesOf(runs: Iterable<WatchRun>): Iterable<BotSymbol> {
  const places = new Map<string, BotSymbol>()
  for (const { isLone, subject } of runs) if (isLone()) places.set(botSymbolKeyOf(subject), subject)
  return places.values()
}

async function list(options: LoneOrdersOptions, place: BotSymbol): Promise<boolean> {
  const open = await options.venueOf(place.botId)?.openOrders(place.symbol)
  if (open?.outcome !== 'read') return false
  for (const run of restingAt(options, place)) run.receive({ of: 'list', orders: open.orders })
  return true
}

function restingAt({ running }: LoneOrdersOptions, place: BotSymbol): WatchRun[] {
  return [...running.at(place)].filter(({ isLone }) => isLone())
}
