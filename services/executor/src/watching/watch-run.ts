import type { Log } from '@tripline/kit/telemetry/log'
import { leaptWithin, now } from '@tripline/kit/time/clock'
import type { TradingState } from '@tripline/proto/user-config'
import { amendedOutcome } from '../domain/execution/amendment.ts'
import { heldIn } from '../domain/group/alternating-pair.ts'
import { type ClosedOrders, type Closes, closedWithPosition, closesOf } from '../domain/group/closing.ts'
import { mayBeSeveral } from '../domain/group/group.ts'
import { isLone, type Leg, type LegsRecord } from '../domain/group/legs-record.ts'
import type { OwnExit, StandingAgain } from '../domain/group/own-exits.ts'
import { type Protection, protectionIn } from '../domain/group/protection.ts'
import {
  dissolved,
  listMs,
  type Notice,
  unquoted,
  type Watch,
  type WatchStep,
  withRecord,
} from '../domain/group/watch.ts'
import { observeWatch, type WatchObservation } from '../domain/group/watch-observe.ts'
import { nextPermitted } from '../domain/group/watch-permit.ts'
import {
  heardOf,
  ownExitOf,
  returnedFrom,
  sellingFor,
  standingOf,
  takenFor,
} from '../domain/group/watch-taken.ts'
import { type Attempt, isOpenOrder } from '../domain/order/attempt.ts'
import { believed, leapMs } from '../domain/order/doubt.ts'
import { isTerminal, type OrderRef, restingOrder, type VenueOrder } from '../domain/order/order.ts'
import { commandEvent, type Emitter, emitAcknowledged, emitAlarm, emitEnd, emitSent } from '../run/emit.ts'
import type { RecordStore, RecordSubject } from '../store/record-store.ts'
import type { Venue } from '../venue/venue.ts'
import { keyOf } from './key.ts'

/** Interval of asking the venue for what its stream may have left out. */
const reconcileMs = 30_000
/** The same where it has no stream. */
const pollMs = 2000
/** Interval of asking the market where an order waits for its price. */
const quoteMs = 1000
/** Pause where others do the work. */
const longMs = 3_600_000
/** Time before something failed is tried again, such as a venue that cannot be reached. */
const againMs = 1000

export interface WatchRunOptions {
  subject: RecordSubject
  watch: Watch
  /** When its record was written. */
  at: number
  /**
   * Somebody else may have decided on its orders, and knows of fills that readings of the account may lack; its command
   * may be gone through again, and ask for the record.
   */
  isInherited: boolean
  records: RecordStore
  emitter: Emitter
  /** Settles once everything told so far is stored. */
  stored: () => Promise<void>
  /** The venue of the bot; undefined while there is none. */
  venue: () => Venue | undefined
  /** Trading state of the bot now. */
  tradingState: () => TradingState
  /** It was told what turned out of a command that was given up as unknown. */
  onAmended: () => void
  /** One of its orders has ended, or is not known to the exchange any more. */
  onEnded: (attempt: Attempt) => void
  log: Log
}

/** A watch that runs: it hears of what happens, and can be ended. */
export interface WatchRun {
  subject: RecordSubject
  receive: (observation: WatchObservation) => void
  /** Hears what was told of its orders before it was there; false where one that may be open was not told of. */
  catchUp: (toldNow: (ref: OrderRef) => VenueOrder | undefined) => boolean
  /** True where an order was placed so lately that it is yet to be told of: it is asked for by itself if it is not. */
  isAwaited: () => boolean
  /** Looks anew at what the bot may do. */
  consider: () => void
  /** True for an order that rests by itself, which others list among its like. */
  isLone: () => boolean
  /** The ids of the orders that may be open. */
  openIds: () => string[]
  /** The order that is sent once its price is reached, as if it was at the exchange; undefined where there is none. */
  held: () => VenueOrder | undefined
  /** Lets the orders of a group go, of which no one ends another from then on; false where they were let go before. */
  release: () => Promise<boolean>
  /** Readings that are asked for from then on, by our clock, show the position that its orders were decided on. */
  shownFrom: number
  /** The position that its orders can only make smaller; undefined where they may do anything else. */
  closes: () => Closes | undefined
  /** Returns the orders that ended with that position; undefined while it is not known to be closed. */
  closed: () => ClosedOrders | undefined
  /** That position was seen to be held. */
  sawHeld: () => void
  /** Ends its orders, since that position is closed; true once that is recorded, whoever did it. */
  endClosed: () => Promise<boolean>
  /** True while its orders are taken back for a sale. */
  isTakenBack: () => boolean
  /** Its orders as a sale may take them back; undefined where it may not. */
  ownExit: () => OwnExit | undefined
  /** State of its orders that were taken back for a sale. */
  standing: () => StandingAgain
  /** Takes its orders back for a sale; settles once they are away, or that takes time. */
  takeBack: (by: string) => Promise<void>
  /** Notes that this sale may be sent from now on. */
  beginSale: (by: string) => Promise<void>
  /** That sale has ended: so many of their coins stand again at most, or all. */
  giveBack: (by: string, left: string | undefined) => Promise<void>
  /** State of its stop; undefined where there is none, or a message let it go. */
  protection: () => Protection | undefined
  /** A message cancels its orders: that no stop stands then is as ordered. */
  letGo: () => void
  /** Ends the watch for good, since its bot is no more; settles once nothing goes on. */
  abandon: () => Promise<void>
  stop: () => void
  /** True once it goes on with nothing new. */
  isStopped: () => boolean
  ended: Promise<void>
}

