import { steadyNow } from '@tripline/kit/time/clock'
import type { Hold, NumberedTenure } from '../domain/sharing/lease.ts'
import { claimAll } from './claim.ts'
import { giveUpAll, giveUpExcess } from './give-up.ts'
import {
  allPartitions,
  claimEveryMs,
  isServed,
  newState,
  noteLease,
  type PartitionsOptions,
  type SharingState,
  seeAnew,
} from './state.ts'

/** A process that comes back so much later than meant stood still, and has not seen the others' acts meanwhile. */
const stoodStillMs = 1000

/** The partitions this process owns. */
export interface Partitions {
  owns: (partition: number) => boolean
  /** True while every partition is served, by this process or by one that renews its lease. */
  areAllServed: () => boolean
  /** Counts of those that this process holds, and that are not served. */
  counts: () => { held: number; unserved: number }
  /** Certainty that the partition is ours: only for a held one anything may be signed. */
  holdOf: (partition: number) => Hold
  /** Since when the partition is surely ours; undefined while it is not. */
  tenureOf: (partition: number) => NumberedTenure | undefined
  /** All that was stored in the partition at its claim has been run. */
  noteRunThrough: (partition: number) => void
  /**
   * Lets alerts of the partition be begun out of the order of their lanes, behind exits that overtook these executions, once
   * this has settled.
   */
  breakOrder: (partition: number, overtaken?: readonly string[]) => Promise<void>
  forgetOvertaken: (partition: number, executionId: string) => void
  /** Claims the partitions that fall to it and gives up any beyond its share, always; settles once the first are served. */
  start: () => Promise<void>
  /** Stops claiming and giving up; held leases are renewed until they are released. */
  stopClaiming: () => Promise<void>
  /** Gives each away once it is settled, so that it can be taken at once; one that does not settle runs out. */
  release: () => Promise<void>
}

/** The partitions of an executor that has not begun to claim any. */
export function createPartitions(options: PartitionsOptions): Partitions {
  const state = newState(options)
  const stopSharing = async (): Promise<void> => {
    state.stopping.abort()
    state.wake()
    await state.sharing
    await Promise.all(state.taking)
  }
  return {
    owns: (partition) => state.held.has(partition),
    areAllServed: () => allPartitions.every((partition) => isServed(state, partition)),
    counts: () => ({
      held: state.held.size,
      unserved: allPartitions.filter((partition) => !isServed(state, partition)).length,
    }),
    holdOf: (partition) => {
      const lease = state.held.get(partition)
      if (lease === undefined) return 'gone'
      return lease.tenure() === undefined ? 'unsure' : 'held'
    },
    tenureOf: (partition) => state.held.get(partition)?.tenure(),
    noteRunThrough: (partition) => state.held.get(partition)?.noteRunThrough(),
    breakOrder: async (partition, overtaken) => await state.held.get(partition)?.breakOrder(overtaken),
    forgetOvertaken: (partition, executionId) => state.held.get(partition)?.forgetOvertaken(executionId),
    start: async () => await start(state),
    stopClaiming: stopSharing,
    release: async () => {
      await Promise.all([stopSharing(), ...state.leaving.values()])
      await giveUpAll(state)
      await state.epochs.stop()
      for (const stop of state.stops) stop()
    },
  }
}

async function start(state: SharingState): Promise<void> {
  const { bus, leases, epochs, stops } = state
  state.startedAt = steadyNow()
  stops.push(bus.onConnection((isConnected) => isConnected && seeAnew(state)))
  const [stopWatching] = await Promise.all([leases.watch((lease) => noteLease(state, lease)), epochs.start()])
  stops.push(stopWatching)
  await claimAll(state)
  await Promise.all(state.taking)
  state.sharing = share(state)
}

async function share(state: SharingState): Promise<void> {
  const { signal } = state.stopping
  while (!signal.aborted) {
    giveUpExcess(state)
    const from = steadyNow()
    await pause(state, claimEveryMs)
    if (steadyNow() - from > claimEveryMs + stoodStillMs) seeAnew(state)
    if (!signal.aborted) await claimAll(state)
  }
}

/** Waits for a while, or until something was released. */
async function pause(state: SharingState, ms: number): Promise<void> {
  if (!state.hasNews) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    state.wake = resolve
    await promise
    clearTimeout(timer)
  }
  state.hasNews = false
}
