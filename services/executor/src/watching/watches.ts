import type { BotId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { createSetsByKey } from '../sets-by-key.ts'
import { createBarePositions } from './bare-positions.ts'
import { begin } from './begin.ts'
import { createClosedPositions } from './closed-positions.ts'
import { createLoneOrders } from './lone-orders.ts'
import { type MarketWatches, type WatchedPlace, watchesAt } from './market-watches.ts'
import { createRunning } from './running.ts'
import { isOutdated, type WatchesOptions, type WatchesState } from './state.ts'
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
export type Watches = ReturnType<typeof createWatches>

/** No watches yet. */
export function createWatches(options: WatchesOptions) {
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
    at: (place: WatchedPlace): MarketWatches => watchesAt(state, place),
    /** Continues the recorded watches of partitions that are ours now. */
    claim: async (partitions: ReadonlySet<number>): Promise<void> => await claim(state, partitions),
    /** Leaves the watches of a partition to its next owner; settles when no step goes on, or had its time. */
    leave: async (partition: number): Promise<void> => await leave(state, partition),
    /** Counts of positions without the stop at the exchange that was ordered for them. */
    bareCounts: bare.counts,
    /** Count of watched groups and resting orders of a user. */
    countOf: running.countOf,
    /** Count of watched groups. */
    count: (): number => [...running.all()].filter(({ isLone }) => !isLone()).length,
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

/** Deletes the records that nothing can ask for any more. */
async function sweep({ records, claimed, directory, log }: WatchesState): Promise<void> {
  try {
    for (const partition of claimed.keys())
      for await (const stored of records.recordsOf(partition))
        if (isOutdated(stored, directory)) await records.forget(stored.subject)
  } catch (error) {
    log.warn({ err: error }, 'old records not taken away yet')
  }
}

/** Ends the watches of bots that were known and were unlinked: no venue can be asked for their orders. */
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