interface WatchRunState extends WatchRunOptions {
  isStopped: boolean
  isSeenHeld: boolean
  closed: ClosedOrders | undefined
  isLetGo: boolean
  wake: () => void
  toldEnds: Set<string>
  /** Trading state of the bot at the last look. */
  knownAs: TradingState
  /** Last notice of a withheld step, as the bot is paused or halted; emitted once. */
  emittedWithheld: string | undefined
  /** Steps, and a release from outside, take turns. */
  turn: Promise<unknown>
  /** When the venue was last asked for all open orders of the symbol. */
  listedAt: number
}

/** Runs a watch until its group is done. */
export function runWatch(options: WatchRunOptions): WatchRun {
  const state = newState(options)
  const ended = goOn(state)
  return {
    subject: options.subject,
    receive: (observation) => {
      observe(state, observation)
      state.wake()
    },
    catchUp: (toldNow) => catchUp(state, toldNow),
    isAwaited: () =>
      now() - options.at < listMs && mayBeOpen(state).every(({ doubt }) => doubt !== undefined),
    consider: () => consider(state),
    isLone: () => isLone(state.watch.kept.record),
    openIds: () => openIdsIn(state),
    held: () => {
      const held = heldIn(state.watch.kept.record)
      return held && restingOrder(held.plan)
    },
    release: async () => await inTurn(state, async () => await release(state)),
    shownFrom: options.at + (options.isInherited ? options.watch.absence.readsLagMs : 0),
    closes: () => closesIn(state),
    closed: () => state.closed,
    sawHeld: () => {
      state.isSeenHeld = true
    },
    endClosed: async () => await inTurn(state, async () => await endClosed(state)),
    isTakenBack: () => state.watch.kept.record.takenBack !== undefined,
    ownExit: () => ownExitOf(keyOf(options.subject), state.watch),
    standing: () => standingOf(keyOf(options.subject), state.watch),
    takeBack: async (by) => await inTurn(state, async () => await takeBack(state, by)),
    beginSale: async (by) => await inTurn(state, async () => await beginSale(state, by)),
    giveBack: async (by, left) => await inTurn(state, async () => await giveBack(state, by, left)),
    protection: () => (state.isLetGo ? undefined : protectionIn(state.watch)),
    letGo: () => {
      state.isLetGo = true
    },
    abandon: async () => {
      stop(state)
      await ended
      if (!isLone(state.watch.kept.record)) emitAbandoned(state)
      await state.stored()
    },
    stop: () => stop(state),
    isStopped: () => state.isStopped,
    ended,
  }
}

function newState(options: WatchRunOptions): WatchRunState {
  const closes = closesOf(options.watch)
  return {
    ...options,
    isStopped: false,
    isSeenHeld: false,
    closed: closes?.isEnding === true ? closedNow(options, closes) : undefined,
    isLetGo: false,
    wake: () => undefined,
    toldEnds: new Set(),
    knownAs: options.tradingState(),
    emittedWithheld: undefined,
    turn: Promise.resolve(),
    listedAt: now(),
  }
}

function closedNow(state: Pick<WatchRunState, 'watch'>, closes: Closes): ClosedOrders {
  return { at: now(), closes, clientOrderIds: openIdsIn(state) }
}

