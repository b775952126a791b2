import type { Log } from '@tripline/kit/telemetry/log'
import { leaptWithin, now, steadyNow } from '@tripline/kit/time/clock'
import { standsInPart } from '@tripline/proto/alert'
import { isZero } from '@tripline/proto/decimal'
import type { EntryNote } from '@tripline/proto/entry-note'
import type { Reading } from '../domain/account/account.ts'
import { type EntriesBySide, lastEntriesIn } from '../domain/account/entry.ts'
import type { LastEntries } from '../domain/account/last-entry.ts'
import type { BotLimits } from '../domain/account/permit.ts'
import { aftermathOf, alarmOf, boughtIn, longUnknown, overtakenAlarm } from '../domain/execution/aftermath.ts'
import type { CancelCommand } from '../domain/execution/cancel-orders.ts'
import { doubtRecord } from '../domain/execution/doubt-record.ts'
import { entryNotesOf } from '../domain/execution/entry-notes.ts'
import {
  isInFlight,
  leavesNoTrace,
  longInVain,
  mayStillPlace,
  next,
  observe,
  seeksEvidence,
} from '../domain/execution/execution.ts'
import { scopeNeeded } from '../domain/execution/foreseen-ending.ts'
import { allExits, type ExitKind, exitsBefore } from '../domain/execution/lane-use.ts'
import { loneRecord } from '../domain/execution/lone-record.ts'
import type { EndedWatches, Execution, Step } from '../domain/execution/state.ts'
import { isReadAnew } from '../domain/execution/taking-back.ts'
import { type OwnExit, type ReturnedExit, reservedBy, type StandingAgain } from '../domain/group/own-exits.ts'
import type { Decision } from '../domain/order/attempt.ts'
import { believed, leapMs } from '../domain/order/doubt.ts'
import { isTerminal, type Placement } from '../domain/order/order.ts'
import { lacksReference, withReference } from '../domain/order/reference.ts'
import type { Tenure } from '../domain/sharing/lease.ts'
import { isLikelyExit } from '../domain/sizing/likely-exit.ts'
import type { Venue } from '../venue/venue.ts'
import type { CommandStore } from './command-store.ts'
import {
  type About,
  aboutOf,
  commandEvent,
  type Emitter,
  emitAcknowledged,
  emitAlarm,
  emitEnd,
  emitFound,
  emitSent,
  emitStart,
} from './emit.ts'
import { type Exit, withEnded } from './end-closed.ts'
import type { RunMeter } from './run-meter.ts'

/** Thrown between two commands when the process stops: the successor runs the rest. */
export class InterruptedError extends Error {
  /** True where an earlier owner may have sent orders that were not looked up yet. */
  readonly isUndecided: boolean

  constructor(begun: Pick<Execution, 'notAbsentBefore'> | undefined) {
    super('stopped between two commands')
    this.name = 'InterruptedError'
    this.isUndecided = begun?.notAbsentBefore !== undefined
  }
}

/** When the first order of an alert went out, and when it was acknowledged. */
export interface OrderMoments {
  firstSentAt?: number
  firstAcknowledgedAt?: number
}

