import type { Log } from '@tripline/kit/telemetry/log'
import { now, steadyNow } from '@tripline/kit/time/clock'
import { standsInPart } from '@tripline/proto/alert'
import { isZero } from '@tripline/proto/decimal'
import type { ExecutionEvent } from '@tripline/proto/event'
import type { ExecutionId } from '@tripline/proto/id'
import type { Reading } from '../domain/account/account.ts'
import { lastEntriesIn } from '../domain/account/entry.ts'
import type { LastEntries } from '../domain/account/last-entry.ts'
import type { BotLimits } from '../domain/account/permit.ts'
import { aftermathOf, alarmOf, boughtIn, longUnknown } from '../domain/execution/aftermath.ts'
import { doubtRecord } from '../domain/execution/doubt-record.ts'
import { entryNotesOf } from '../domain/execution/entry-notes.ts'
import { aboutOf, eventsOf } from '../domain/execution/events.ts'
import {
  isInFlight,
  leavesNoTrace,
  longUnanswered,
  mayStillPlace,
  next,
  observe,
  seeksEvidence,
} from '../domain/execution/execution.ts'
import { scopeNeeded } from '../domain/execution/foreseen-ending.ts'
import { allExits, type ExitKind, exitsBefore } from '../domain/execution/lane-use.ts'
import { loneRecord } from '../domain/execution/lone-record.ts'
import type { Execution, Observation, Step } from '../domain/execution/state.ts'
import { isReadAnew } from '../domain/execution/taking-back.ts'
import { reservedBy } from '../domain/group/own-exits.ts'
import type { Decision } from '../domain/order/attempt.ts'
import type { Identity } from '../domain/order/order-events.ts'
import { withReference } from '../domain/order/reference.ts'
import type { NumberedTenure } from '../domain/sharing/lease.ts'
import { isLikelyExit } from '../domain/sizing/likely-exit.ts'
import type { EntryStore } from '../store/entry-store.ts'
import type { ProgressStore } from '../store/progress-store.ts'
import type { RecordStore, RecordSubject } from '../store/record-store.ts'
import type { Venue } from '../venue/venue.ts'
import { keyOf } from '../watching/key.ts'
import type { MarketWatches } from '../watching/market-watches.ts'
import { withEnded } from './end-closed.ts'
import { loop, type Subject, take } from './loop.ts'
import { cancel, clockOf, lookUp, place, placePair } from './venue-acts.ts'

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

/** Common needs of an alert's blocks while they run. */
export interface RunBasis {
  records: Pick<RecordStore, 'recall' | 'write' | 'forget'>
  progress: ProgressStore
  entries: Pick<EntryStore, 'read' | 'note'>
  /** Counts the blocks of the alert that sleep. */
  waits: { hold: (executionId: ExecutionId) => void; release: (executionId: ExecutionId) => void }
  /** Since when the user's partition is surely ours; undefined while it is not. */
  tenure: () => NumberedTenure | undefined
  /** Settles once a successor knows that what lies behind in its lane may be begun before this one. */
  breakOrder: (overtaken?: readonly string[]) => Promise<void>
  stopping: AbortSignal
  log: Log
}

/** Needs of a run besides its state. */
export interface Run extends RunBasis {
  identity: Identity
  venue: Venue
  watches: MarketWatches
  /** The alert may only close. */
  isCloseOnly: boolean
  limits: () => BotLimits
  emit: (event: ExecutionEvent) => void
  /** Settles once every event emitted so far is stored. */
  stored: () => Promise<void>
  /** Called with each observation. */
  note: Subject<Execution, Observation>['note']
  /** Lets exits of these kinds, and no others, run beside this one from now on; and whether those that waited long may. */
  letExitsPass: (kinds: readonly ExitKind[], mayBeOvertaken?: boolean) => void
}

/** A run with what is known of its execution. */
interface Driven extends Run, Subject<Execution, Observation> {}

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
  known: Execution,
  run: Run,
  goesOn: (execution: Execution, step: Step) => boolean,
): Promise<Execution> {
  const driven: Driven = { ...run, known, observe, eventsOf, epoch: () => run.tenure()?.epoch }
  return await loop(driven, {
    decide: () => {
      const execution = driven.known
      const step = next(execution, run.limits(), now())
      if (step.do === 'finish' || !goesOn(execution, step)) return undefined
      if (run.stopping.aborted && step.do !== 'settle' && !isInFlight(execution))
        throw new InterruptedError(execution)
      return step
    },
    act: (step) => act(driven, step),
    onError: (error, step) => {
      if (error instanceof InterruptedError || driven.known.current.ending !== undefined) throw error
      // A fault of ours ends the command as failed: part of it may have been done, so it is not run again.
      const { executionId } = run.identity
      run.log.error({ err: error, executionId, step: step?.do }, 'command failed by a fault')
      take(driven, { of: 'fault' })
    },
  })
}

