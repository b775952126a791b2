import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@tripline/kit/bus/bus'
import { lastSequence } from '@tripline/kit/bus/stream-end'
import { type RepeatableReader, readStream } from '@tripline/kit/bus/stream-reader'
import type { Log } from '@tripline/kit/telemetry/log'
import type { UserId } from '@tripline/proto/id'
import { alertFilter, partitionOf } from '@tripline/proto/subject'
import type { AlertConsumer } from '../consumers/alerts.ts'
import { type Hold, type NumberedTenure, runsCarefully } from '../domain/sharing/lease.ts'
import type { BotDirectory } from '../store/bot-directory.ts'
import type { EpochStore } from '../store/epoch-store.ts'
import type { LeaseStore } from '../store/lease-store.ts'
import { readerLabels, readSentToOwners, type SentTo } from '../store/partition-readers.ts'
import { readRestoredMark } from '../store/restored-mark.ts'
import type { ServedBot, VenuePool } from '../venue/pool.ts'
import type { Watches } from '../watching/watches.ts'
import type { Members } from './members.ts'
import { createPartitions } from './partitions.ts'
import type { ProcessAddress } from './process-address.ts'
import type { RollBacks } from './roll-backs.ts'
import type { Claim, Leaving } from './state.ts'

/** Longest wait for venues: one that cannot be reached must not prevent the others from trading. */
const openMs = 5000
/** Time in which work in flight has to settle when a partition is given up, unless another is given. */
const usualSettleMs = 5000
/** Time before a claimed partition that could not be read is tried again. */
const readAgainMs = 250

export interface OwnershipOptions {
  bus: Bus
  /** Name of this process among those that share the partitions. */
  owner: string
  /** Place of this process, if known: any former holder of a lease from there is gone. */
  place: ProcessAddress | undefined
  members: Members
  leases: LeaseStore
  epochStore: EpochStore
  pool: VenuePool
  directory: BotDirectory
  consumer: AlertConsumer
  watches: Pick<Watches, 'claim' | 'leave'>
  rollBacks: Pick<RollBacks, 'isCompared' | 'untilChecked' | 'cameBackUntil' | 'noteLostEnd' | 'onAlertsBack'>
  /** Each answers what is asked of the owner of a partition; returns a function that stops it. */
  answerFor: readonly ((partition: number) => () => void)[]
  /** Returns how long what is in flight may take to settle when a partition is given up; undefined for as long as usual. */
  settleMs?: (() => number | undefined) | undefined
  log: Log
  onLost: () => void
}

/** Holdings of this process: partitions, and with them their users, bots and alerts. */
export interface Ownership {
  /** Certainty that the user's partition is ours: only for a held one orders may be placed and events be emitted. */
  holdOf: (userId: UserId) => Hold
  /** Since when that is held; undefined while it is not. */
  tenureOf: (userId: UserId) => NumberedTenure | undefined
  /** All that was stored in the partition at its claim has been run. */
  noteRunThrough: (partition: number) => void
  /** Alerts of the user may be begun out of the order of their lanes once this has settled. */
  breakOrder: (userId: UserId, overtaken?: readonly string[]) => Promise<void>
  /** Forgets that an exit overtook the execution. */
  forgetOvertaken: (userId: UserId, executionId: string) => void
  /** True while every partition is served, by this process or by another. */
  isComplete: () => boolean
  /** Counts of partitions that this process holds, and that are not served; undefined once it hands them over. */
  counts: () => { held: number; unserved: number } | undefined
  /** Claims its share and serves it; settles once the first claims are served. */
  start: () => Promise<void>
  /** Settles what is in flight and hands the rest over, so that a successor can go on at once. */
  stop: () => Promise<void>
}

interface Serving {
  reader: RepeatableReader | undefined
  stopAnswering: readonly (() => void)[]
  /** Not all that the former owner may have begun has been delivered yet. */
  isUnread: boolean
}