/** Needs of a run besides its state. */
export interface Run extends Emitter {
  venue: Venue
  /** Since when the user's partition is surely ours; undefined while it is not. */
  tenure: () => Tenure | undefined
  commandStore: CommandStore
  /** Ends the watches over these orders, or all of the symbol's. */
  endWatches: (clientOrderIds: readonly string[], command: CancelCommand) => Promise<EndedWatches>
  /** Watched orders of the market that can only make a position smaller, and those about to be. */
  exits: (areComingToo: boolean) => Promise<readonly Exit[]>
  /** The bot's own orders that sell what it holds, and how they stand once they were taken back or stand again. */
  ownExits: () => Promise<readonly OwnExit[]>
  takeBack: (about: About, exits: readonly string[]) => Promise<readonly OwnExit[]>
  beginSale: (about: About, exits: readonly string[]) => Promise<readonly OwnExit[]>
  giveBack: (about: About, exits: readonly ReturnedExit[]) => Promise<readonly StandingAgain[]>
  /** Watches over the group of orders that a command left open, once what is to come before that has. */
  watch: (about: About, after?: Promise<void>) => void
  /** Looks after the position of the symbol, whose stop was not placed, or on spot after so many coins. */
  leaveBare: (coins?: string) => void
  /** The bot's entries in this symbol. */
  entries: { read: () => Promise<EntriesBySide>; note: (command: number, note: EntryNote) => void }
  waits: { hold: () => void; release: () => void }
  moments: OrderMoments
  /** Whether nothing was held when the command at hand placed first; absent before that, and where it is not known. */
  wasFlat?: boolean
  limits: () => BotLimits
  /** Settles once everything told so far is stored. */
  stored: () => Promise<void>
  stopping: AbortSignal
  log: Log
  meter: RunMeter
  /** Lets exits of these kinds, and no others, run beside this one from now on; and whether those that waited long may. */
  letExitsPass: (kinds: readonly ExitKind[], mayBeOvertaken?: boolean) => void
  /** Settles once a successor knows that what lies behind in its lane may be begun before this one. */
  breakOrder: () => Promise<void>
}

/** Finds out what an earlier attempt did, as far as that is possible without doing anything new. */
export async function gatherEvidence(execution: Execution, run: Run): Promise<Execution> {
  return await advance(execution, run, (current, step) => seeksEvidence(current, step))
}

/**
 * Runs the execution to its end, or to where it sleeps, which it does out of its lane. Throws `InterruptedError`
 * between two commands when the process stops.
 */
export async function drive(execution: Execution, run: Run): Promise<Execution> {
  return await advance(execution, run, (_current, step) => step.do !== 'sleep')
}

async function advance(
  start: Execution,
  run: Run,
  goesOn: (execution: Execution, step: Step) => boolean,
): Promise<Execution> {
  let execution = start
  for (;;) {
    let step: Step | undefined
    try {
      step = next(execution, run.limits(), now())
      if (step.do === 'finish' || !goesOn(execution, step)) return execution
      if (run.stopping.aborted && step.do !== 'settle' && !isInFlight(execution)) {
        throw new InterruptedError(execution)
      }
      if (longUnknown(execution, now())) await emitLongUnknown(execution, run)
      const inVain = longInVain(execution, now())
      if (inVain !== undefined) await emitInVain(execution, inVain, run)
      execution = await perform(execution, step, run)
    } catch (error) {
      if (error instanceof InterruptedError || execution.current.ending !== undefined) throw error
      // A fault of ours ends the command as failed: part of it may have been done, so it is not run again.
      const { executionId } = run.identity
      run.log.error({ err: error, executionId, step: step?.do }, 'command failed by a fault')
      execution = observe(execution, { of: 'fault' }, now())
    }
  }
}

async function emitLongUnknown(execution: Execution, run: Run): Promise<void> {
  const text = 'the exchange does not tell what became of the order, look there'
  emitAlarm(aboutOf(execution), { code: 'E602', text }, run)
  run.meter.doubted(execution.outcomes.length, now())
  await run.breakOrder()
  run.letExitsPass(allExits)
}

/** Emits once that an exit or a cancel is still being tried; what comes to the same in either order passes. */
async function emitInVain(execution: Execution, reason: string, run: Run): Promise<void> {
  const text = `not done yet, and tried again for up to ${run.limits().exitRetryMs / 1000} s: ${reason}`
  emitAlarm(aboutOf(execution), { name: 'in-vain', text }, run)
  const { commands, outcomes, market } = execution
  await run.breakOrder()
  run.letExitsPass(exitsBefore(commands.slice(outcomes.length), market), true)
}

async function perform(
  execution: Execution,
  step: Exclude<Step, { do: 'finish' }>,
  run: Run,
): Promise<Execution> {
  switch (step.do) {
    case 'wait':
    case 'sleep':
      await sleepUntil(step.until)
      return execution
    case 'settle':
      return await settle(execution, step, run)
    case 'recall':
    case 'record':
    case 'keepProgress':
      return await keep(execution, step, run)
    case 'ownExits':
    case 'takeBack':
    case 'beginSale':
    case 'giveBack':
      return await moveExits(execution, step, run)
    default:
      return await act(execution, step, run)
  }
}