type Act = Exclude<Step, { do: 'finish' }>

function act(driven: Driven, step: Act): Promise<Observation | undefined> {
  const { known } = driven
  const isUnknown = longUnknown(known, now())
  const unansweredCause = longUnanswered(known, now())
  if (!isUnknown && unansweredCause === undefined) return perform(driven, step)
  return actLate(driven, step, isUnknown, unansweredCause)
}

/** Takes a step of a command that has run for long: a person is notified, and others may pass. */
async function actLate(
  driven: Driven,
  step: Act,
  isUnknown: boolean,
  unansweredCause: string | undefined,
): Promise<Observation | undefined> {
  const { commands, outcomes, market } = driven.known
  if (isUnknown) {
    take(driven, { of: 'longUnknown' })
    await driven.breakOrder()
    driven.letExitsPass(allExits)
  }
  if (unansweredCause !== undefined) {
    take(driven, { of: 'inVain', reason: unansweredCause, forMs: driven.limits().exitRetryMs })
    await driven.breakOrder()
    // Exits that come to the same in either order pass.
    driven.letExitsPass(exitsBefore(commands.slice(outcomes.length), market), true)
  }
  return await perform(driven, step)
}

/** The command that runs, as its record names it. */
function subjectOf({ identity, known }: Driven): RecordSubject {
  return { ...identity, ...aboutOf(known) }
}

/** Steps by which a command begins, as far as its events show; `place` says so itself, with what was held before. */
const beginning: ReadonlySet<Step['do']> = new Set<Step['do']>([
  ...(['read', 'placeOco', 'cancel', 'list', 'listOthers', 'endWatches', 'change', 'takeBack'] as const),
  'keepProgress',
])

async function perform(driven: Driven, step: Act): Promise<Observation | undefined> {
  if (beginning.has(step.do)) take(driven, { of: 'begun', by: step.do })
  switch (step.do) {
    case 'wait':
    case 'sleep':
      return await sleepUntil(step.until)
    case 'settle':
      return await settle(driven, step)
    case 'recall':
      return { of: 'recall', stored: await driven.records.recall(subjectOf(driven)) }
    case 'record': {
      const { record, over } = step
      const revision = await driven.records.write(subjectOf(driven), record, over, now())
      return { of: 'record', record, revision }
    }
    case 'keepProgress':
      return await keepProgress(driven, step)
    case 'place':
      return await placeDecided(driven, step.decision)
    case 'placeOco': {
      const { venue } = driven
      const mayGoOn = (): boolean => mayStill(driven, step.pair[0])
      const { placements, sentAt } = await placePair(driven, venue, step.pair, mayGoOn)
      return { of: 'placeOco', placements, sentAt, ...clockOf(venue) }
    }
    case 'lookUp':
      return await lookUp(driven.venue, step)
    case 'cancel':
      return await cancel(driven.venue, step)
    case 'change':
      return {
        of: 'change',
        outcome: await driven.venue.changeSettings(driven.known.market.symbol, step.change),
      }
    case 'read':
      return await readAccount(driven)
    case 'list':
      return await list(driven)
    case 'listOthers':
      return { of: 'listOthers', open: await driven.venue.openOrders(driven.known.market.symbol, true) }
    default:
      return await moveWatches(driven, step)
  }
}

/** Moves what earlier commands left behind: a cancel ends it, a sale takes back the bot's own exits. */
async function moveWatches(
  driven: Driven,
  step: Extract<Act, { do: 'endWatches' | 'ownExits' | 'takeBack' | 'beginSale' | 'giveBack' }>,
): Promise<Observation> {
  const { watches, identity, isCloseOnly } = driven
  const sale = keyOf(subjectOf(driven))
  switch (step.do) {
    case 'endWatches': {
      const { clientOrderIds, command } = step
      const { alertId } = identity
      return { of: 'endWatches', ...(await watches.end({ clientOrderIds, command, alertId, isCloseOnly })) }
    }
    case 'ownExits':
      return { of: 'ownExits', exits: await watches.ownExits() }
    case 'takeBack':
    case 'beginSale':
      return { of: step.do, exits: await watches[step.do](sale, step.exits) }
    case 'giveBack':
      return { of: 'giveBack', exits: await watches.giveBack(sale, step.exits) }
  }
}