interface OwnershipState extends OwnershipOptions {
  serving: Map<number, Serving>
  /** Coming partitions: their bots' clients are opened before. */
  coming: ReadonlySet<number>
  stopping: AbortController
}

/** The ownership of a process that owns nothing yet. */
export function createOwnership(options: OwnershipOptions): Ownership {
  const state: OwnershipState = {
    ...options,
    serving: new Map(),
    coming: new Set(),
    stopping: new AbortController(),
  }
  const { members, directory, consumer, serving, stopping } = state
  const { bus, rollBacks } = options
  const partitions = createPartitions({
    ...options,
    // Leases of a bus that was rolled back say nothing until that is known.
    bus: { ...bus, isConnected: () => bus.isConnected() && rollBacks.isCompared() },
    onComing: async (partitions) => {
      state.coming = new Set(partitions)
      servePool(state)
      await whenTried(state, state.coming)
    },
    onClaimed: async (claims) => await serveClaims(state, claims),
    onGivingUp: async (partition) => await leave(state, partition),
    onGone: (partition) => {
      serving.delete(partition)
      // At the end they all go, one soon after the other.
      if (!stopping.signal.aborted) servePool(state)
    },
    loadOf: consumer.loadOf,
  })
  directory.onChange((userId) => serveUser(state, userId))
  rollBacks.onAlertsBack(() => {
    for (const { reader } of serving.values()) reader?.readAgain()
  })
  return {
    holdOf: (userId) => partitions.holdOf(partitionOf(userId)),
    tenureOf: (userId) => partitions.tenureOf(partitionOf(userId)),
    noteRunThrough: partitions.noteRunThrough,
    breakOrder: async (userId, overtaken) => await partitions.breakOrder(partitionOf(userId), overtaken),
    forgetOvertaken: (userId, executionId) => partitions.forgetOvertaken(partitionOf(userId), executionId),
    isComplete: () => partitions.areAllServed(),
    counts: () => (stopping.signal.aborted ? undefined : partitions.counts()),
    start: async () => {
      await members.join()
      await partitions.start()
    },
    stop: async () => {
      stopping.abort()
      await Promise.all([members.leave(), partitions.stopClaiming()])
      await partitions.release()
      members.close()
      state.coming = new Set()
      servePool(state)
    },
  }
}

/** The pool serves the bots of what is ours, or will be soon. */
function servePool({ pool, directory, serving, coming }: OwnershipState): void {
  pool.serve(botsOf(directory, (partition) => serving.has(partition) || coming.has(partition)))
}

/** The same for one user, whose bots changed: those of other users are not looked at. */
function serveUser({ pool, directory, serving, coming }: OwnershipState, userId: UserId): void {
  const partition = partitionOf(userId)
  const isMeant = serving.has(partition) || coming.has(partition)
  pool.serveUser(userId, isMeant ? directory.botsOf(userId) : [])
}

function botsOf(directory: BotDirectory, isMeant: (partition: number) => boolean): ServedBot[] {
  return [...directory.bots()].filter(({ userId }) => isMeant(partitionOf(userId)))
}

/** Settles once the bots there are warm that can be. */
async function whenTried(
  { directory, pool }: OwnershipState,
  partitions: ReadonlySet<number>,
): Promise<void> {
  const bots = botsOf(directory, (partition) => partitions.has(partition))
  await Promise.all(bots.map(async ({ bot }) => await pool.whenTried(bot.id, openMs)))
}

async function serveClaims(state: OwnershipState, claims: readonly Claim[]): Promise<void> {
  const { consumer, serving, answerFor } = state
  for (const { partition, notAbsentBefore, deaths } of claims) {
    const isUnread = notAbsentBefore !== undefined
    const isCareful = runsCarefully(deaths)
    if (isCareful) state.log.warn({ partition, deaths }, 'partition is run carefully, its owners died')
    serving.set(partition, {
      reader: undefined,
      stopAnswering: answerFor.map((start) => start(partition)),
      isUnread,
    })
    consumer.enter(partition, isCareful)
  }
  servePool(state)
  const claimed = new Set(claims.map(({ partition }) => partition))
  // The next partitions are claimed when these are served: clients that open many at once would all be late.
  await Promise.all([
    readClaimed(state, claims),
    insist(state, async () => await state.watches.claim(claimed)),
    whenTried(state, claimed),
  ])
}