function openIdsIn(state: Pick<WatchRunState, 'watch'>): string[] {
  return mayBeOpen(state).map(({ ref }) => ref.clientOrderId)
}

function mayBeOpen({ watch }: Pick<WatchRunState, 'watch'>): readonly Attempt[] {
  return watch.attempts.filter(({ found }) => found === undefined || !isTerminal(found))
}

function catchUp(state: WatchRunState, toldNow: (ref: OrderRef) => VenueOrder | undefined): boolean {
  const orders = mayBeOpen(state).map(({ ref }) => toldNow(ref))
  for (const order of orders) if (order !== undefined) observe(state, { of: 'news', order })
  state.wake()
  return orders.every((order) => order !== undefined)
}

async function release(state: WatchRunState): Promise<boolean> {
  const { record, revision } = state.watch.kept
  const isAway = record.takenBack !== undefined
  if (record.state === 'done' || (isLone(record) && !isAway)) return false
  await change(state, dissolved(state.watch), revision, { text: 'ended by a cancel', isAlarm: false })
  state.wake()
  return true
}

function closesIn({ watch, isSeenHeld }: WatchRunState): Closes | undefined {
  const closes = closesOf(watch)
  return closes && { ...closes, isHeld: closes.isHeld || isSeenHeld }
}

async function endClosed(state: WatchRunState): Promise<boolean> {
  let closed: ClosedOrders | undefined
  for (;;) {
    const { record, revision } = state.watch.kept
    if (record.isClosed === true) {
      state.closed ??= closed
      return true
    }
    const closes = closesOf(state.watch)
    if (state.isStopped || closes === undefined) return false
    closed = closedNow(state, closes)
    const orders = isLone(record) && record.legs.length === 1 ? 'order is' : 'orders are'
    const notice = { text: `the position is closed, so the ${orders} canceled`, isAlarm: false }
    // Another record that lies there is looked at anew.
    await change(state, closedWithPosition(record), revision, notice)
    state.wake()
  }
}

async function takeBack(state: WatchRunState, by: string): Promise<void> {
  await changeTo(state, takenFor(state.watch, by), 'taken back for a sale')
  state.watch = heardOf(state.watch, by)
  if (state.watch.kept.record.takenBack?.by === by) await goOnAtOnce(state)
}

async function beginSale(state: WatchRunState, by: string): Promise<void> {
  await changeTo(state, sellingFor(state.watch, by))
}

async function giveBack(state: WatchRunState, by: string, left: string | undefined): Promise<void> {
  await changeTo(state, returnedFrom(state.watch, by, left))
  if (state.watch.kept.record.takenBack?.by === by) await goOnAtOnce(state)
}

async function changeTo(state: WatchRunState, record: LegsRecord | undefined, text?: string): Promise<void> {
  const notice = text === undefined ? undefined : { text, isAlarm: false }
  if (record !== undefined) await change(state, record, state.watch.kept.revision, notice)
}

/** Does what is next for orders that are taken back, as far as nothing is to be waited for. */
async function goOnAtOnce(state: WatchRunState): Promise<void> {
  while (!state.isStopped) {
    const { step } = nextPermitted(state.watch, state.tradingState(), now())
    if (step.do === 'wait' || step.do === 'rest' || step.do === 'end') break
    if (!(await perform(state))) break
  }
  state.wake()
}

function stop(state: WatchRunState): void {
  state.isStopped = true
  state.wake()
}

function emitAbandoned(state: WatchRunState): void {
  const text = 'not watched any more since its bot was unlinked, the orders stay at the exchange'
  emitChange(state, 'group-abandoned', { text, isAlarm: false })
}

function consider(state: WatchRunState): void {
  const { watch, knownAs, isStopped } = state
  if (isStopped) return
  const { record, revision } = watch.kept
  state.knownAs = state.tradingState()
  state.watch = unquoted(watch)
  if (state.knownAs === 'halted' && knownAs !== 'halted' && !isLone(record)) {
    const text =
      'the bot is halted: the orders stay at the exchange, one that fills ends the others, and nothing new is sent till it trades again'
    emitChange(state, `group-halted-${revision}`, { text, isAlarm: false })
  }
  state.wake()
}

