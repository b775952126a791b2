import type { BotId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { isMeant } from '../domain/execution/cancel-orders.ts'
import type { EndedWatches } from '../domain/execution/state.ts'
import type { VenueOrder } from '../domain/order/order.ts'
import type { Canceled, Exit, WatchedPlace, Watching } from '../run/watched-market.ts'
import { createSetsByKey } from '../sets-by-key.ts'
import { type BareCounts, createBarePositions, protectedPositionOf } from './bare-positions.ts'
import { begin, begunAt } from './begin.ts'
import { createClosedPositions } from './closed-positions.ts'
import { type BotSymbol, botSymbolKeyOf } from './key.ts'
import { createLoneOrders } from './lone-orders.ts'
import { createRunning } from './running.ts'
import { isOutdated, type WatchesOptions, type WatchesState } from './state.ts'
import { beginSale, giveBack, ownExits, takeBack } from './taken-back.ts'
import type { WatchRun } from './watch-run.ts'

/** Interval of looking through records for ones that stayed long enough. */
const sweepEveryMs = 3_600_000
/** Interval of listing resting orders, for what their stream may have left out. */
const listEveryMs = 30_000
/** Interval of looking for positions that have lost their stop. */
const bareEveryMs = 5000
/** Time for a step that goes on when its partition is left. */
const stopMs = 2000

/** All watches of this process. */
export interface Watches extends Watching {
  /** Goes on with what is recorded in partitions that are ours now. */
  claim: (partitions: ReadonlySet<number>) => Promise<void>
  /** Leaves the watches of a partition to whoever takes it; settles when no step goes on, or had its time. */
  leave: (partition: number) => Promise<void>
  /** Count of watched groups. */
  count: () => number
  /** Count of watched groups and resting orders of a user. */
  countOf: (userId: UserId) => number
  /** Counts of positions without the stop at the exchange that was ordered for them. */
  bareCounts: () => BareCounts
}

/** No watches yet. */
export function createWatches(options: WatchesOptions): Watches {
  const running: WatchesState['running'] = createRunning()
  const watched = {
    running,
    venueOf: (botId: BotId) => options.pool.client(botId)?.venue,
    log: options.log,
  }
  const lone = createLoneOrders(watched)
  const bare = createBarePositions({ ...watched, isLinked: options.directory.isLinked })
  const state: WatchesState = {
    ...options,
    running,
    lone,
    closed: createClosedPositions(watched),
    bare,
    closedLately: createSetsByKey(),
    beginning: createSetsByKey(),
    following: new Map(),
    claimed: new Map(),
    timers: [],
  }
  options.directory.onChange((userId) => {
    const runs = running.ofUser(userId)
    dropUnlinked(state, runs)
    for (const run of runs) run.consider()
  })
  return {
    at: (place) => ({
      begin: (subject, after) => begin(state, subject, after && { after }),
      exits: async (areComingToo) => await exitsAt(state, place, areComingToo),
      end: async (canceled) => await endAll(state, place, canceled),
      ownExits: async () => await ownExits(state, place),
      takeBack: async (by, exits) => await takeBack(state, place, by, exits),
      beginSale: async (by, exits) => await beginSale(state, place, by, exits),
      giveBack: async (by, exits) => await giveBack(state, place, by, exits),
      leaveBare: (coins) => bare.note(protectedPositionOf(place, coins === undefined ? {} : { coins })),
    }),
    claim: async (partitions) => await claim(state, partitions),
    leave: async (partition) => await leave(state, partition),
    bareCounts: bare.counts,
    countOf: running.countOf,
    count: () => [...running.all()].filter(({ isLone }) => !isLone()).length,
  }
}

async function claim(state: WatchesState, partitions: ReadonlySet<number>): Promise<void> {
  const claims = [...partitions].map((partition) => {
    const known = state.claimed.get(partition)
    const made = known ?? { read: Promise.withResolvers<void>(), left: new AbortController() }
    state.claimed.set(partition, made)
    return { partition, ...made }
  })
  startTimers(state)
  // However many records the users of one partition have, those of the others do not wait for them.
  await Promise.all(
    claims.map(async ({ partition, read, left }) => {
      for await (const stored of state.records.recordsOf(partition)) {
        if (left.signal.aborted) return
        begin(state, stored.subject, { known: stored })
      }
      read.resolve()
    }),
  )
}

function startTimers(state: WatchesState): void {
  if (state.timers.length > 0) return
  state.timers.push(
    setInterval(() => void sweep(state), sweepEveryMs).unref(),
    setInterval(state.lone.checkAll, listEveryMs).unref(),
    setInterval(state.bare.check, bareEveryMs).unref(),
  )
}

async function leave(state: WatchesState, partition: number): Promise<void> {
  const claimed = state.claimed.get(partition)
  claimed?.left.abort()
  claimed?.read.resolve()
  state.claimed.delete(partition)
  state.bare.leave(partition)
  if (state.claimed.size === 0) for (const timer of state.timers.splice(0)) clearInterval(timer)
  const users = [...state.running.users()].filter((userId) => partitionOf(userId) === partition)
  const left = users.flatMap((userId) => [...state.running.ofUser(userId)])
  for (const run of left) run.stop()
  const ended = Promise.allSettled(left.map((run) => run.ended))
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, stopMs).unref())])
  state.doubts.leave(partition)
}

