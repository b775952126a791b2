import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '@tripline/kit/time/clock'
import type { UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import type { TradingState } from '@tripline/proto/user-config'
import { watchedEntryNotes } from '../domain/execution/entry-notes.ts'
import { watchOf } from '../domain/group/watch.ts'
import { absenceCountsAfterSending } from '../domain/order/doubt.ts'
import { openEventLog } from '../store/event-log.ts'
import type { RecordSubject, StoredRecord } from '../store/record-store.ts'
import { protectedPositionOf } from './bare-positions.ts'
import { catchUp, unfollow, venueOf } from './follow.ts'
import { type BotSymbol, botSymbolKeyOf, keyOf } from './key.ts'
import { type Beginning, isOutdated, type WatchesState } from './state.ts'
import { type Exit, runWatch, type WatchRun, type WatchRunOptions } from './watch-run.ts'

/** Time before a watch whose bot has no client yet is tried again. */
const beginAgainMs = 1000
/** The same where there was none for long. */
const seldomMs = 60_000

/** Time for which a watch that ended with its position is named, longer than an order is asked for that closed it. */
const closedLatelyMs = 120_000

/** Knowledge of a watch before it begins. */
interface Beforehand {
  /** Its record as it was found when its partition was taken. */
  known?: StoredRecord
  /** It begins once this has settled, and not at all where it fails. */
  after?: Promise<void>
}

/** Continues a group once its bot has a client. One that is still being placed belongs to its alert. */
export function begin(state: WatchesState, subject: RecordSubject, { known, after }: Beforehand = {}): void {
  const claim = state.claimed.get(partitionOf(subject.userId))
  if (claim === undefined) return
  const at = known?.at ?? now()
  let first = known
  let underway: Promise<boolean> | undefined
  const isWanted = after?.then(
    () => true,
    () => false,
  )
  const attempt = async (): Promise<boolean> => {
    if (isWanted !== undefined && !(await isWanted)) return true
    underway ??= tryToBegin(state, { subject, at, isInherited: known !== undefined }, first).finally(() => {
      underway = undefined
    })
    first = undefined
    return await underway
  }
  const beginning = { subject, attempt }
  const place = botSymbolKeyOf(subject)
  state.beginning.add(place, beginning)
  void keepTrying(state, beginning, claim.left.signal).finally(() => state.beginning.delete(place, beginning))
}

/** The watches at these places, once the user's records have been read and those have begun that are about to. */
export async function begunAt(
  { claimed, beginning, running }: WatchesState,
  userId: UserId,
  places: () => readonly BotSymbol[],
): Promise<WatchRun[]> {
  await claimed.get(partitionOf(userId))?.read.promise
  const coming = places().flatMap((place) => [...beginning.of(botSymbolKeyOf(place))])
  await Promise.all(coming.map(async ({ attempt }) => await attempt()))
  return places().flatMap((place) => [...running.at(place)])
}

async function keepTrying(
  { pool }: WatchesState,
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
  state: WatchesState,
  { subject, at, isInherited }: Pick<WatchRunOptions, 'subject' | 'at' | 'isInherited'>,
  known: StoredRecord | undefined,
): Promise<boolean> {
  try {
    const before = state.running.get(keyOf(subject))
    // Last acts of a stopped watch show in the record.
    if (before?.isStopped() === true) await before.ended
    const found = before === undefined ? known : undefined
    const stored = found ?? (await state.records.recall(subject))
    return stored === undefined || take(state, { ...stored, subject, at }, isInherited)
  } catch (error) {
    state.log.warn({ err: error, executionId: subject.executionId }, 'watch not begun yet')
    return false
  }
}

/** False where the bot has no client now, or none that knows the symbol. */
function take(state: WatchesState, stored: StoredRecord, isInherited: boolean): boolean {
  const { subject, record } = stored
  if (!state.claimed.has(partitionOf(subject.userId)) || state.running.get(keyOf(subject)) !== undefined)
    return true
  if (isOutdated(stored, state.directory)) return forget(state, subject)
  if (record.state === 'done' || record.state === 'placing') {
    state.doubts.close(subject)
    return true
  }
  if (record.isUntold === true) state.doubts.open(subject, stored.at)
  const client = state.pool.client(subject.botId)
  const market = client?.venue.market(subject.symbol)
  if (client === undefined || market === undefined) return false
  const begun = watchOf(stored, { market, absence: client.absence }, absenceCountsAfterSending(now()), now())
  run(state, stored, { known: begun, isInherited })
  return true
}

function run(
  state: WatchesState,
  { subject, at }: StoredRecord,
  begun: Pick<WatchRunOptions, 'known' | 'isInherited'>,
): void {
  const events = openEventLog(state.bus, {
    hold: () => state.holdOf(subject.userId),
    emittedBefore: undefined,
  })
  const watchRun = runWatch({
    subject,
    ...begun,
    at,
    ...{ records: state.records, doubts: state.doubts, log: state.log },
    emit: events.emit,
    epoch: () => state.epochOf(subject.userId),
    stored: async () => {
      await events.stored()
      // Once its record is gone nothing asks for its orders any more.
      await state.entries.stored(subject.userId)
    },
    venue: () => venueOf(state, subject.botId),
    tradingState: () => tradingStateOf(state, subject),
    onEnded: (attempt) => {
      if (begun.known.market.kind === 'spot') return
      const { executionId, command } = subject
      for (const note of watchedEntryNotes(attempt, now()))
        state.entries.note(subject, { executionId, command }, note)
    },
  })
  state.running.add(watchRun)
  catchUp(state, watchRun)
  // The close of its position may have been reported before it began.
  const closes = watchRun.closes()
  if (closes?.isEnding === false && (begun.isInherited || !closes.isHeld)) state.closed.checkAt(subject)
  void watchRun.ended.finally(() => {
    state.running.delete(watchRun)
    noteClosed(state, watchRun)
    // A watch that was stopped is continued elsewhere.
    const protection = watchRun.protection()
    if (!watchRun.isStopped() && protection?.stop === 'missing')
      state.bare.note(protectedPositionOf(subject, protection))
    state.doubts.close(subject)
    unfollow(state, subject.botId)
  })
}

/** An order that closed a position may be found to be filled only once what was for that is ended. */
function noteClosed({ closedLately }: WatchesState, { subject, shownFrom, closed, ended }: WatchRun): void {
  const orders = closed()
  if (orders === undefined) return
  const one: Exit = {
    ...{ subject, shownFrom, ended },
    closes: () => undefined,
    closed: () => orders,
    endClosed: async () => true,
  }
  const place = botSymbolKeyOf(subject)
  closedLately.add(place, one)
  setTimeout(() => closedLately.delete(place, one), closedLatelyMs).unref()
}

/** A bot that is not known, or not yet, trades nothing. */
function tradingStateOf({ directory }: WatchesState, { userId, botId }: RecordSubject): TradingState {
  return directory.bot(userId, botId)?.tradingState ?? 'halted'
}

function forget({ records, doubts }: WatchesState, subject: RecordSubject): true {
  doubts.close(subject)
  void records.forget(subject).catch(() => undefined)
  return true
}
