import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@tripline/kit/telemetry/log'
import { steadyNow } from '@tripline/kit/time/clock'
import {
  expectationOf,
  isDatabaseAway,
  renewedBy,
  type SeenEpoch,
  seeEpoch,
} from '../domain/sharing/epoch.ts'
import { type BothClocks, type LeaseTerm, renewalMs } from '../domain/sharing/lease.ts'
import { type Failures, noteFailure, type Reach, reachOf } from '../domain/sharing/standing.ts'
import type { EpochOwner, EpochStore, StoredEpoch, WantedEpoch } from '../store/epoch-store.ts'
import { clocks, type HeldLease } from './held-lease.ts'
import type { ProcessAddress } from './process-address.ts'

/** Time before a failed statement is tried again. */
const againMs = 100

/** A claimed row, and when its claim was sent. */
export interface ClaimedEpoch {
  partition: number
  epoch: number
  sentAt: BothClocks
  former: EpochOwner | undefined
  /** The last moment (monotonic) at which its former owner can have sent a renewal, where a row was seen. */
  renewedBy: number | undefined
}

/** A partition whose row is wanted, with the lease on the bus that allows it. */
interface WantedPartition {
  partition: number
  lease:
    | { owner: string; isReleased: boolean; epoch?: number | undefined; place?: string | undefined }
    | undefined
}

/** A process's knowledge of the epochs, and its own renewals of them. */
export interface Epochs {
  /** True while the database answers, and silence of rows says something: without that nothing is claimed. */
  isUp: () => boolean
  /** Whether it can be asked. */
  reach: () => Reach
  /** True where the row may be claimed, if the lease may. */
  isFree: (wanted: WantedPartition) => boolean
  /** Claims rows in one statement; those that it got. */
  claim: (wanted: readonly WantedPartition[]) => Promise<ClaimedEpoch[]>
  /** Leaves rows to the owners that turn out to live. */
  giveBack: (claimed: readonly ClaimedEpoch[]) => Promise<void>
  /** Lets silence count anew. */
  seeAnew: () => void
  /** Renews what is held from now on, once a second; settles with the first answer, or without. */
  start: () => Promise<void>
  stop: () => Promise<void>
}

interface EpochsOptions {
  owner: string
  place?: ProcessAddress | undefined
  store: EpochStore
  term: LeaseTerm
  log: Log
  held: () => readonly HeldLease[]
}

interface EpochsState extends EpochsOptions {
  seen: Map<number, SeenEpoch>
  answeredAt: number
  failures: Failures | undefined
  isReported: boolean
  stopping: AbortController
  beating: Promise<void> | undefined
}

/** The epochs of a process that has seen none yet. */
export function createEpochs(options: EpochsOptions): Epochs {
  const state: EpochsState = {
    ...options,
    seen: new Map(),
    answeredAt: Number.NEGATIVE_INFINITY,
    failures: undefined,
    isReported: false,
    stopping: new AbortController(),
    beating: undefined,
  }
  return {
    isUp: () => state.failures === undefined && !isDatabaseAway(state.answeredAt, steadyNow()),
    reach: () => reachOf(state.failures, steadyNow()),
    isFree: (wanted) => expected(state, wanted) !== undefined,
    claim: async (wanted) => await claim(state, wanted),
    giveBack: async (claimed) =>
      await state.store.giveBack(
        by(state),
        claimed.flatMap(({ former, ...of }) => (former === undefined ? [] : [{ ...of, former }])),
      ),
    seeAnew: () => seeAnew(state),
    start: async () => {
      await beat(state)
      state.beating = repeat(state)
    },
    stop: async () => {
      state.stopping.abort()
      await state.beating
      await state.store.close()
    },
  }
}

function by({ owner, place }: EpochsState): EpochOwner {
  return { owner, place: place?.name }
}

async function repeat(state: EpochsState): Promise<void> {
  const { signal } = state.stopping
  while (!signal.aborted) {
    const pauseMs = state.failures === undefined ? renewalMs : againMs
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await beat(state)
  }
}

