import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@tripline/kit/telemetry/log'
import type { BotId } from '@tripline/proto/id'
import type { Venue } from '../venue/venue.ts'
import { type BotSymbol, botSymbolKeyOf } from './key.ts'
import type { RunningByBot } from './running.ts'
import type { WatchRun } from './watch-run.ts'

/** Time before a failed list is asked for again. */
const againMs = 1000

export interface LoneOrdersOptions {
  running: RunningByBot<WatchRun>
  venueOf: (botId: BotId) => Venue | undefined
  log: Log
}

/**
 * Lets resting orders hear what their stream may have left out. An account may hold hundreds of them, so they are
 * listed once for all of a symbol, and only those that are missing there are asked for one by one.
 */
export interface LoneOrders {
  /** Lists the orders of this bot. */
  check: (botId: BotId) => void
  /** Lists the orders of all bots. */
  checkAll: () => void
}

interface LoneOrdersState extends LoneOrdersOptions {
  /** The lists that are being asked for; a due one is asked for once more, since what it is for happened meanwhile. */
  asking: Map<string, { isDue: boolean }>
}

/** The resting orders among these watches. */
export function createLoneOrders(options: LoneOrdersOptions): LoneOrders {
  const state: LoneOrdersState = { ...options, asking: new Map() }
  const checkThose = (runs: Iterable<WatchRun>): void => {
    for (const place of placesOf(runs)) void check(state, place)
  }
  return {
    check: (botId) => checkThose(state.running.ofBot(botId)),
    checkAll: () => checkThose(state.running.all()),
  }
}

function placesOf(runs: Iterable<WatchRun>): Iterable<BotSymbol> {
  const places = new Map<string, BotSymbol>()
  for (const { isLone, subject } of runs) if (isLone()) places.set(botSymbolKeyOf(subject), subject)
  return places.values()
}

async function check(state: LoneOrdersState, place: BotSymbol): Promise<void> {
  const key = botSymbolKeyOf(place)
  const known = state.asking.get(key)
  if (known !== undefined) {
    known.isDue = true
    return
  }
  const mine = { isDue: true }
  state.asking.set(key, mine)
  try {
    while (mine.isDue && restingAt(state, place).length > 0) {
      mine.isDue = false
      if (await list(state, place)) continue
      mine.isDue = true
      await sleep(againMs, undefined, { ref: false })
    }
  } catch (error) {
    state.log.error({ err: error, ...place }, 'resting orders not listed')
  } finally {
    state.asking.delete(key)
  }
}

async function list(state: LoneOrdersState, place: BotSymbol): Promise<boolean> {
  const open = await state.venueOf(place.botId)?.openOrders(place.symbol)
  if (open?.outcome !== 'read') return false
  for (const run of restingAt(state, place)) run.receive({ of: 'list', orders: open.orders })
  return true
}

function restingAt({ running }: LoneOrdersState, place: BotSymbol): WatchRun[] {
  return [...running.at(place)].filter(({ isLone }) => isLone())
}