/** Emits what became of a group; what a person should look at is an alarm, and no news beside it. */
function emitChange({ subject, emitter }: WatchRunState, phase: string, { text, isAlarm }: Notice): void {
  if (isAlarm) emitAlarm(subject, { name: phase, text }, emitter)
  else emitter.emit({ kind: 'group.changed', ...commandEvent(subject, emitter, phase), text })
}

async function goOn(state: WatchRunState): Promise<void> {
  while (!state.isStopped) {
    const { step, withheld } = nextPermitted(state.watch, state.tradingState(), now())
    if (withheld !== undefined) emitWithheld(state, withheld)
    if (step.do === 'end') return
    if (step.do === 'wait') await sleep(state, step.until - now())
    else if (step.do === 'rest') await rest(state)
    else if (!(await inTurn(state, async () => await perform(state)))) await sleep(state, againMs)
  }
}

function emitWithheld(state: WatchRunState, withheld: Notice): void {
  const { revision } = state.watch.kept
  const what = `${revision} ${withheld.text}`
  if (state.emittedWithheld === what) return
  state.emittedWithheld = what
  emitChange(state, `group-withheld-${revision}`, withheld)
}

async function inTurn<Value>(state: WatchRunState, act: () => Promise<Value>): Promise<Value> {
  const mine = state.turn.then(act)
  state.turn = mine.catch(() => undefined)
  return await mine
}

async function sleep(state: WatchRunState, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(true), Math.max(0, ms)).unref()
  state.wake = () => resolve(false)
  const isOver = await promise
  clearTimeout(timer)
  return isOver
}

/** Waits for something to happen; from time to time the venue is asked whether it told everything. */
async function rest(state: WatchRunState): Promise<void> {
  const venue = state.venue()
  if (isLone(state.watch.kept.record)) return void (await sleep(state, longMs))
  const listMs = venue?.follow === undefined ? pollMs : reconcileMs
  const isHolding = heldIn(state.watch.kept.record) !== undefined
  const isOver = await sleep(state, isHolding ? quoteMs : listMs)
  if (!isOver || state.isStopped || venue === undefined) return
  const quote = isHolding ? await venue.quotes?.ask(state.subject.symbol) : undefined
  if (quote !== undefined) observe(state, { of: 'quote', quote })
  if (isHolding && now() - state.listedAt < listMs) return
  state.listedAt = now()
  const open = await venue.openOrders(state.subject.symbol)
  if (open.outcome === 'read') observe(state, { of: 'list', orders: open.orders })
}

/** Does what is next, now that it is our turn; false where that could not be done now. */
async function perform(state: WatchRunState): Promise<boolean> {
  const { watch, log, subject } = state
  const { step } = nextPermitted(watch, state.tradingState(), now())
  try {
    switch (step.do) {
      case 'amend':
        await amend(state)
        return true
      case 'record':
        if (isLone(watch.kept.record) && step.record.state === 'done') await finishLone(state, step)
        else await change(state, step.record, step.over, step.notice)
        return true
      case 'place':
      case 'placePair':
      case 'lookUp':
      case 'cancel':
      case 'quote':
        return await act(state, step)
      default:
        return true
    }
  } catch (error) {
    log.error({ err: error, executionId: subject.executionId, step: step.do }, 'watch could not go on yet')
    return false
  }
}

async function act(
  state: WatchRunState,
  step: Extract<WatchStep, { do: 'place' | 'placePair' | 'lookUp' | 'cancel' | 'quote' }>,
): Promise<boolean> {
  const venue = state.venue()
  if (venue === undefined) return false
  switch (step.do) {
    case 'lookUp': {
      const askedAt = now()
      const lookUp = believed(await venue.lookUp(step.ref, step.depth), leaptWithin(leapMs))
      observe(state, { of: 'lookUp', ref: step.ref, lookUp, askedAt })
      return true
    }
    case 'cancel':
      observe(state, { of: 'cancel', ref: step.ref, cancellation: await venue.cancel(step.ref) })
      return true
    case 'place':
      await place(state, step.leg, venue)
      return true
    case 'placePair':
      await placePair(state, step.pair, venue)
      return true
    case 'quote':
      observe(state, { of: 'quote', quote: (await venue.quotes?.askAnew(state.subject.symbol)) ?? null })
      return true
  }
}