/** Renews what is held and sees all rows. */
async function beat(state: EpochsState): Promise<void> {
  const { store, held } = state
  // One whom the bus does not reach cannot serve: it lets its rows be claimed.
  const leases = held().filter((lease) => lease.isOnBus())
  const sentAt = clocks()
  try {
    const rows = await store.renew(
      by(state),
      leases.map(({ partition, epoch }) => ({ partition, epoch: epoch() })),
    )
    noteAnswer(state)
    for (const row of rows) see(state, row)
    await inform(state, leases, sentAt)
  } catch (error) {
    noteFault(state, sentAt, error)
  }
}

function noteAnswer(state: EpochsState): void {
  const at = steadyNow()
  if (isDatabaseAway(state.answeredAt, at)) seeAnew(state)
  state.answeredAt = at
  state.failures = undefined
  if (state.isReported) state.log.info('the database of epochs answers again')
  state.isReported = false
}

function noteFault(state: EpochsState, sentAt: BothClocks, error: unknown): void {
  state.failures = noteFailure(state.failures, sentAt.monotonic, steadyNow())
  if (state.isReported || state.stopping.signal.aborted) return
  state.log.warn(
    { err: error },
    'the database of epochs does not answer: no partition is taken over until it does',
  )
  state.isReported = true
}

function seeAnew({ seen }: EpochsState): void {
  for (const row of seen.values()) row.unchangedSince = steadyNow()
}

function see({ seen, place, owner }: EpochsState, row: StoredEpoch): void {
  const isGone = place !== undefined && row.place === place.name && row.owner !== owner
  seen.set(row.partition, seeEpoch(seen.get(row.partition), row, isGone, steadyNow()))
}

/** Passes on to each held lease what its row says; one that was only claimed by another and left is taken back. */
async function inform(state: EpochsState, leases: readonly HeldLease[], sentAt: BothClocks): Promise<void> {
  const taken = leases.filter((lease) => {
    const row = state.seen.get(lease.partition)
    return row !== undefined && lease.noteRow(row, sentAt) === 'taken'
  })
  const left = taken.filter(({ partition }) => expected(state, { partition, lease: undefined }) !== undefined)
  if (left.length === 0) return
  const wanted = left.map((lease) => ({ partition: lease.partition, lease: undefined, known: lease.epoch() }))
  const claimed = await claimRows(state, wanted)
  for (const { row, sentAt } of claimed)
    left.find(({ partition }) => partition === row.partition)?.noteRow(row, sentAt)
}

function expected({ seen, owner, term }: EpochsState, { partition, lease }: WantedPartition) {
  const releasedEpoch = lease?.isReleased === true ? lease.epoch : undefined
  return expectationOf(seen.get(partition), { claimant: owner, releasedEpoch }, steadyNow(), term)
}

async function claim(state: EpochsState, wanted: readonly WantedPartition[]): Promise<ClaimedEpoch[]> {
  const sentAt = clocks()
  const formers = new Map(
    wanted.map(({ partition, lease }) => [partition, formerOf(state, partition, lease)]),
  )
  const renewals = new Map([...state.seen].map(([partition, row]) => [partition, renewedBy(row)]))
  try {
    const claimed = await claimRows(
      state,
      wanted.map((each) => ({ ...each, known: each.lease?.epoch ?? 0 })),
    )
    return claimed.map(({ row: { partition, epoch }, sentAt }) => ({
      partition,
      epoch,
      sentAt,
      former: formers.get(partition),
      renewedBy: renewals.get(partition),
    }))
  } catch (error) {
    noteFault(state, sentAt, error)
    return []
  }
}

function formerOf(
  { seen, owner }: EpochsState,
  partition: number,
  lease: WantedPartition['lease'],
): EpochOwner | undefined {
  const former = lease ?? seen.get(partition)
  return former === undefined || former.owner === owner
    ? undefined
    : { owner: former.owner, place: former.place }
}

async function claimRows(
  state: EpochsState,
  wanted: readonly (WantedPartition & { known: number })[],
): Promise<{ row: StoredEpoch; sentAt: BothClocks }[]> {
  const sentAt = clocks()
  const expecting = wanted.flatMap((each): WantedEpoch[] => {
    const expectation = expected(state, each)
    return expectation === undefined
      ? []
      : [{ partition: each.partition, known: each.known, expected: expectation }]
  })
  if (expecting.length === 0) return []
  const rows = await state.store.claim(by(state), expecting)
  for (const row of rows) see(state, row)
  return rows.map((row) => ({ row, sentAt }))
}
