import type { Bus } from '@tripline/kit/bus/bus'
import type { Log } from '@tripline/kit/telemetry/log'
import { now } from '@tripline/kit/time/clock'
import type { BotId, UserId } from '@tripline/proto/id'
import type { Hold } from '../domain/sharing/lease.ts'
import type { Doubts } from '../monitoring/doubts.ts'
import type { SetsByKey } from '../sets-by-key.ts'
import type { BotDirectory } from '../store/bot-directory.ts'
import type { EntryStore } from '../store/entry-store.ts'
import type { RecordStore, RecordSubject, StoredRecord } from '../store/record-store.ts'
import type { VenuePool } from '../venue/pool.ts'
import type { Venue } from '../venue/venue.ts'
import type { BarePositions } from './bare-positions.ts'
import type { ClosedPositions } from './closed-positions.ts'
import type { LoneOrders } from './lone-orders.ts'
import type { Running } from './running.ts'
import type { Exit, WatchRun } from './watch-run.ts'

/** Time for which a done group's record stays that an alert may ask for: as long as one may wait. */
const keepDoneMs = 25 * 3_600_000

export interface WatchesOptions {
  bus: Bus
  pool: VenuePool
  records: RecordStore
  entries: Pick<EntryStore, 'note' | 'stored'>
  directory: Pick<BotDirectory, 'bot' | 'isLinked' | 'onChange'>
  /** Certainty that the user's partition is ours. */
  holdOf: (userId: UserId) => Hold
  /** The epoch of that partition; undefined while it is not surely ours. */
  epochOf: (userId: UserId) => number | undefined
  doubts: Doubts
  log: Log
}

/** State of all watches. */
export interface WatchesState extends WatchesOptions {
  running: Running<WatchRun>
  /** Watches that ended lately with their position, by place: the order that closed it may be found to be filled only later. */
  closedLately: SetsByKey<string, Exit>
  /** Watches that are about to run, by their place, until they do: a command that ends those of a symbol tries them first. */
  beginning: SetsByKey<string, Beginning>
  /** Subscriptions to the private streams of bots that have watches. */
  following: Map<BotId, { follow: Venue['follow']; stop: () => void }>
  /** Partitions whose watches are ours. */
  claimed: Map<number, Claim>
  /** Timers of repeated work while partitions are ours. */
  timers: NodeJS.Timeout[]
  lone: LoneOrders
  closed: ClosedPositions
  bare: BarePositions
}

export interface Claim {
  /** Settles once what is recorded there has been read. */
  read: PromiseWithResolvers<void>
  /** Ends the waiting of those that could not begin yet. */
  left: AbortController
}

/** A watch that is about to run; an attempt answers whether it is over with that. */
export interface Beginning {
  subject: RecordSubject
  attempt: () => Promise<boolean>
}

/** True for a record that nothing can ask for any more; the record of an unknown bot stays, since that may be a new one. */
export function isOutdated(
  { record, subject, at }: StoredRecord,
  directory: WatchesOptions['directory'],
): boolean {
  const isWatched = record.state !== 'done' && record.state !== 'placing'
  const isLinked = directory.isLinked(subject.userId, subject.botId)
  return !(isWatched && isLinked) && now() - at > keepDoneMs
}
