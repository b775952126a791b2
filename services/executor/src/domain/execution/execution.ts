import type { Command } from '@tripline/proto/alert-tree'
import type { CommandResult } from '@tripline/proto/command-result'
import type { Reading } from '../account/account.ts'
import { balanceOf } from '../account/balance.ts'
import { type BotLimits, haltedError, overtakenEnding, permit } from '../account/permit.ts'
import {
  type Attempt,
  afterCancel,
  afterLookUp,
  anew,
  askAgainMs,
  type Decision,
  isUnderway,
  withAttempt,
} from '../order/attempt.ts'
import { absenceCountsAfterSending, isAbsentByReads } from '../order/doubt.ts'
import { type Ending, failed, skipped, succeeded } from '../order/ending.ts'
import { placesOrders } from '../resolve/command.ts'
import { afterListing, afterWithheldCancel, isToBeEnded, nextForCancel } from './cancel-orders.ts'
import { afterChange, nextForSettings } from './change-settings.ts'
import { flightAfter } from './flight.ts'
import { endingInstead, isSought, isStillAsleep, notSentAgain } from './restored.ts'
import { afterLegsPlaced, nextForSeveral, withStored } from './several-orders.ts'
import {
  afterSinglePlacement,
  inheritedAttempt,
  isSingle,
  nextForSingle,
  resultNotReported,
  shrinks,
} from './single-order.ts'
import {
  type Canceling,
  type Current,
  type Execution,
  type Observation,
  type Sleep,
  type Step,
  settle,
  withCurrent,
} from './state.ts'
import {
  afterCoinsRead,
  afterGiveBack,
  afterOthers,
  afterOwnExits,
  afterTakeBack,
  endingSale,
  isTaking,
  isTakingLong,
  withTakenBack,
} from './taking-back.ts'
import { afterNoAnswer, isLongUnanswered, isOutOfPatience } from './unanswered.ts'
import { nextForWait } from './wait-command.ts'

/** An execution before its first command, or behind the outcomes that an earlier attempt left. */
export function startExecution(
  block: Pick<
    Execution,
    | 'alertId'
    | 'block'
    | 'commands'
    | 'market'
    | 'absence'
    | 'dueAt'
    | 'notAbsentBefore'
    | 'isRestored'
    | 'isCloseOnly'
    | 'isUnjudged'
    | 'flight'
  >,
  outcomes: readonly CommandResult[],
  now: number,
  sleep?: Sleep,
): Execution {
  const dueAt = outcomes.reduce(dueAfter, block.dueAt)
  const isAsleep = isStillAsleep(sleep, now)
  const isRestored = block.isRestored && !isAsleep
  const begun = begin({ ...block, isRestored, dueAt, outcomes, current: { startedAt: now } }, now)
  return sleep === undefined ? begun : withCurrent(begun, { sleep })
}

/** Returns the next step. Pure: live, resumed and recovered runs differ only in what was observed. */
export function next(execution: Execution, limits: BotLimits, now: number): Step {
  const step = nextInPatience(execution, limits, now)
  const ending = execution.isRestored ? endingInstead(execution, step) : undefined
  return endingSale(execution, ending === undefined ? step : settle(execution, ending, now))
}

/** A question that had no answer is asked again, and an exit that was not taken is sent again, but not for ever. */
function nextInPatience(execution: Execution, limits: BotLimits, now: number): Step {
  const { unanswered, heldBack, orders } = execution.current
  if (heldBack !== undefined && orders === undefined && now - heldBack.since >= limits.exitRetryMs)
    return settle(execution, failed(heldBack.failure.code, heldBack.failure.error), now)
  const step = nextToDo(execution, limits, now)
  if (unanswered === undefined || (step.do !== 'read' && step.do !== 'list')) return step
  if (unanswered.isUrgent && limits.tradingState === 'halted')
    return settle(execution, failed('E516', haltedError), now)
  if (!isOutOfPatience(unanswered, limits, now)) return step
  return settle(execution, failed(unanswered.failure.code, unanswered.failure.error), now)
}

function nextToDo(execution: Execution, limits: BotLimits, now: number): Step {
  const command = execution.commands[execution.outcomes.length]
  if (command === undefined) return { do: 'finish' }
  const { current } = execution
  if (current.notBefore !== undefined && now < current.notBefore)
    return { do: 'wait', until: current.notBefore }
  const failure = execution.outcomes.find((outcome) => outcome.status !== 'success')
  if (failure !== undefined && !isSought(execution, command))
    return settle(execution, behind(failure, execution, command), now)
  if (current.ending !== undefined) return settle(execution, current.ending, now)
  switch (command.type) {
    case 'market':
    case 'limit':
    case 'stopOrder':
      return nextForSingle(execution, command, limits, now)
    case 'stopOrTakeProfit':
      return isSingle(command)
        ? nextForSingle(execution, command, limits, now)
        : nextForSeveral(execution, command, limits, now)
    case 'oneCancelsOther':
      return nextForSeveral(execution, command, limits, now)
    case 'cancel':
      return nextForCancel(execution, command, limits, now)
    case 'balance':
      return nextForBalance(execution, command, now)
    case 'wait':
      return nextForWait(execution, command, limits, now)
    case 'exchangeSettings':
      return nextForSettings(execution, command, limits, now)
  }
}

