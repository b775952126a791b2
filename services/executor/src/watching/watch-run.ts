import type { Log } from '@tripline/kit/telemetry/log'
import { now } from '@tripline/kit/time/clock'
import type { TradingState } from '@tripline/proto/user-config'
import { amendedOutcome } from '../domain/execution/amendment.ts'
import { heldIn } from '../domain/group/alternating-pair.ts'
import { type ClosedOrders, type Closes, closedWithPosition, closesOf } from '../domain/group/closing.ts'
import { mayBeSeveral } from '../domain/group/group.ts'
import { isLone, type LegsRecord } from '../domain/group/legs-record.ts'
import { type Protection, protectionIn } from '../domain/group/protection.ts'
import {
  dissolved,
  listMs,
  type Notice,
  unquoted,
  type Watch,
  type WatchStep,
} from '../domain/group/watch.ts'
import { endedIn, watchEventsOf } from '../domain/group/watch-events.ts'
import { observeWatch, type WatchObservation } from '../domain/group/watch-observe.ts'
import { nextPermitted, type PermittedStep } from '../domain/group/watch-permit.ts'
import { returnedFrom, sellingFor, takenFor, withoutAwaiting } from '../domain/group/watch-taken.ts'
import { type Attempt, isOpenOrder } from '../domain/order/attempt.ts'
import { isTerminal, type OrderRef, type VenueOrder } from '../domain/order/order.ts'
import type { Doubts } from '../monitoring/doubts.ts'
import { loop, type Subject, take } from '../run/loop.ts'
import { cancel, lookUp, place, placePair } from '../run/venue-acts.ts'
import type { EventLog } from '../store/event-log.ts'
import type { RecordStore, RecordSubject } from '../store/record-store.ts'
import type { Venue } from '../venue/venue.ts'

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
  /** The watch as it begins. */
  known: Watch
  /** When its record was written. */
  at: number
  /**
   * Another owner may have decided on its orders, and know of fills that readings of the account may lack; its command
   * may be gone through again, and ask for the record.
   */
  isInherited: boolean
  records: RecordStore
  emit: EventLog['emit']
  epoch: Subject<Watch, WatchObservation>['epoch']
  /** Settles once every event emitted so far is stored. */
  stored: () => Promise<void>
  /** The venue of the bot; undefined while there is none. */
  venue: () => Venue | undefined
  /** Trading state of the bot now. */
  tradingState: () => TradingState
  doubts: Pick<Doubts, 'close'>
  /** One of its orders has ended, or is not known to the exchange any more. */
  onEnded: (attempt: Attempt) => void
  log: Log
}

interface WatchRunState extends WatchRunOptions, Subject<Watch, WatchObservation> {
  isStopped: boolean
  isSeenHeld: boolean
  closed: ClosedOrders | undefined
  isLetGo: boolean
  wake: () => void
  /** Trading state of the bot at the last look. */
  knownAs: TradingState
  /** Steps, and a release from outside, take turns. */
  turn: Promise<unknown>
  /** When the venue was last asked for all open orders of the symbol. */
  listedAt: number
}

/** A watch that runs: it receives what happens, and can be ended. */
export type WatchRun = ReturnType<typeof runWatch>

/** Orders of an earlier command that can only make a position smaller, and are watched, or were till lately. */
export interface Exit extends Pick<WatchRun, 'shownFrom' | 'closes' | 'closed' | 'endClosed' | 'ended'> {
  subject: Pick<RecordSubject, 'executionId' | 'command'>
}

