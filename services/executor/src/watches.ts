import type { Bus } from '@tripline/kit/bus'
import { now } from '@tripline/kit/clock'
import type { Log } from '@tripline/kit/log'
import { isOfAlert } from '@tripline/proto/client-order-id'
import type { BotId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import type { TradingState } from '@tripline/proto/user-config'
import { isMeant } from './domain/cancel-orders.ts'
import { absenceCountsAfterSending } from './domain/doubt.ts'
import type { Hold } from './domain/lease.ts'
import { watchOf } from './domain/watch.ts'
import type { Doubts } from './doubts.ts'
import { createLoneOrders, type LoneOrders } from './lone-orders.ts'
import type { Canceled, Watching } from './run-alert.ts'
import type { BotDirectory } from './store/bot-directory.ts'
import { openEventLog } from './store/event-log.ts'
import type { RecordStore, RecordSubject, StoredRecord } from './store/record-store.ts'
import type { VenuePool } from './venue/pool.ts'
import type { Venue, VenueEvent } from './venue/venue.ts'
import { runWatch, type WatchRun } from './watch-run.ts'

/** How long the record of a group that is done stays: as long as an alert may wait before it asks for it. */
const keepDoneMs = 25 * 3_600_000
/** How often records are looked through for ones that stayed long enough. */
const sweepEveryMs = 3_600_000
/** How soon it is tried again to begin a watch whose bot has no client yet. */
const beginAgainMs = 1000
/** The same where there was none for long. */
const seldomMs = 60_000
/** How often resting orders are listed, for what their stream may have left out. */
const listEveryMs = 30_000

export interface WatchesOptions {
  bus: Bus
  pool: VenuePool
  records: RecordStore
  directory: Pick<BotDirectory, 'bot' | 'onChange'>
  /** How surely the user's partition is ours. */
  holdOf: (userId: UserId) => Hold
  doubts: Doubts
  log: Log
}

/** All watches of this process. */
export interface Watches extends Watching {
  /** Goes on with what is recorded in partitions that are ours now. */
  claim: (partitions: ReadonlySet<number>) => Promise<void>
  /** Leaves the watches of a partition to whoever takes it; settles when no step goes on, or had its time. */
  leave: (partition: number) => Promise<void>
  /** How many groups are watched. */
  count: () => number
}

/** How long a step that goes on may take when its partition is left. */
const stopMs = 2000

interface State extends WatchesOptions {
  running: Map<string, WatchRun>
  /** Watches that are about to run, until they do: whoever ends those of a symbol waits for them. */
  beginning: Set<{ subject: RecordSubject; begun: Promise<void> }>
  /** How the private streams of bots are followed that have watches. */
  following: Map<BotId, { follow: Venue['follow']; stop: () => void }>
  /** Partitions whose watches are ours, with what ends the waiting of those that could not begin yet. */
  claimed: Map<number, AbortController>
  /** What is done from time to time while partitions are ours. */
  timers: NodeJS.Timeout[]
  lone: LoneOrders
}

/** No watches yet. */
export function createWatches(options: WatchesOptions): Watches {
  const running: State['running'] = new Map()
  const lone = createLoneOrders({
    running: () => running.values(),
    venueOf: (botId) => options.pool.client(botId)?.venue,
    log: options.log,
  })
  const state: State = {
    ...options,
    running,
    lone,
    beginning: new Set(),
    following: new Map(),
    claimed: new Map(),
    timers: [],
  }
  options.directory.onChange(() => {
    dropUnlinked(state)
    for (const run of running.values()) run.consider()
  })
  return {
    begin: (subject) => beginNoted(state, subject),
    end: async (place, canceled) => await endAll(state, place, canceled),
    claim: async (partitions) => {
      for (const partition of partitions) state.claimed.set(partition, new AbortController())
      startTimers(state)
      for (const stored of await options.records.readAll(partitions)) take(state, stored)
    },
    leave: async (partition) => await leave(state, partition),
    count: () => [...running.values()].filter(({ isLone }) => !isLone()).length,
  }
}

function startTimers(state: State): void {
  if (state.timers.length > 0) return
  state.timers.push(
    setInterval(() => void sweep(state), sweepEveryMs).unref(),
    setInterval(state.lone.checkAll, listEveryMs).unref(),
  )
}

async function leave(state: State, partition: number): Promise<void> {
  state.claimed.get(partition)?.abort()
  state.claimed.delete(partition)
  if (state.claimed.size === 0) for (const timer of state.timers.splice(0)) clearInterval(timer)
  const left = [...state.running.values()].filter(({ subject }) => partitionOf(subject.userId) === partition)
  for (const run of left) run.stop()
  const ended = Promise.allSettled(left.map((run) => run.ended))
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, stopMs).unref())])
  state.doubts.leave(partition)
}

/** Takes away the records that nobody can ask for any more. */
async function sweep({ records, claimed, directory, log }: State): Promise<void> {
  try {
    for (const stored of await records.readAll(new Set(claimed.keys()))) {
      if (isOutdated(stored, directory)) await records.forget(stored.subject)
    }
  } catch (error) {
    log.warn({ err: error }, 'old records not taken away yet')
  }
}

// A bot that is not known may be one that was linked just now, so its records stay as long as any.
function isOutdated({ record, subject, at }: StoredRecord, directory: WatchesOptions['directory']): boolean {
  const isWatched = record.state !== 'done' && record.state !== 'placing'
  const isLinked = directory.bot(subject.userId, subject.botId) !== undefined
  return !(isWatched && isLinked) && now() - at > keepDoneMs
}

