import { setTimeout as sleep } from 'node:timers/promises'
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
import type { Market } from './domain/market.ts'
import { watchOf } from './domain/watch.ts'
import type { Doubts } from './doubts.ts'
import { createLoneOrders, type LoneOrders } from './lone-orders.ts'
import type { Canceled, CanceledPlace, Watching } from './run-alert.ts'
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
  /** Watches that are about to run, until they do: whoever ends those of a symbol tries them first. */
  beginning: Set<Beginning>
  /** How the private streams of bots are followed that have watches. */
  following: Map<BotId, { follow: Venue['follow']; stop: () => void }>
  /** Partitions whose watches are ours. */
  claimed: Map<number, Claim>
  /** What is done from time to time while partitions are ours. */
  timers: NodeJS.Timeout[]
  lone: LoneOrders
}

interface Claim {
  /** Settles once what is recorded there has been read. */
  read: PromiseWithResolvers<void>
  /** Ends the waiting of those that could not begin yet. */
  left: AbortController
}

/** A watch that is about to run; an attempt answers whether it is over with that. */
interface Beginning {
  subject: RecordSubject
  attempt: () => Promise<boolean>
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
    begin: (subject) => begin(state, subject),
    end: async (place, canceled) => await endAll(state, place, canceled),
    claim: async (partitions) => await claim(state, partitions),
    leave: async (partition) => await leave(state, partition),
    count: () => [...running.values()].filter(({ isLone }) => !isLone()).length,
  }
}

async function claim(state: State, partitions: ReadonlySet<number>): Promise<void> {
  const claims = [...partitions].map((partition) => {
    const known = state.claimed.get(partition)
    const made = known ?? { read: Promise.withResolvers<void>(), left: new AbortController() }
    state.claimed.set(partition, made)
    return made
  })
  startTimers(state)
  for (const stored of await state.records.readAll(partitions)) begin(state, stored.subject, stored)
  for (const { read } of claims) read.resolve()
}

function startTimers(state: State): void {
  if (state.timers.length > 0) return
  state.timers.push(
    setInterval(() => void sweep(state), sweepEveryMs).unref(),
    setInterval(state.lone.checkAll, listEveryMs).unref(),
  )
}

async function leave(state: State, partition: number): Promise<void> {
  const claimed = state.claimed.get(partition)
  claimed?.left.abort()
  claimed?.read.resolve()
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

/** Goes on with a group once its bot has a client. One that is still being placed belongs to its alert. */
function begin(state: State, subject: RecordSubject, known?: StoredRecord): void {
  const claim = state.claimed.get(partitionOf(subject.userId))
  if (claim === undefined) return
  const at = known?.at ?? now()
  let first = known
  let underway: Promise<boolean> | undefined
  const attempt = async (): Promise<boolean> => {
    underway ??= tryToBegin(state, subject, at, first).finally(() => {
      underway = undefined
    })
    first = undefined
    return await underway
  }
  const beginning = { subject, attempt }
  state.beginning.add(beginning)
  void keepTrying(state, beginning, claim.left.signal).finally(() => state.beginning.delete(beginning))
}

async function keepTrying(
  { pool }: State,
  { subject: { botId }, attempt }: Beginning,
  left: AbortSignal,
): Promise<void> {
  for (let ms = beginAgainMs; !left.aborted && !(await attempt()); ms = Math.min(2 * ms, seldomMs)) {
    const over = sleep(ms, undefined, { signal: left, ref: false }).catch(() => undefined)
    const opened = pool.client(botId) === undefined ? await pool.whenOpen(botId, ms) : undefined
    if (opened === undefined) await over
  }
}

/** True where nothing more is to be done: it runs, or need not. */
async function tryToBegin(
  state: State,
  subject: RecordSubject,
  at: number,
  known: StoredRecord | undefined,
): Promise<boolean> {
  try {
    const before = state.running.get(keyOf(subject))
    // What one that was stopped still does shows in the record.
    if (before?.isStopped() === true) await before.ended
    const kept = before === undefined ? known : undefined
    const stored = kept ?? (await recall(state, subject, at))
    return stored === undefined || take(state, stored)
  } catch (error) {
    state.log.warn({ err: error, executionId: subject.executionId }, 'watch not begun yet')
    return false
  }
}

async function recall(
  { records }: State,
  subject: RecordSubject,
  at: number,
): Promise<StoredRecord | undefined> {
  const kept = await records.recall(subject)
  return kept && { ...kept, subject, at }
}

/** False where the bot has no client now, or none that knows the symbol. */
function take(state: State, stored: StoredRecord): boolean {
  const { subject, record } = stored
  if (!state.claimed.has(partitionOf(subject.userId)) || state.running.has(keyOf(subject))) return true
  if (isOutdated(stored, state.directory)) return forget(state, subject)
  if (record.state === 'done' || record.state === 'placing') {
    state.doubts.close(subject)
    return true
  }
  if (record.isUntold === true) state.doubts.open(subject, stored.at)
  const market = state.pool.client(subject.botId)?.venue.market(subject.symbol)
  if (market === undefined) return false
  run(state, stored, market)
  return true
}

function run(state: State, stored: StoredRecord, market: Market): void {
  const { subject } = stored
  const key = keyOf(subject)
  const events = openEventLog(state.bus, () => state.holdOf(subject.userId))
  const watchRun = runWatch({
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
  state.running.set(key, watchRun)
  venueOf(state, subject.botId)
  void watchRun.ended.finally(() => {
    state.running.delete(key)
    state.doubts.close(subject)
    unfollow(state, subject.botId)
  })
}

/** A bot that is not known, or not yet, trades nothing. */
function tradingStateOf({ directory }: State, { userId, botId }: RecordSubject): TradingState {
  return directory.bot(userId, botId)?.tradingState ?? 'halted'
}

function forget({ records, doubts }: State, subject: RecordSubject): true {
  doubts.close(subject)
  void records.forget(subject).catch(() => undefined)
  return true
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
  { running, beginning, claimed, pool }: State,
  { userId, accountKey, symbol }: CanceledPlace,
  canceled: Canceled,
): Promise<number> {
  await claimed.get(partitionOf(userId))?.read.promise
  const isThere = ({ subject }: { subject: RecordSubject }): boolean =>
    subject.symbol === symbol && pool.client(subject.botId)?.accountKey === accountKey
  await Promise.all([...beginning].filter(isThere).map(async ({ attempt }) => await attempt()))
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