async function placeDecided(driven: Driven, decided: Decision): Promise<Observation> {
  const { venue, known } = driven
  const { symbol } = decided.plan
  // An order of a written amount reads nothing: whether it opens shows later only by what was held before.
  const wasFlat = known.current.reading === undefined && venue.isFlatNow?.(symbol) === true
  take(driven, { of: 'begun', by: 'place', wasFlat })
  const decision = withReference(decided, venue.quotes?.recent(symbol), now())
  const { placement, sentAt } = await place(driven, venue, decision, () => mayStill(driven, decision))
  // Nothing waits for the quote: where its answer is slower than that to the order, there is nothing to compare.
  const compared = withReference(decision, venue.quotes?.recent(symbol), sentAt)
  return { of: 'place', decision: compared, placement, sentAt, ...clockOf(venue) }
}

function mayStill({ known, limits }: Driven, decision: Decision): boolean {
  return mayStillPlace(known, decision, limits(), now())
}

/** The open orders that a cancel is decided on; they are read under the lease that the cancel is then signed under. */
async function list({ venue, tenure, known }: Driven): Promise<Observation> {
  if (tenure() === undefined) return { of: 'unlisted' }
  const askedAt = steadyNow()
  return { of: 'list', open: await venue.openOrders(known.market.symbol, true), askedAt }
}

/** The account as the venue reports it, and what only we know of the bot. */
async function readAccount(driven: Driven): Promise<Observation> {
  const { venue, known: execution } = driven
  const { commands, outcomes, market, current } = execution
  const command = commands[outcomes.length]
  const isUrgent = command !== undefined && isLikelyExit(command, market, await lastEntries(driven))
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
  const own = withOwn(reading, await lastEntries(driven), await reserved(driven))
  return { of: 'read', reading: own, isUrgent }
}

async function lastEntries({ known, entries, identity }: Driven): Promise<LastEntries> {
  const { executionId } = identity
  return lastEntriesIn(await entries.read(identity), { executionId, command: known.outcomes.length }, now())
}

/** The coins that the bot's own stops are to sell, where the exchange locks none for a stop. */
async function reserved({ known: { market }, watches }: Driven): Promise<{ reserved?: string }> {
  if (market.kind !== 'spot' || market.features.nativeOco) return {}
  return { reserved: reservedBy(await watches.ownExits()) }
}

function withOwn(reading: Reading, lastEntries: LastEntries, reserved: { reserved?: string }): Reading {
  if (reading.outcome !== 'read') return reading
  return { ...reading, account: { ...reading.account, lastEntries, ...reserved } }
}

async function keepProgress(
  driven: Driven,
  { sleep }: Extract<Step, { do: 'keepProgress' }>,
): Promise<Observation> {
  const { waits, identity, known, progress, stored } = driven
  const { userId, alertId, executionId } = identity
  // Counted before it is stored, so that what comes meanwhile finds it counted.
  waits.hold(executionId)
  // An owner that goes on from here emits nothing of what lies before it.
  await stored()
  const reached = { ...sleep, outcomes: [...known.outcomes] }
  return { of: 'keepProgress', sleep: await progress.keep(userId, alertId, known.block, reached) }
}

/** Ends the command: its events are stored first where its outcome could not be found out again. */
async function settle(
  driven: Driven,
  { outcome: ending }: Extract<Step, { do: 'settle' }>,
): Promise<Observation> {
  const { known: execution, identity, records, watches, entries } = driven
  const { executionId } = identity
  const subject = subjectOf(driven)
  const outcome = await withEnded(execution, ending, driven)
  driven.waits.release(executionId)
  driven.letExitsPass([])
  const entryNotes = entryNotesOf(execution, outcome, now(), execution.wasFlat)
  for (const note of entryNotes) entries.note(identity, { executionId, command: subject.command }, note)
  const doubtful = doubtRecord(execution, outcome)
  const left = doubtful ?? loneRecord(execution)
  // A record that is stored there already is read.
  if (left !== undefined) await records.write(subject, left, execution.current.stored?.revision ?? 0, now())
  const isUntold = doubtful !== undefined
  const isBare = alarmOf(execution, outcome) !== undefined && !standsInPart(outcome) && !isUntold
  if (isBare) leaveBare(driven)
  const isOvertaken = driven.limits().isOvertaken === true
  take(driven, { of: 'ended', outcome, entryNotes, isUntold, isOvertaken })
  const aftermath = isUntold ? 'watch' : aftermathOf(execution)
  if (aftermath !== undefined || leavesNoTrace(outcome)) await driven.stored()
  if (aftermath === 'watch') watches.begin(subject)
  // The lane does not wait for what came before an order that rests to be stored.
  else if (left !== undefined) watches.begin(subject, driven.stored())
  if (aftermath === 'forget') await records.forget(subject)
  return { of: 'settle', outcome }
}

function leaveBare({ known: { market, outcomes }, watches }: Driven): void {
  const coins = boughtIn(outcomes)
  if (market.kind === 'linear') watches.leaveBare()
  else if (!isZero(coins)) watches.leaveBare(coins)
}

async function sleepUntil(until: number): Promise<undefined> {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, until - now())))
}