/** Ends the watches of bots that were known and are no more: nobody can be asked for their orders. */
function dropUnlinked({ running, directory, records, doubts, log }: State): void {
  for (const run of running.values()) {
    const { userId, botId, executionId } = run.subject
    if (directory.bot(userId, botId) !== undefined) continue
    doubts.close(run.subject)
    run
      .abandon()
      .then(async () => await records.forget(run.subject))
      .catch((error: unknown) => log.warn({ err: error, executionId }, 'record of a bot not taken away yet'))
  }
}

function beginNoted(state: State, subject: RecordSubject): void {
  const { beginning } = state
  const one = { subject, begun: begin(state, subject) }
  beginning.add(one)
  void one.begun.finally(() => beginning.delete(one))
}

async function begin(state: State, subject: RecordSubject, againMs?: number): Promise<void> {
  try {
    const kept = await state.records.recall(subject)
    if (kept !== undefined) take(state, { ...kept, subject, at: now() }, againMs)
  } catch (error) {
    state.log.error({ err: error, executionId: subject.executionId }, 'watch not begun')
  }
}

/** Goes on with a group. One that is still being placed belongs to its alert. */
function take(state: State, stored: StoredRecord, againMs = beginAgainMs): void {
  const { subject, record } = stored
  if (isOutdated(stored, state.directory)) return void forget(state, subject)
  const key = keyOf(subject)
  const claimed = state.claimed.get(partitionOf(subject.userId))
  if (record.state === 'done' || record.state === 'placing') return void state.doubts.close(subject)
  if (state.running.has(key) || claimed === undefined) return
  if (record.isUntold === true) state.doubts.open(subject, stored.at)
  const market = state.pool.client(subject.botId)?.venue.market(subject.symbol)
  if (market === undefined) {
    const again = (): void => {
      if (!claimed.signal.aborted) void begin(state, subject, Math.min(2 * againMs, seldomMs))
    }
    setTimeout(again, againMs).unref()
    return
  }
  const events = openEventLog(state.bus, () => state.holdOf(subject.userId))
  const run = runWatch({
    subject,
    watch: watchOf(stored, market, absenceCountsAfterSending(now()), now()),
    records: state.records,
    teller: { identity: subject, tell: events.tell, flight: {} },
    stored: events.stored,
    venue: () => venueOf(state, subject.botId),
    tradingState: () => tradingStateOf(state, subject),
    onAmended: () => state.doubts.close(subject),
    log: state.log,
  })
  state.running.set(key, run)
  venueOf(state, subject.botId)
  void run.ended.finally(() => {
    state.running.delete(key)
    state.doubts.close(subject)
    unfollow(state, subject.botId)
  })
}

/** A bot that is not known, or not yet, trades nothing. */
function tradingStateOf({ directory }: State, { userId, botId }: RecordSubject): TradingState {
  return directory.bot(userId, botId)?.tradingState ?? 'halted'
}

function forget({ records, doubts }: State, subject: RecordSubject): void {
  doubts.close(subject)
  void records.forget(subject).catch(() => undefined)
}

/** The bot's venue, whose stream is followed as long as there is a watch. */
function venueOf(state: State, botId: BotId): Venue | undefined {
  const venue = state.pool.client(botId)?.venue
  const known = state.following.get(botId)
  if (known?.follow === venue?.follow) return venue
  known?.stop()
  state.following.delete(botId)
  if (venue?.follow === undefined) return venue
  const stop = venue.follow((event) => hear(state, botId, event))
  state.following.set(botId, { follow: venue.follow, stop })
  return venue
}

function hear({ running, lone }: State, botId: BotId, event: VenueEvent): void {
  for (const run of running.values()) {
    if (run.subject.botId !== botId) continue
    if (event.kind === 'gap') {
      if (!run.isLone()) run.hear({ of: 'gap' })
    } else if (isOfAlert(event.order.clientOrderId, run.subject.alertId)) {
      run.hear({ of: 'news', order: event.order })
    }
  }
  if (event.kind === 'gap') lone.check(botId)
}

function unfollow({ running, following }: State, botId: BotId): void {
  if ([...running.values()].some(({ subject }) => subject.botId === botId)) return
  following.get(botId)?.stop()
  following.delete(botId)
}

async function endAll(
  { running, beginning, pool }: State,
  { accountKey, symbol }: { accountKey: string; symbol: string },
  canceled: Canceled,
): Promise<number> {
  const isThere = ({ subject }: { subject: RecordSubject }): boolean =>
    subject.symbol === symbol && pool.client(subject.botId)?.accountKey === accountKey
  await Promise.all([...beginning].filter(isThere).map(({ begun }) => begun))
  const meant = [...running.values()].filter(
    (run) => !run.isLone() && isThere(run) && isEndedBy(run, canceled),
  )
  const ended = await Promise.all(meant.map(async (run) => await run.release()))
  return ended.filter((hasEnded) => hasEnded).length
}

/** A group ends with all its orders; one of which an order is held with that, which no list shows. */
function isEndedBy({ openIds, held }: WatchRun, { clientOrderIds, command, alertId }: Canceled): boolean {
  if (command.which === 'all') return true
  const order = held()
  if (order !== undefined) return isMeant(order, command, alertId)
  const named = new Set(clientOrderIds)
  return openIds().every((id) => named.has(id))
}

function keyOf({ executionId, command }: RecordSubject): string {
  return `${executionId}.${command}`
}