type Act = Extract<
  Step,
  {
    do: 'read' | 'place' | 'placeOco' | 'lookUp' | 'cancel' | 'list' | 'listOthers' | 'endWatches' | 'change'
  }
>

/** Acts or asks at the venue. */
async function act(execution: Execution, step: Act, run: Run): Promise<Execution> {
  const { symbol } = execution.market
  const { venue } = run
  if (step.do !== 'lookUp') emitStart(aboutOf(execution), run)
  switch (step.do) {
    case 'read':
      return await readAccount(execution, run)
    case 'place':
      return await place(execution, step.decision, run)
    case 'placeOco':
      return await placePair(execution, step.pair, run)
    case 'lookUp':
      return await lookUp(execution, step, run)
    case 'cancel': {
      const cancellation = await venue.cancel(step.ref, step.seenAt)
      if (cancellation.outcome === 'canceled' && cancellation.order !== undefined)
        emitEnd(aboutOf(execution), cancellation.order, run)
      return observe(execution, { of: 'cancel', ref: step.ref, cancellation }, now())
    }
    case 'list':
      return await list(execution, run)
    case 'listOthers': {
      const open = await venue.openOrders(symbol, true)
      return observe(execution, { of: 'listOthers', open }, now())
    }
    case 'endWatches': {
      const ended = await run.endWatches(step.clientOrderIds, step.command)
      return observe(execution, { of: 'endWatches', ...ended }, now())
    }
    case 'change':
      return observe(
        execution,
        { of: 'change', outcome: await venue.changeSettings(symbol, step.change) },
        now(),
      )
  }
}

/** Moves the bot's own exits for a sale. */
async function moveExits(
  execution: Execution,
  step: Extract<Step, { do: 'ownExits' | 'takeBack' | 'beginSale' | 'giveBack' }>,
  run: Run,
): Promise<Execution> {
  const about = aboutOf(execution)
  switch (step.do) {
    case 'ownExits':
      return observe(execution, { of: 'ownExits', exits: await run.ownExits() }, now())
    case 'takeBack':
      emitStart(about, run)
      return observe(execution, { of: 'takeBack', exits: await run.takeBack(about, step.exits) }, now())
    case 'beginSale':
      return observe(execution, { of: 'beginSale', exits: await run.beginSale(about, step.exits) }, now())
    case 'giveBack':
      return observe(execution, { of: 'giveBack', exits: await run.giveBack(about, step.exits) }, now())
  }
}

/** The open orders that a cancel is decided on; they are read under the lease that the cancel is then signed under. */
async function list(execution: Execution, { venue, tenure }: Run): Promise<Execution> {
  if (tenure() === undefined) return observe(execution, { of: 'unlisted' }, now())
  const askedAt = steadyNow()
  const open = await venue.openOrders(execution.market.symbol, true)
  return observe(execution, { of: 'list', open, askedAt }, now())
}

/** The account as the venue reports it, and what only we know of the bot. */
async function readAccount(execution: Execution, run: Run): Promise<Execution> {
  const { venue } = run
  const { commands, outcomes, market, current } = execution
  const command = commands[outcomes.length]
  const isUrgent = command !== undefined && isLikelyExit(command, market, await lastEntries(execution, run))
  const isAgain = current.reading !== undefined
  // Memory does not serve where the venue contradicted it, or where it denies the command.
  const isAsked =
    command === undefined || current.readLateSince !== undefined || isReadAnew(execution) || isAgain
  const reading = await venue.read(market.symbol, {
    scope: isAsked ? undefined : scopeNeeded(execution, command, isUrgent),
    isUrgent,
    areSettingsAsked: isAgain,
  })
  // The close of a position meanwhile is to be reported.
  const known = withOwn(reading, await lastEntries(execution, run), await reserved(execution, run))
  return observe(execution, { of: 'read', reading: known, isUrgent }, now())
}

async function lastEntries({ outcomes }: Execution, { entries, identity }: Run): Promise<LastEntries> {
  const { executionId } = identity
  return lastEntriesIn(await entries.read(), { executionId, command: outcomes.length }, now())
}