/** Runs a watch until its group is done. */
export function runWatch(options: WatchRunOptions) {
  const state = newState(options)
  const { subject, at, isInherited } = options
  const ended = goOn(state)
  return {
    subject,
    receive: (observation: WatchObservation): void => {
      take(state, observation)
      state.wake()
    },
    /** Receives the reports on its orders from before it was there; false where one that may be open was not reported. */
    catchUp: (currentUpdateOf: (ref: OrderRef) => VenueOrder | undefined): boolean =>
      catchUp(state, currentUpdateOf),
    /** True where an order was placed so lately that it is yet to be reported: if it is not, it is looked up by itself. */
    isAwaited: (): boolean =>
      now() - at < listMs && mayBeOpen(state.known).every(({ doubt }) => doubt !== undefined),
    /** Looks anew at what the bot may do. */
    consider: (): void => consider(state),
    known: (): Watch => state.known,
    /** True for an order that rests by itself, which others list among its like. */
    isLone: (): boolean => isLone(state.known.stored.record),
    /** Releases the orders of a group, of which none ends another from then on; false where they were released before. */
    release: async (): Promise<boolean> => await inTurn(state, async () => await release(state)),
    /** Readings that are asked for from then on, by our clock, show the position that its orders were decided on. */
    shownFrom: at + (isInherited ? options.known.absence.readsLagMs : 0),
    /** The position that its orders can only make smaller; undefined where they may do anything else. */
    closes: (): Closes | undefined => {
      const closes = closesOf(state.known)
      return closes && { ...closes, isHeld: closes.isHeld || state.isSeenHeld }
    },
    /** Returns the orders that ended with that position; undefined while it is not known to be closed. */
    closed: (): ClosedOrders | undefined => state.closed,
    /** That position was seen to be held. */
    sawHeld: (): void => {
      state.isSeenHeld = true
    },
    /** Ends its orders, since that position is closed; true once that is recorded, by this call or another. */
    endClosed: async (): Promise<boolean> => await inTurn(state, async () => await endClosed(state)),
    /** Takes its orders back for a sale; settles once they are away, or that takes time. */
    takeBack: async (by: string): Promise<void> => await inTurn(state, async () => await takeBack(state, by)),
    /** Notes that this sale may be sent from now on. */
    beginSale: async (by: string): Promise<void> =>
      await inTurn(state, async () => await changeTo(state, sellingFor(state.known, by))),
    /** That sale has ended: so many of their coins stand again at most, or all. */
    giveBack: async (by: string, left: string | undefined): Promise<void> =>
      await inTurn(state, async () => await giveBack(state, by, left)),
    /** State of its stop; undefined where there is none, or a message let it go. */
    protection: (): Protection | undefined => (state.isLetGo ? undefined : protectionIn(state.known)),
    /** A message cancels its orders: that no stop stands then is as ordered. */
    letGo: (): void => {
      state.isLetGo = true
    },
    /** Ends the watch, since its bot was unlinked; settles once nothing goes on. */
    abandon: async (): Promise<void> => {
      stop(state)
      await ended
      const text = 'not watched any more since its bot was unlinked, the orders stay at the exchange'
      if (!isLone(state.known.stored.record)) emitChange(state, 'group-abandoned', { text, isAlarm: false })
      await state.stored()
    },
    stop: (): void => stop(state),
    /** True once it begins nothing new. */
    isStopped: (): boolean => state.isStopped,
    ended,
  }
}

function newState(options: WatchRunOptions): WatchRunState {
  const { subject, known, doubts, onEnded } = options
  const closes = closesOf(known)
  return {
    ...options,
    identity: subject,
    observe: observeWatch,
    eventsOf: (scene, ...changed) => watchEventsOf({ ...scene, about: subject }, ...changed),
    note: (before, observation, after) => {
      if (observation.of === 'amended') doubts.close(subject)
      for (const attempt of endedIn(before, after)) onEnded(attempt)
    },
    isStopped: false,
    isSeenHeld: false,
    closed: closes?.isEnding === true ? closedNow(known, closes) : undefined,
    isLetGo: false,
    wake: () => undefined,
    knownAs: options.tradingState(),
    turn: Promise.resolve(),
    listedAt: now(),
  }
}

function closedNow(watch: Watch, closes: Closes): ClosedOrders {
  return { at: now(), closes, clientOrderIds: openIdsIn(watch) }
}

/** Returns the ids of the orders that may be open. */
export function openIdsIn(watch: Watch): string[] {
  return mayBeOpen(watch).map(({ ref }) => ref.clientOrderId)
}

function mayBeOpen({ attempts }: Watch): readonly Attempt[] {
  return attempts.filter(({ found }) => found === undefined || !isTerminal(found))
}

function catchUp(state: WatchRunState, currentUpdateOf: (ref: OrderRef) => VenueOrder | undefined): boolean {
  const orders = mayBeOpen(state.known).map(({ ref }) => currentUpdateOf(ref))
  for (const order of orders) if (order !== undefined) take(state, { of: 'update', order })
  state.wake()
  return orders.every((order) => order !== undefined)
}

async function release(state: WatchRunState): Promise<boolean> {
  const { record, revision } = state.known.stored
  const isAway = record.takenBack !== undefined
  if (record.state === 'done' || (isLone(record) && !isAway)) return false
  await change(state, dissolved(state.known), revision, { text: 'ended by a cancel', isAlarm: false })
  state.wake()
  return true
}