/** The execution of which nothing was sent, once an exit overtook it: it ends without being run. */
export function overtaken(execution: Execution): Execution {
  return withCurrent(execution, { ending: overtakenEnding })
}

/** True for a step that only finds out what an earlier attempt did, and so may be taken before its turn. */
export function seeksEvidence({ current }: Execution, step: Step): boolean {
  if (step.do === 'lookUp' || step.do === 'recall' || step.do === 'ownExits')
    return current.canceling === undefined
  const isOpen = current.orders?.some(({ doubt, found }) => (doubt ?? found) !== undefined) ?? false
  return isOpen && (step.do === 'wait' || step.do === 'settle')
}

/**
 * True where an order that was decided on may still be sent: where it had to wait for its turn, the alert has grown
 * older, and the bot may have been paused, halted or unlinked. Orders that complete a begun group are sent.
 */
export function mayStillPlace(
  { current: { stored, orders = [], reading }, dueAt }: Execution,
  { plan }: Decision,
  limits: BotLimits,
  now: number,
): boolean {
  const isBegun = stored !== undefined && orders.some(({ found }) => found !== undefined)
  const plans = stored === undefined ? [plan] : orders.flatMap(({ decision }) => decision?.plan ?? [])
  return isBegun || permit(plans, reading, now - dueAt, limits) === 'placed'
}

/** Why an exit or a cancel has been tried for long without success; undefined where none was. */
export function longUnanswered(execution: Execution, now: number): string | undefined {
  const { unanswered, canceling, heldBack, orders = [] } = execution.current
  if (unanswered?.isUrgent === true && isLongUnanswered(unanswered.since, now))
    return unanswered.failure.error
  const neverArrived = orders.find(
    ({ found, refusal, decision }) =>
      (found ?? refusal) === undefined && decision !== undefined && shrinks(decision, execution),
  )
  const leg = orders.find(({ heldBack: ofLeg, found }) => ofLeg !== undefined && found === undefined)
  const since = (heldBack ?? leg?.heldBack)?.since ?? neverArrived?.unansweredSince ?? now
  if (isLongUnanswered(since, now)) return 'the exchange takes no orders from us now'
  if (isTakingLong(execution, now)) return 'the exchange does not end an order of ours that locks the coins'
  const stuck = canceling?.targets.some(
    (target) => isToBeEnded(target) && isLongUnanswered(target.cancelingSince ?? now, now),
  )
  return stuck === true ? 'the exchange does not end an order' : undefined
}

/** True while something that was sent is not settled: it is settled before the process ends. */
export function isInFlight(execution: Execution): boolean {
  const { orders, canceling, tries } = execution.current
  if (isTaking(execution)) return true
  return (orders?.some(isUnderway) ?? false) || canceling?.listedAt !== undefined || tries !== undefined
}

/** The execution after an observation. */
export function observe(before: Execution, observation: Observation, now: number): Execution {
  const flight = before.flight && flightAfter(before, observation, now)
  const execution = flight === undefined ? before : { ...before, flight }
  switch (observation.of) {
    case 'begun': {
      const { wasFlat } = observation
      return wasFlat === undefined || execution.wasFlat !== undefined ? execution : { ...execution, wasFlat }
    }
    case 'sent':
    case 'longUnknown':
    case 'inVain':
    case 'ended':
      return execution
    case 'settle':
      return afterSettling(execution, observation.outcome, now)
    case 'read':
      return afterReading(execution, observation, now)
    case 'list':
      return ofType(execution, 'cancel', (command) => afterListing(execution, command, observation, now))
    case 'unlisted':
      return withCurrent(execution, { notBefore: now + askAgainMs })
    case 'endWatches':
      return withCanceling(execution, (canceling) => ({
        ...canceling,
        isEndDue: false,
        endedWatches: canceling.endedWatches + observation.count,
        held: [...canceling.held, ...observation.held],
      }))
    case 'change':
      return ofType(execution, 'exchangeSettings', (command) =>
        afterChange(execution, command, observation.outcome, now),
      )
    case 'ownExits':
      return ofType(execution, 'market', (sale) => afterOwnExits(execution, sale, observation.exits, now))
    case 'takeBack':
    case 'beginSale':
      return afterTakeBack(execution, observation.exits, now)
    case 'giveBack':
      return afterGiveBack(execution, observation.exits)
    case 'listOthers':
      return afterOthers(execution, observation.open)
    case 'keepProgress':
      return withCurrent(execution, { sleep: observation.sleep })
    case 'fault':
      return withCurrent(execution, {
        ending: failed('E605', 'The command failed because of an error on our side'),
      })
    default:
      return observeOrders(execution, observation, now)
  }
}