async function place(state: WatchRunState, { decision }: Leg, venue: Venue): Promise<void> {
  const { subject, emitter } = state
  const sentAfter = now()
  let sentAt = sentAfter
  const onSent = (): void => {
    sentAt = now()
    emitSent(subject, decision, sentAt, emitter)
  }
  // While it waited for its turn, the bot may have been halted, and its orders may have changed.
  const isPermitted = (): boolean =>
    !state.isStopped && nextPermitted(state.watch, state.tradingState(), now()).step.do === 'place'
  const placement = await venue.place(decision.plan, onSent, isPermitted)
  if (placement.outcome === 'done')
    emitAcknowledged(subject, placement.order, sentAt, emitter, placement.source)
  observe(state, { of: 'place', clientOrderId: decision.plan.clientOrderId, placement, sentAfter })
}

async function placePair(state: WatchRunState, pair: readonly [Leg, Leg], venue: Venue): Promise<void> {
  const { subject, emitter } = state
  if (venue.placeOco === undefined) throw new Error('the venue keeps no pairs')
  const sentAfter = now()
  let sentAt = sentAfter
  const onSent = (): void => {
    sentAt = now()
    for (const { decision } of pair) emitSent(subject, decision, sentAt, emitter)
  }
  const isPermitted = (): boolean =>
    !state.isStopped && nextPermitted(state.watch, state.tradingState(), now()).step.do === 'placePair'
  const [one, other] = pair
  const placements = await venue.placeOco([one.decision.plan, other.decision.plan], onSent, isPermitted)
  for (const [index, placement] of placements.entries()) {
    const { clientOrderId } = (index === 0 ? one : other).decision.plan
    if (placement.outcome === 'done')
      emitAcknowledged(subject, placement.order, sentAt, emitter, placement.source)
    observe(state, { of: 'place', clientOrderId, placement, sentAfter })
  }
}

function observe(state: WatchRunState, observation: WatchObservation): void {
  state.watch = observeWatch(state.watch, observation, now())
  for (const attempt of state.watch.attempts) {
    const { ref, found } = attempt
    if (found === undefined || !isTerminal(found) || state.toldEnds.has(ref.clientOrderId)) continue
    state.toldEnds.add(ref.clientOrderId)
    state.onEnded(attempt)
    emitEnd(state.subject, found, state.emitter)
  }
}

/** Takes the record away once the end of its order is told, where nobody will ask for it. */
async function finishLone(
  state: WatchRunState,
  { record, over, notice }: Extract<WatchStep, { do: 'record' }>,
): Promise<void> {
  const { records, stored, subject } = state
  if (mayBeSeveral(subject.type)) return await change(state, record, over, notice)
  if (notice !== undefined) emitChange(state, 'ended', notice)
  for (const attempt of state.watch.attempts) if (attempt.found === undefined) state.onEnded(attempt)
  await stored()
  await records.forget(subject)
  state.watch = withRecord(state.watch, { record, revision: over })
}

/**
 * Writes the record, and emits why; one that is done goes where nobody will ask for it. Another record that lies there
 * counts instead.
 */
async function change(
  state: WatchRunState,
  record: LegsRecord,
  over: number,
  notice: Notice | undefined,
): Promise<void> {
  const { records, subject, isInherited } = state
  if (record.state === 'done') await state.stored()
  const revision = await records.write(subject, record, over, now())
  if (revision === undefined) {
    const kept = await records.recall(subject)
    const gone = { record: { ...record, state: 'done' as const }, revision: over }
    state.watch = withRecord(state.watch, kept ?? gone)
    return
  }
  state.watch = withRecord(state.watch, { record, revision })
  if (notice !== undefined) emitChange(state, `group-${over}`, notice)
  if (record.state === 'done' && !isInherited) await records.forget(subject)
}

/** Emits what turned out of a command that was given up. */
async function amend(state: WatchRunState): Promise<void> {
  const { subject, emitter, watch } = state
  const outcome = amendedOutcome(watch, subject.type)
  emitter.emit({ kind: 'command.amended', ...commandEvent(subject, emitter, 'amended'), outcome })
  state.onAmended()
  const { isUntold: _emitted, ...record } = watch.kept.record
  const isOnlyOne = record.legs.length === 1 && watch.attempts.some(isOpenOrder)
  // A pair whose first order never arrived sends no other: the command is reported as failed.
  const isNothing = record.turn !== undefined && watch.attempts.every(({ found }) => found === undefined)
  const after = {
    ...record,
    ...(isOnlyOne && { isLone: true }),
    ...(isNothing && { state: 'done' as const }),
  }
  await change(state, after, watch.kept.revision, undefined)
}