/** The coins that the bot's own stops are to sell, where the exchange locks none for a stop. */
async function reserved({ market }: Execution, run: Run): Promise<{ reserved?: string }> {
  if (market.kind !== 'spot' || market.features.nativeOco) return {}
  return { reserved: reservedBy(await run.ownExits()) }
}

function withOwn(reading: Reading, lastEntries: LastEntries, reserved: { reserved?: string }): Reading {
  if (reading.outcome !== 'read') return reading
  return { ...reading, account: { ...reading.account, lastEntries, ...reserved } }
}

/** Keeps state on the bus for a successor. */
async function keep(
  execution: Execution,
  step: Extract<Step, { do: 'recall' | 'record' | 'keepProgress' }>,
  run: Run,
): Promise<Execution> {
  const { commandStore } = run
  const about = aboutOf(execution)
  switch (step.do) {
    case 'recall':
      return observe(execution, { of: 'recall', kept: await commandStore.recall(about) }, now())
    case 'record': {
      const { record, over } = step
      const revision = await commandStore.write(about, record, over)
      return observe(execution, { of: 'record', record, revision }, now())
    }
    case 'keepProgress': {
      // Counted before it is kept, so that what comes meanwhile finds it counted.
      run.waits.hold()
      emitStart(aboutOf(execution), run)
      // An owner that goes on from here emits nothing of what lies before it.
      await run.stored()
      const sleep = await commandStore.keepProgress(step.sleep, execution.outcomes)
      const event = commandEvent(aboutOf(execution), run, 'waiting')
      run.emit({ kind: 'command.waiting', ...event, wakeAt: sleep.wakeAt })
      return observe(execution, { of: 'keepProgress', sleep }, now())
    }
  }
}

function leaveBare({ market, outcomes }: Execution, run: Run): void {
  const coins = boughtIn(outcomes)
  if (market.kind === 'linear') run.leaveBare()
  else if (!isZero(coins)) run.leaveBare(coins)
}

async function settle(
  execution: Execution,
  { outcome: ending }: Extract<Step, { do: 'settle' }>,
  run: Run,
): Promise<Execution> {
  const outcome = await withEnded(execution, ending, run)
  if (outcome.status !== 'skipped') emitStart(aboutOf(execution), run)
  run.waits.release()
  run.letExitsPass([])
  const entryNotes = entryNotesOf(execution, outcome, now(), run.wasFlat)
  for (const note of entryNotes) run.entries.note(execution.outcomes.length, note)
  const untold = doubtRecord(execution, outcome)
  const left = untold ?? loneRecord(execution)
  if (left !== undefined) {
    // A record that lies there already is asked for.
    await run.commandStore.write(aboutOf(execution), left, execution.current.kept?.revision ?? 0)
  }
  const alarm = alarmOf(execution, outcome)
  if (alarm !== undefined) {
    emitAlarm(aboutOf(execution), { code: alarm.code, text: alarm.error }, run)
    const mayStand = standsInPart(outcome) || untold !== undefined
    if (!mayStand) leaveBare(execution, run)
  }
  const late = overtakenAlarm(outcome, run.limits().isOvertaken === true)
  if (late !== undefined) emitAlarm(aboutOf(execution), { name: 'overtaken', text: late }, run)
  const event = commandEvent(aboutOf(execution), run, 'finished')
  const noted = entryNotes.length > 0 && { entryNotes }
  run.emit({ kind: 'command.finished', ...event, outcome, flight: { ...run.flight }, ...noted })
  run.meter.settled(event.command, outcome, run.flight, untold !== undefined)
  resetFlight(run)
  delete run.wasFlat
  const aftermath = untold === undefined ? aftermathOf(execution) : 'watch'
  if (aftermath !== undefined || leavesNoTrace(outcome)) await run.stored()
  if (aftermath === 'watch') run.watch(aboutOf(execution))
  // The lane does not wait for what came before an order that rests to be stored.
  else if (left !== undefined) run.watch(aboutOf(execution), run.stored())
  if (aftermath === 'forget') await run.commandStore.forget(aboutOf(execution))
  return observe(execution, { of: 'settle', outcome }, now())
}