type OrderObservation = Extract<
  Observation,
  { of: 'recall' | 'record' | 'place' | 'placeOco' | 'lookUp' | 'cancel' }
>

function observeOrders(execution: Execution, observation: OrderObservation, now: number): Execution {
  switch (observation.of) {
    case 'recall':
      if (observation.stored !== undefined) return withStored(execution, observation.stored, now)
      if (execution.isRestored) return withCurrent(execution, { isRecalled: true })
      // The record before the first order was not written: nothing of this command, or behind it, was sent.
      return { ...withCurrent(execution, { isRecalled: true }), notAbsentBefore: undefined }
    case 'record': {
      const { record, revision } = observation
      // Another owner was faster, and may be sending what its record names.
      if (revision === undefined)
        return begin({ ...execution, notAbsentBefore: absenceCountsAfterSending(now) }, now)
      const recorded = withStored(execution, { record, revision }, now)
      return execution.isRestored ? recorded : { ...recorded, notAbsentBefore: undefined }
    }
    case 'place':
      return afterPlacing(execution, observation, now)
    case 'placeOco': {
      const { orders = [] } = execution.current
      const placed = orders.flatMap(({ ref }, index) => {
        const placement = observation.placements[index]
        return placement === undefined ? [] : [[ref.clientOrderId, placement] as const]
      })
      return afterLegsPlaced(execution, placed, now)
    }
    case 'lookUp':
      return afterAsking(execution, observation, now)
    case 'cancel': {
      const { ref, cancellation } = observation
      if (cancellation.outcome === 'withheld' && execution.current.canceling !== undefined)
        return ofType(execution, 'cancel', (command) => afterWithheldCancel(execution, command, now))
      const after = withOrders(execution, ref.clientOrderId, (attempt) =>
        afterCancel(attempt, cancellation, now, execution.absence),
      )
      // A hold on one cancel holds back the others.
      return cancellation.outcome === 'heldBack' ? withCurrent(after, { notBefore: now + askAgainMs }) : after
    }
  }
}

function nextForBalance(
  execution: Execution,
  command: Extract<Command, { type: 'balance' }>,
  now: number,
): Step {
  const { reading } = execution.current
  if (reading === undefined) return { do: 'read' }
  const balance = balanceOf(command, reading, execution.market)
  if (balance !== undefined) return settle(execution, succeeded(balance), now)
  return settle(execution, failed('E303', `${command.asset} is not held in this account`), now)
}

function afterReading(
  execution: Execution,
  { reading, isUrgent }: Extract<Observation, { of: 'read' }>,
  now: number,
): Execution {
  const { unanswered, ...current } = execution.current
  if (reading.outcome !== 'read') {
    // Of an order in doubt that ends nothing: it is looked up instead.
    const isOpen = current.orders?.some(({ doubt }) => doubt !== undefined) === true
    const answer = isOpen ? ({ outcome: 'unreachable', cause: causeOf(reading) } as const) : reading
    const seen = afterCoinsRead(execution, false)
    // It was asked for what stands again alone.
    if (seen.taking?.isReadAfter !== undefined) return withCurrent(execution, seen)
    return withCurrent(execution, { ...afterNoAnswer(unanswered, answer, isUrgent, now), ...seen })
  }
  return {
    ...execution,
    current: {
      ...current,
      ...(current.reading !== undefined && { isReadAgain: true }),
      reading: withTakenBack(reading.account, execution),
      ...afterCoinsRead(execution, true),
    },
  }
}

function causeOf(reading: Exclude<Reading, { outcome: 'read' }>): string {
  return reading.outcome === 'refused' ? reading.error : reading.cause
}

function afterPlacing(
  execution: Execution,
  { decision, placement }: Extract<Observation, { of: 'place' }>,
  now: number,
): Execution {
  if (execution.current.stored === undefined) return afterSinglePlacement(execution, decision, placement, now)
  const { clientOrderId } = decision.plan
  return afterLegsPlaced(execution, [[clientOrderId, placement]], now)
}

