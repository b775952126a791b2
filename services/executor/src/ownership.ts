import { randomUUID } from 'node:crypto'
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

/** How long a claim waits for venues: one that cannot be reached must not keep the others from trading. */
const openMs = 5000
/** How long what is in flight may take to settle when the process stops. */
const settleMs = 5000

export interface OwnershipOptions {
  bus: Bus
  pool: VenuePool
  directory: BotDirectory
  consumer: AlertConsumer
  log: Log
  onLost: () => void
}

/** What this process owns: partitions, and with them their users, bots and alerts. */
export interface Ownership {
  mayPlace: (userId: UserId) => boolean
  /** True while every partition is served, by this process or by another. */
  isComplete: () => boolean
  /** Claims what is free and serves it; settles once the first claims are served. */
  start: () => Promise<void>
  /** Settles what is in flight and hands the rest over, so that a successor can go on at once. */
  stop: () => Promise<void>
}

/** The ownership of a process that owns nothing yet. */
export async function createOwnership(options: OwnershipOptions): Promise<Ownership> {
  const { bus, pool, directory, consumer, log, onLost } = options
  const readers: StreamReader[] = []
  const serve = (): void =>
    pool.serve([...directory.bots()].filter(({ userId }) => partitions.owns(partitionOf(userId))))
  const onClaimed = async (claims: Claim[]): Promise<void> => {
    serve()
    await pool.settled(openMs)
    readers.push(...(await readPartitions(bus, consumer, claims)))
  }
  const leases = await openLeaseStore(bus)
  const partitions = createPartitions({ owner: randomUUID(), leases, log, onLost, onClaimed })
  directory.onChange(serve)
  return {
    mayPlace: (userId) => partitions.mayPlace(partitionOf(userId)),
    isComplete: () => partitions.areAllServed(),
    start: async () => await partitions.start(),
    stop: async () => {
      await partitions.stopClaiming()
      for (const reader of readers) reader.stop()
      const undecided = await consumer.stop(settleMs)
      await partitions.release((partition) => !undecided.has(partition))
    },
  }
}

/** Reads each partition from its beginning; what lay there before the claim may have been begun by another. */
async function readPartitions(bus: Bus, consumer: AlertConsumer, claims: Claim[]): Promise<StreamReader[]> {
  const lastBeforeClaim = await lastSequence(bus, 'ALERTS')
  const read = async (claim: Claim): Promise<StreamReader> =>
    await readStream(bus, {
      stream: 'ALERTS',
      filter: alertFilter(claim.partition),
      start: { from: 'sequence', sequence: 1 },
      onMessage: (message) => consumer.take(message, message.sequence <= lastBeforeClaim ? claim : undefined),
    })
  return await Promise.all(claims.map(read))
}