async function endClosed(state: WatchRunState): Promise<boolean> {
  let closed: ClosedOrders | undefined
  for (;;) {
    const { record, revision } = state.known.stored
    if (record.isClosed === true) {
      state.closed ??= closed
      return true
    }
    const closes = closesOf(state.known)
    if (state.isStopped || closes === undefined) return false
    closed = closedNow(state.known, closes)
    const orders = isLone(record) && record.legs.length === 1 ? 'order is' : 'orders are'
    const notice = { text: `the position is closed, so the ${orders} canceled`, isAlarm: false }
    // Another record that is stored there is looked at anew.
    await change(state, closedWithPosition(record), revision, notice)
    state.wake()
  }
}

async function takeBack(state: WatchRunState, by: string): Promise<void> {
  await changeTo(state, takenFor(state.known, by), 'taken back for a sale')
  state.known = withoutAwaiting(state.known, by)
  if (state.known.stored.record.takenBack?.by === by) await goOnAtOnce(state)
}

async function giveBack(state: WatchRunState, by: string, left: string | undefined): Promise<void> {
  await changeTo(state, returnedFrom(state.known, by, left))
  if (state.known.stored.record.takenBack?.by === by) await goOnAtOnce(state)
}

async function changeTo(state: WatchRunState, record: LegsRecord | undefined, text?: string): Promise<void> {
  const notice = text === undefined ? undefined : { text, isAlarm: false }
  if (record !== undefined) await change(state, record, state.known.stored.revision, notice)
}

function stop(state: WatchRunState): void {
  state.isStopped = true
  state.wake()
}

function consider(state: WatchRunState): void {
  const { known, knownAs, isStopped } = state
  if (isStopped) return
  const { record, revision } = known.stored
  state.knownAs = state.tradingState()
  state.known = unquoted(known)
  if (state.knownAs === 'halted' && knownAs !== 'halted' && !isLone(record)) {
    const text =
      'the bot is halted: the orders stay at the exchange, one that fills ends the others, and nothing new is sent till it trades again'
    emitChange(state, `group-halted-${revision}`, { text, isAlarm: false })
  }
  state.wake()
}

/** Emits a change of a group. */
function emitChange(state: WatchRunState, phase: string, notice: Notice): void {
  take(state, { of: 'change', phase, notice })
}

async function goOn(state: WatchRunState): Promise<void> {
  await loop(state, {
    decide: () => {
      if (state.isStopped) return undefined
      const { step, withheld } = nextNow(state)
      if (withheld !== undefined) emitChange(state, `group-withheld-${state.known.stored.revision}`, withheld)
      return step.do === 'end' ? undefined : step
    },
    act: async (step) => {
      if (step.do === 'wait') await sleep(state, step.until - now())
      else if (step.do === 'rest') await rest(state)
      else
        await inTurn(state, async () => {
          const observation = await perform(state, nextNow(state).step)
          if (observation !== undefined) take(state, observation)
        })
      return undefined
    },
    onError: async (error, step) => {
      noteError(state, error, step)
      await sleep(state, againMs)
    },
  })
}

/** Does what is next for orders that are taken back, as far as nothing is to be waited for. */
async function goOnAtOnce(state: WatchRunState): Promise<void> {
  let isOver = false
  await loop(state, {
    decide: () => {
      const { step } = nextNow(state)
      const isIdle = step.do === 'wait' || step.do === 'rest' || step.do === 'end'
      return isOver || isIdle || state.isStopped ? undefined : step
    },
    act: async (step) => await perform(state, step),
    onError: (error, step) => {
      isOver = true
      noteError(state, error, step)
    },
  })
  state.wake()
}

function noteError({ log, subject }: WatchRunState, error: unknown, step: WatchStep | undefined): void {
  const { executionId } = subject
  log.error({ err: error, executionId, step: step?.do }, 'watch could not go on yet')
}

/** The step that is due; where nothing can be asked of its venue now, that is some time later. */
function nextNow(state: WatchRunState): PermittedStep {
  const next = dueIn(state)
  const later = { do: 'wait', until: now() + againMs } as const
  return isAtVenue(next.step) && state.venue() === undefined ? { ...next, step: later } : next
}

function dueIn({ known, tradingState }: WatchRunState): PermittedStep {
  return nextPermitted(known, tradingState(), now())
}

type VenueStep = Extract<WatchStep, { do: 'place' | 'placePair' | 'lookUp' | 'cancel' | 'quote' }>