function afterAsking(
  execution: Execution,
  { ref, lookUp, askedAt }: Extract<Observation, { of: 'lookUp' }>,
  now: number,
): Execution {
  const { stored } = execution.current
  let isProven = false
  const asked = withOrders(execution, ref.clientOrderId, (attempt) => {
    const after = afterLookUp(attempt, lookUp, askedAt, now, execution.absence)
    if (after !== 'absent') return after
    isProven = true
    return anew(attempt, stored !== undefined)
  })
  if (!isProven || (stored !== undefined && stored.record.state !== 'placing')) return asked
  if (execution.isRestored) return stored === undefined ? withCurrent(asked, { ending: notSentAgain }) : asked
  // Nothing of this order ever reached the venue, so nothing behind it did: from here on the run is a live one.
  const live = { ...asked, notAbsentBefore: undefined }
  if (stored !== undefined) return live
  // The command is decided anew.
  const { startedAt, orders = [], taking } = asked.current
  return { ...live, current: { startedAt, orders, ...(taking && { taking }) } }
}

function afterSettling(
  { wasFlat: _over, ...execution }: Execution,
  outcome: CommandResult,
  now: number,
): Execution {
  const dueAt = dueAfter(execution.dueAt, outcome)
  const settled = { ...execution, dueAt, outcomes: [...execution.outcomes, outcome] }
  return begin(endsUnbegun(execution, outcome) ? { ...settled, ...unbegun } : settled, now)
}

const unbegun = { isUnbegun: true, notAbsentBefore: undefined } as const

/**
 * True for a command given up in doubt of an order that reads agree not to be there: that is too little to send it again,
 * and enough to know that nothing behind it was, which an owner sends after its answer alone.
 */
function endsUnbegun({ current, notAbsentBefore }: Execution, { errorCode }: CommandResult): boolean {
  if (errorCode !== 'E602' || notAbsentBefore === undefined || current.stored !== undefined) return false
  const { orders = [] } = current
  return orders.length > 0 && orders.every(({ doubt }) => doubt !== undefined && isAbsentByReads(doubt))
}

/** Commands behind a wait are due when it was over. */
function dueAfter(dueAt: number, { result }: CommandResult): number {
  return result !== null && 'woke_at' in result ? result.woke_at : dueAt
}

/** The execution at the beginning of its next command; an earlier owner may have sent that one's order. */
function begin(execution: Execution, now: number): Execution {
  const { commands, outcomes, notAbsentBefore } = execution
  const command = commands[outcomes.length]
  const current: Current = { startedAt: now }
  const begun = { ...execution, current }
  if (notAbsentBefore === undefined || command === undefined || !isSingle(command)) return begun
  return withCurrent(begun, { orders: [inheritedAttempt(begun, command, notAbsentBefore, now)] })
}

/** Behind a failure nothing is sent; but an earlier attempt may have come further than this one can see. */
function behind(failure: CommandResult, { notAbsentBefore }: Execution, command: Command): Ending {
  const isUntold = failure.errorCode === 'E602' && notAbsentBefore !== undefined && placesOrders(command)
  if (isUntold) return failed('E602', resultNotReported)
  const { status, errorCode, error } = failure
  if (status !== 'skipped' || errorCode === null) return skipped()
  return skipped({ code: errorCode, error: error ?? '' })
}

/** The execution with the order of this id changed, whether it is one to be placed or one to be canceled. */
function withOrders(
  execution: Execution,
  clientOrderId: string,
  change: (attempt: Attempt) => Attempt,
): Execution {
  const { orders, canceling } = execution.current
  if (canceling !== undefined) {
    const targets = withAttempt(canceling.targets, clientOrderId, change)
    return withCurrent(execution, { canceling: { ...canceling, targets } })
  }
  return withCurrent(execution, { orders: withAttempt(orders ?? [], clientOrderId, change) })
}

function withCanceling(execution: Execution, change: (canceling: Canceling) => Canceling): Execution {
  const { canceling } = execution.current
  return canceling === undefined ? execution : withCurrent(execution, { canceling: change(canceling) })
}

/** Changes the execution by its running command, which is of this type. */
function ofType<Type extends Command['type']>(
  execution: Execution,
  type: Type,
  change: (command: Extract<Command, { type: Type }>) => Execution,
): Execution {
  const command = execution.commands[execution.outcomes.length]
  if (command?.type !== type) throw new Error(`an observation of a ${type} that does not run`)
  return change(command as Extract<Command, { type: Type }>)
}

/**
 * True for an outcome that nothing at the venue shows: it is stored before it is reported and before anything
 * behind it is sent. A successor that finds no order of a command sends it, and takes what lies behind it for never sent.
 */
export function leavesNoTrace({ status, result }: CommandResult): boolean {
  if (status !== 'success') return status === 'failed'
  return result !== null && !('client_order_id' in result)
}