/** Takes away the records that nobody can ask for any more. */
async function sweep({ records, claimed, directory, log }: WatchesState): Promise<void> {
  try {
    for (const partition of claimed.keys())
      for await (const stored of records.recordsOf(partition))
        if (isOutdated(stored, directory)) await records.forget(stored.subject)
  } catch (error) {
    log.warn({ err: error }, 'old records not taken away yet')
  }
}

/** Ends the watches of bots that were known and are no more: nobody can be asked for their orders. */
function dropUnlinked({ directory, records, doubts, log }: WatchesState, runs: Iterable<WatchRun>): void {
  for (const run of runs) {
    const { userId, botId, executionId } = run.subject
    if (directory.isLinked(userId, botId)) continue
    doubts.close(run.subject)
    run
      .abandon()
      .then(async () => await records.forget(run.subject))
      .catch((error: unknown) => log.warn({ err: error, executionId }, 'record of a bot not taken away yet'))
  }
}

/** Watched orders of an account's market that can only make a position smaller, and those that ended with it lately. */
async function exitsAt(
  state: WatchesState,
  place: WatchedPlace,
  areComingToo: boolean,
): Promise<readonly Exit[]> {
  const runs = areComingToo ? await allAt(state, place) : runningAt(state, place)
  const closed = placesAt(state, place).flatMap((one) => [...state.closedLately.of(botSymbolKeyOf(one))])
  return [...closed, ...runs.filter((run) => (run.closes() ?? run.closed()) !== undefined)]
}

/** The watches of a market of an account, which several bots may have. */
function runningAt(state: WatchesState, place: WatchedPlace): WatchRun[] {
  return placesAt(state, place).flatMap((one) => [...state.running.at(one)])
}

/** The same with those that are about to begin, once they have. */
async function allAt(state: WatchesState, place: WatchedPlace): Promise<WatchRun[]> {
  return await begunAt(state, place.userId, () => placesAt(state, place))
}

function placesAt({ pool }: WatchesState, { accountKey, symbol }: WatchedPlace): BotSymbol[] {
  return [...pool.botsAt(accountKey)].map((botId) => ({ botId, symbol }))
}

async function endAll(state: WatchesState, place: WatchedPlace, canceled: Canceled): Promise<EndedWatches> {
  const runs = await allAt(state, place)
  const named = new Set(canceled.clientOrderIds)
  for (const run of runs) if (run.openIds().some((id) => named.has(id))) run.letGo()
  const meant = runs.filter((run) => (!run.isLone() || run.isTakenBack()) && isEndedBy(run, canceled))
  const ended = await Promise.all(meant.map(heldUntilReleased))
  const released = ended.filter((held) => held !== undefined)
  return { count: released.length, held: released.flat() }
}

/** Releases the orders of a watch; the one that it held back, or undefined where it watched nothing any more. */
async function heldUntilReleased(run: WatchRun): Promise<VenueOrder[] | undefined> {
  const held = run.held()
  if (!(await run.release())) return undefined
  return held === undefined ? [] : [held]
}

/** A group ends with all its orders; one of which an order is held with that, which no list shows. */
function isEndedBy({ openIds, held }: WatchRun, canceled: Canceled): boolean {
  const { clientOrderIds, command, alertId, isCloseOnly } = canceled
  const named = new Set(clientOrderIds)
  const order = held()
  if (isCloseOnly) {
    const ids = openIds()
    // An order is held on spot alone, where a sale closes.
    return order?.side !== 'sell' && ids.length > 0 && ids.every((id) => named.has(id))
  }
  if (command.which === 'all') return true
  if (order !== undefined) return isMeant(order, command, alertId)
  return openIds().every((id) => named.has(id))
}