/** The next command is on its way from here on. */
function resetFlight({ flight }: Run): void {
  const { receivedAt, durableAt, pickedUpAt } = flight
  for (const moment of Object.keys(flight) as (keyof typeof flight)[]) delete flight[moment]
  Object.assign(flight, { receivedAt, durableAt, pickedUpAt })
}

async function place(execution: Execution, decided: Decision, run: Run): Promise<Execution> {
  run.flight.resolvedAt ??= now()
  const { quotes, isFlatNow } = run.venue
  const { symbol } = decided.plan
  // An order of a written amount reads nothing: whether it opens shows later only by what was held before.
  run.wasFlat ??= execution.current.reading === undefined && isFlatNow?.(symbol) === true
  let sentAt = now()
  const decision = withReference(decided, quotes?.recent(symbol), sentAt)
  const onSent = (): void => {
    sentAt = now()
    run.moments.firstSentAt ??= sentAt
    emitSent(aboutOf(execution), decision, sentAt, run, execution.market.quote)
    if (lacksReference(decision)) quotes?.look(symbol)
  }
  const placement = await run.venue.place(decision.plan, onSent, () =>
    mayStillPlace(execution, decision, run.limits(), now()),
  )
  emitPlacement(execution, placement, sentAt, run)
  // Nobody waits for a look: where its answer is slower than that to the order, there is nothing to compare.
  const compared = withReference(decision, quotes?.recent(symbol), sentAt)
  return observe(execution, { of: 'place', decision: compared, placement }, now())
}

async function placePair(
  execution: Execution,
  pair: readonly [Decision, Decision],
  run: Run,
): Promise<Execution> {
  const { placeOco } = run.venue
  if (placeOco === undefined) throw new Error('the venue keeps no pairs')
  run.flight.resolvedAt ??= now()
  let sentAt = now()
  const [one, other] = pair
  const onSent = (): void => {
    sentAt = now()
    run.moments.firstSentAt ??= sentAt
    for (const decision of pair) emitSent(aboutOf(execution), decision, sentAt, run)
  }
  const placements = await placeOco([one.plan, other.plan], onSent, () =>
    mayStillPlace(execution, one, run.limits(), now()),
  )
  for (const placement of placements) emitPlacement(execution, placement, sentAt, run)
  return observe(execution, { of: 'placeOco', placements }, now())
}

function emitPlacement(execution: Execution, placement: Placement, sentAt: number, run: Run): void {
  run.meter.placed(execution.outcomes.length, placement.outcome, sentAt)
  if (placement.outcome === 'done') {
    run.moments.firstAcknowledgedAt ??= now()
    noteClock(run)
    emitAcknowledged(aboutOf(execution), placement.order, sentAt, run, placement.source)
  }
  if (placement.outcome !== 'unknown' || placement.isThere === true) return
  const event = commandEvent(aboutOf(execution), run, 'unknown')
  run.emit({ kind: 'command.unknown', ...event, cause: placement.cause })
}

/** Without it the venue's own times could not be read beside ours. */
function noteClock({ flight, venue }: Run): void {
  flight.clockAheadMs = Number(venue.clockAheadMs().toFixed(3))
}

async function lookUp(
  execution: Execution,
  { ref, depth }: Extract<Step, { do: 'lookUp' }>,
  run: Run,
): Promise<Execution> {
  const askedAt = now()
  const found = believed(await run.venue.lookUp(ref, depth), leaptWithin(leapMs))
  if (found.outcome === 'found' && execution.current.canceling === undefined) {
    emitStart(aboutOf(execution), run)
    noteClock(run)
    const known = execution.current.orders?.find(
      ({ ref: { clientOrderId } }) => clientOrderId === ref.clientOrderId,
    )
    if (known?.found === undefined) emitFound(aboutOf(execution), found.order, askedAt, run)
    else if (isTerminal(found.order)) emitEnd(aboutOf(execution), found.order, run)
  }
  return observe(execution, { of: 'lookUp', ref, lookUp: found, askedAt }, now())
}

async function sleepUntil(until: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, until - now())))
}
