import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bus, lastSequence } from '@tripline/kit/bus'
import type { Log } from '@tripline/kit/log'
import { readStream, type StreamReader } from '@tripline/kit/stream-reader'
import type { UserId } from '@tripline/proto/id'
import { alertFilter, partitionOf } from '@tripline/proto/subject'
import type { AlertConsumer } from './consumers/alerts.ts'
import { type Claim, createPartitions } from './partitions.ts'
import type { BotDirectory } from './store/bot-directory.ts'
import { openLeaseStore } from './store/lease-store.ts'
import type { VenuePool } from './venue/pool.ts'
import type { Watches } from './watches.ts'

/** How long a claim waits for venues: one that cannot be reached must not keep the others from trading. */
const openMs = 5000
/** How long what is in flight may take to settle when the process stops. */
const settleMs = 5000
/** How soon a claimed partition that could not be read is tried again. */
const readAgainMs = 250

export interface OwnershipOptions {
  bus: Bus
  pool: VenuePool
  directory: BotDirectory
  consumer: AlertConsumer
  watches: Watches
  /** Answers what is asked of the owner of a partition; answers how to stop. */
  answerFor: (partition: number) => () => void
  log: Log
  onLost: () => void
}

/** What this process owns: partitions, and with them their users, bots and alerts. */
export interface Ownership {
  /** True while the lease of the user's partition is held: only then may its orders be placed and told of. */
  holds: (userId: UserId) => boolean
  /** True while every partition is served, by this process or by another. */
  isComplete: () => boolean
  /** Claims what is free and serves it; settles once the first claims are served. */
  start: () => Promise<void>
  /** Settles what is in flight and hands the rest over, so that a successor can go on at once. */
  stop: () => Promise<void>
}

/** The ownership of a process that owns nothing yet. */
export async function createOwnership(options: OwnershipOptions): Promise<Ownership> {
  const { bus, pool, directory, consumer, watches, answerFor, log, onLost } = options
  const readers: StreamReader[] = []
  const stopAnswering: (() => void)[] = []
  const stopping = new AbortController()
  // Partitions of which not all that their former owner may have begun has been delivered yet.
  const unread = new Set<number>()
  const serve = (): void =>
    pool.serve([...directory.bots()].filter(({ userId }) => partitions.owns(partitionOf(userId))))
  const onClaimed = async (claims: Claim[]): Promise<void> => {
    serve()
    for (const claim of claims) if (claim.notAbsentBefore !== undefined) unread.add(claim.partition)
    stopAnswering.push(...claims.map(({ partition }) => answerFor(partition)))
    await pool.settled(openMs)
    const lastBeforeClaim = await insist(async () => await lastSequence(bus, 'ALERTS'))
    if (lastBeforeClaim === undefined) return
    const read = async (claim: Claim): Promise<number> =>
      readers.push(await readPartition(bus, consumer, claim, lastBeforeClaim, unread))
    const claimed = new Set(claims.map(({ partition }) => partition))
    await Promise.all([
      ...claims.map(async (claim) => await insist(async () => await read(claim))),
      insist(async () => await watches.claim(claimed)),
    ])
  }
  const insist = async <Value>(act: () => Promise<Value>): Promise<Value | undefined> =>
    await untilItWorks(act, stopping.signal, log)
  const leases = await openLeaseStore(bus)
  const partitions = createPartitions({ owner: randomUUID(), leases, log, onLost, onClaimed })
  directory.onChange(serve)
  return {
    holds: (userId) => partitions.holds(partitionOf(userId)),
    isComplete: () => partitions.areAllServed(),
    start: async () => await partitions.start(),
    stop: async () => {
      stopping.abort()
      await partitions.stopClaiming()
      for (const stop of stopAnswering) stop()
      for (const reader of readers) reader.stop()
      const undecided = await consumer.stop(settleMs)
      await watches.stop()
      await partitions.release((partition) => !undecided.has(partition) && !unread.has(partition))
    },
  }
}

/** Reads a partition from its beginning; what lay there before the claim may have been begun by another. */
async function readPartition(
  bus: Bus,
  consumer: AlertConsumer,
  claim: Claim,
  lastBeforeClaim: number,
  unread: Set<number>,
): Promise<StreamReader> {
  const { partition } = claim
  const reader = await readStream(bus, {
    stream: 'ALERTS',
    filter: alertFilter(partition),
    start: { from: 'sequence', sequence: 1 },
    onMessage: (message) => {
      consumer.take(message, message.sequence <= lastBeforeClaim ? claim : undefined)
      if (message.pending === 0 || message.sequence >= lastBeforeClaim) unread.delete(partition)
    },
  })
  if (reader.pendingAtStart === 0) unread.delete(partition)
  return reader
}

/** The value once it can be had, undefined once the process stops: a partition that is claimed is served. */
async function untilItWorks<Value>(
  act: () => Promise<Value>,
  stopping: AbortSignal,
  log: Log,
): Promise<Value | undefined> {
  while (!stopping.aborted) {
    try {
      return await act()
    } catch (error) {
      log.warn({ err: error }, 'claimed partitions could not be read yet')
      await sleep(readAgainMs, undefined, { signal: stopping }).catch(() => undefined)
    }
  }
  return undefined
}