function isAtVenue(step: WatchStep): step is VenueStep {
  return ['place', 'placePair', 'lookUp', 'cancel', 'quote'].includes(step.do)
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

/** Waits for something to happen; from time to time the venue is asked whether it reported everything. */
async function rest(state: WatchRunState): Promise<void> {
  const venue = state.venue()
  if (isLone(state.known.stored.record)) return void (await sleep(state, longMs))
  const listMs = venue?.follow === undefined ? pollMs : reconcileMs
  const isHolding = heldIn(state.known.stored.record) !== undefined
  const isOver = await sleep(state, isHolding ? quoteMs : listMs)
  if (!isOver || state.isStopped || venue === undefined) return
  const quote = isHolding ? await venue.quotes?.ask(state.subject.symbol) : undefined
  if (quote !== undefined) take(state, { of: 'quote', quote })
  if (isHolding && now() - state.listedAt < listMs) return
  state.listedAt = now()
  const open = await venue.openOrders(state.subject.symbol)
  if (open.outcome === 'read') take(state, { of: 'list', orders: open.orders })
}

async function perform(state: WatchRunState, step: WatchStep): Promise<WatchObservation | undefined> {
  if (step.do === 'amend') return await amend(state)
  if (step.do === 'record') return await record(state, step)
  const venue = state.venue()
  if (venue === undefined || !isAtVenue(step)) return undefined
  // While it waits for its turn, the bot may be halted, and its orders may change.
  const isPermitted = (): boolean => !state.isStopped && dueIn(state).step.do === step.do
  switch (step.do) {
    case 'lookUp':
      return await lookUp(venue, step)
    case 'cancel':
      return await cancel(venue, step)
    case 'place': {
      const { decision } = step.leg
      const { clientOrderId } = decision.plan
      return { of: 'place', clientOrderId, ...(await place(state, venue, decision, isPermitted)) }
    }
    case 'placePair': {
      const [one, other] = step.pair
      const pair = [one.decision, other.decision] as const
      const { placements, ...times } = await placePair(state, venue, pair, isPermitted)
      for (const [index, { plan }] of pair.entries()) {
        const placement = placements[index]
        if (placement) take(state, { of: 'place', clientOrderId: plan.clientOrderId, placement, ...times })
      }
      return undefined
    }
    case 'quote':
      return { of: 'quote', quote: (await venue.quotes?.askAnew(state.subject.symbol)) ?? null }
  }
}

/** Writes the record; the record of a single order is deleted once its end is stored, where nothing will ask for it. */
async function record(
  state: WatchRunState,
  { record, over, notice }: Extract<WatchStep, { do: 'record' }>,
): Promise<undefined> {
  const { records, stored, subject, known } = state
  const isLoneEnd = isLone(known.stored.record) && record.state === 'done' && !mayBeSeveral(subject.type)
  if (!isLoneEnd) return await change(state, record, over, notice)
  if (notice !== undefined) emitChange(state, 'ended', notice)
  for (const attempt of known.attempts) if (attempt.found === undefined) state.onEnded(attempt)
  await stored()
  await records.forget(subject)
  take(state, { of: 'record', stored: { record, revision: over } })
}

/**
 * Writes the record, and emits why; one that is done is deleted where nothing will ask for it. Another record in its place
 * counts instead.
 */
async function change(
  state: WatchRunState,
  record: LegsRecord,
  over: number,
  notice: Notice | undefined,
): Promise<undefined> {
  const { records, subject, isInherited } = state
  if (record.state === 'done') await state.stored()
  const revision = await records.write(subject, record, over, now())
  if (revision === undefined) {
    const stored = await records.recall(subject)
    const gone = { record: { ...record, state: 'done' as const }, revision: over }
    take(state, { of: 'record', stored: stored ?? gone })
    return
  }
  take(state, { of: 'record', stored: { record, revision } })
  if (notice !== undefined) emitChange(state, `group-${over}`, notice)
  if (record.state === 'done' && !isInherited) await records.forget(subject)
}

/** Emits the outcome of a command that was given up. */
async function amend(state: WatchRunState): Promise<undefined> {
  const { subject, known } = state
  take(state, { of: 'amended', outcome: amendedOutcome(known, subject.type) })
  const { isUntold: _emitted, ...record } = known.stored.record
  const isOnlyOne = record.legs.length === 1 && known.attempts.some(isOpenOrder)
  // A pair whose first order never arrived sends no other: the command is reported as failed.
  const isNothing = record.turn !== undefined && known.attempts.every(({ found }) => found === undefined)
  const after = {
    ...record,
    ...(isOnlyOne && { isLone: true }),
    ...(isNothing && { state: 'done' as const }),
  }
  await change(state, after, known.stored.revision, undefined)
}