/** Reads what was claimed: an alert waits for the clients of its own bots only. */
async function readClaimed(state: OwnershipState, claims: readonly Claim[]): Promise<void> {
  const { bus } = state
  const isInDoubt = claims.some(({ onlyOwner }) => onlyOwner !== undefined)
  const extent = await insist(state, async () => ({
    sentTo: isInDoubt ? await readSentToOwners(bus) : () => undefined,
    lastBeforeClaim: await lastSequence(bus, 'ALERTS'),
    lastRestored: (await readRestoredMark(bus)).sequence,
  }))
  if (extent === undefined) return
  await Promise.all(
    claims.map(async (claim) => {
      await insist(state, async () => await readPartition(state, claim, extent))
    }),
  )
}

/** Reach of the stream when partitions were claimed, as sent to owners, and out of a back-up. */
interface Extent {
  sentTo: SentTo
  lastBeforeClaim: number
  lastRestored: number
}

/** Reads a partition from its beginning; alerts that were stored before the claim may have been begun by another. */
async function readPartition(
  state: OwnershipState,
  claimed: Claim,
  { sentTo, lastBeforeClaim, lastRestored }: Extent,
): Promise<void> {
  const { partition, onlyOwner } = claimed
  const serving = state.serving.get(partition)
  if (serving === undefined) return
  const claim = {
    ...claimed,
    sentTo: onlyOwner === undefined ? undefined : sentTo(onlyOwner, partition),
  }
  const isRead = (): void => {
    serving.isUnread = false
    state.consumer.caughtUp(partition)
  }
  let isReadAgain = false
  const reader = await readStream(state.bus, {
    stream: 'ALERTS',
    filter: alertFilter(partition),
    start: { from: 'sequence', sequence: 1 },
    labels: () => readerLabels(state.bus, state.owner, partition),
    untilTrusted: state.rollBacks.untilChecked,
    onMessage: (message) => {
      const isRestored =
        message.sequence <= lastRestored || message.storedAt <= state.rollBacks.cameBackUntil()
      // Of ended alerts that came back it is not known any more which owner began them, and in which order.
      const before = message.sequence <= lastBeforeClaim && !isReadAgain ? claim : undefined
      state.consumer.take(message, before, isRestored)
      if (message.sequence >= lastBeforeClaim) isRead()
    },
    onCaughtUp: isRead,
    onLostEnd: () => {
      isReadAgain = true
      state.rollBacks.noteLostEnd()
    },
  })
  serving.reader = {
    ...reader,
    readAgain: () => {
      isReadAgain = true
      reader.readAgain()
    },
  }
}

/** Serves a partition no more, once what is in flight there has settled or had its time. */
async function leave(state: OwnershipState, partition: number): Promise<Leaving> {
  const { consumer, watches, serving, settleMs } = state
  const served = serving.get(partition)
  served?.reader?.stop()
  const [{ isSettled, ended }] = await Promise.all([
    consumer.leave(partition, settleMs?.() ?? usualSettleMs),
    watches.leave(partition),
  ])
  for (const stop of served?.stopAnswering ?? []) stop()
  return { isSettled: isSettled && served?.isUnread !== true, ended }
}

/** The value once it can be had, undefined once the process stops: a partition that is claimed is served. */
async function insist<Value>(
  { stopping, log }: OwnershipState,
  act: () => Promise<Value>,
): Promise<Value | undefined> {
  while (!stopping.signal.aborted) {
    try {
      return await act()
    } catch (error) {
      log.warn({ err: error }, 'claimed partitions could not be read yet')
      await sleep(readAgainMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  return undefined
}
