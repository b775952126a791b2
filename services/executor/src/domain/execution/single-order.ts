import type { Command } from '@tripline/proto/alert-tree'
import type { OrderOutcome } from '@tripline/proto/command-result'
import { isZero } from '@tripline/proto/decimal'
import { onlyExits } from '@tripline/proto/exit'
import { withNeed } from '../account/funds.ts'
import { type BotLimits, permit } from '../account/permit.ts'
import { atOnce } from '../group/alternating-pair.ts'
import {
  type Attempt,
  afterPlacement,
  attemptOf,
  type Decision,
  type HeldBack,
  isGivenUpOn,
  isTooOften,
  lookUpOf,
  pauseAfter,
} from '../order/attempt.ts'
import { type Doubt, doubtFrom, isGivenUp } from '../order/doubt.ts'
import { type Ending, type Failure, failed, nothingToDo, succeeded } from '../order/ending.ts'
import { filledInPart } from '../order/filled-in-part.ts'
import { isTakeProfit, isTerminal, type Placement, type VenueOrder } from '../order/order.ts'
import { orderOutcome } from '../order/outcome.ts'
import { decide, orderIdOf } from '../resolve/decide.ts'
import { foreseenEnding, isReadFirst } from './foreseen-ending.ts'
import { afterLateReading } from './late-reading.ts'
import { type Execution, endUnsent, placeOf, type Step, settle, withCurrent } from './state.ts'
import { afterShortage, isShortOfCoins, maySell, namingOthers, nextForCoins } from './taking-back.ts'
import { isOutOfPatience, isTriedOut } from './unanswered.ts'

/** Message of a command that was given up. */
export const resultNotReported =
  'The exchange did not report the result of the order; look there before sending it again'
/** Message of a command whose order was sent and sent, and never arrived. */
export const unanswered =
  'The exchange took none of the orders sent to it; nothing of this command was executed'
const leftOpen = 'The exchange has the order but did not end it; look there before sending it again'

/** A command that comes to one order, or to none. */
export type SingleCommand = Extract<Command, { type: 'market' | 'limit' | 'stopOrder' | 'stopOrTakeProfit' }>

/** True for a command that comes to one order at most: no record is needed to find it again. */
export function isSingle(command: Command): command is SingleCommand {
  if (command.type === 'stopOrTakeProfit') return command.sl === undefined || command.tp === undefined
  return command.type === 'market' || command.type === 'limit' || command.type === 'stopOrder'
}

/** The attempt at the order of a command which an earlier owner may have sent. */
export function inheritedAttempt(
  execution: Execution,
  command: SingleCommand,
  notAbsentBefore: number,
  now: number,
): Attempt {
  const place = placeOf(execution)
  const clientOrderId = orderIdOf(place, 0, 0, command.tag)
  const isConditional = command.type === 'stopOrder' || command.type === 'stopOrTakeProfit'
  const ref = { symbol: place.market.symbol, clientOrderId, isConditional }
  const doubted = { rule: execution.absence, notAbsentBefore, isImmediate: neverRests(command) }
  return { ref, doubt: doubtFrom(now, { ...doubted, isInherited: true }) }
}

function neverRests(command: SingleCommand): boolean {
  const { type } = command
  return type === 'market' || (type === 'limit' && (command.tif === 'ioc' || command.tif === 'fok'))
}

/** Returns the next step of a command of one order. */
export function nextForSingle(
  execution: Execution,
  command: SingleCommand,
  limits: BotLimits,
  now: number,
): Step {
  const { current } = execution
  if (current.taking === undefined && maySell(command, execution.market)) return { do: 'ownExits' }
  const [attempt] = current.orders ?? []
  if (attempt === undefined) return nextUnsent(execution, command, limits, now)
  if (attempt.found !== undefined) return nextForFound(execution, command, attempt, attempt.found, now)
  if (attempt.doubt !== undefined) return nextInDoubt(execution, command, attempt.doubt, limits, now)
  if (attempt.refusal !== undefined) {
    const late = exitInstead(attempt, execution)
    if (late !== undefined) return nextDecided(execution, late, limits, now)
    return settle(execution, refusedEnding(command, attempt.refusal, attempt.decision), now)
  }
  if (attempt.notBefore !== undefined && now < attempt.notBefore)
    return { do: 'wait', until: attempt.notBefore }
  // Proven absent each time, and sent again each time: at some point the venue is simply not there.
  if (isPatienceOver(attempt.unansweredSince, isExit(attempt, command, execution), limits, now))
    return settle(execution, failed('E601', unanswered), now)
  return nextUnsent(execution, command, limits, now)
}

/** An order in doubt is sent again where the market takes its name only once, and looked up otherwise. */
function nextInDoubt(
  execution: Execution,
  command: SingleCommand,
  doubt: Doubt,
  limits: BotLimits,
  now: number,
): Step {
  const [attempt] = execution.current.orders ?? []
  if (attempt === undefined) throw new Error('a doubt about no order')
  const mayBeSent = maySendInDoubt(execution, attempt, doubt)
  const isTriedOn = mayBeSent && isExit(attempt, command, execution) && !isTriedOut(doubt.since, limits, now)
  if (isGivenUpOn(attempt, now) && !isTriedOn)
    return settle(execution, failed('E602', resultNotReported), now)
  const due = [doubt.nextLookUpAt, attempt.notBefore ?? now].find((at) => now < at)
  if (due !== undefined) return { do: 'wait', until: due }
  // Orders that a former owner may have sent are sent at once, and ours once a look-up did not show them.
  const isDue = mayBeSent && (doubt.isInherited || doubt.absences > 0)
  const again = isDue ? nextToSend(execution, command, attempt, limits, now) : undefined
  return again ?? lookUpOf(attempt, attempt.ref, now)
}

/** True for an exit by its words, or by what it came to as it was sent. */
function isExit({ isExit: wasExit }: Attempt, command: SingleCommand, { market }: Execution): boolean {
  return wasExit === true || onlyExits(command, market.kind)
}

/** True where a second order of the name can only be refused, and none was. */
function maySendInDoubt({ isRestored }: Execution, { refusal }: Attempt, doubt: Doubt): boolean {
  return doubt.rule.areNamesUnique && !isRestored && refusal === undefined && !doubt.isThere
}

/** The step that sends an order in doubt, or comes to that; undefined where it may not be sent, which may be its own doing. */
function nextToSend(
  execution: Execution,
  command: SingleCommand,
  { decision, doubt }: Attempt,
  limits: BotLimits,
  now: number,
): Step | undefined {
  const { unanswered } = execution.current
  // An unreadable account is tried again only after the order was asked for each time.
  const isUnread = unanswered !== undefined && (doubt?.asked ?? 0) < unanswered.times
  if (
    limits.tradingState === 'halted' ||
    isUnread ||
    (unanswered && isOutOfPatience(unanswered, limits, now))
  )
    return undefined
  const step =
    decision === undefined
      ? nextUnsent(execution, command, limits, now)
      : nextDecided(execution, decision, limits, now)
  return step.do === 'read' || step.do === 'place' ? step : undefined
}

/** The execution after the order of a command was sent. */
export function afterSinglePlacement(
  execution: Execution,
  decision: Decision,
  placement: Placement,
  now: number,
): Execution {
  const { absence, notAbsentBefore } = execution
  const { reading: _seen, ...unseen } = execution.current
  const { startedAt, orders } = unseen
  if (isShortOfCoins(placement, decision, execution)) return afterShortage(execution, placement)
  const { unansweredSince, doubt } = orders?.[0] ?? {}
  const pause = isHeldBack(placement, decision, execution)
    ? heldBackAfter(execution.current.heldBack, placement, now)
    : afterLateReading(placement, decision, execution, now)
  if (doubt === undefined && pause !== undefined) {
    // Nothing was placed: it is decided on anew, by what is held then.
    const { orders: _refused, ...current } = unseen
    return { ...execution, current: { ...current, ...pause } }
  }
  const sent = {
    ...attemptOf(decision),
    ...(shrinks(decision, execution) && { isExit: true }),
    ...(unansweredSince !== undefined && { unansweredSince }),
    ...(doubt && { doubt }),
  }
  // A reading from before the order was withheld may be long past when it is sent.
  const current = placement.outcome === 'withheld' ? unseen : execution.current
  const refined = withNeed(placement, decision.plan, execution.market, execution.current.reading)
  const attempt = afterPlacement(sent, refined, now, absence, startedAt)
  // The venue took it now, so it had none of its name, and nothing behind it was begun before.
  const isNew = placement.outcome === 'done' && placement.source !== 'stream'
  const begunBefore = isNew ? undefined : notAbsentBefore
  return withCurrent({ ...execution, notAbsentBefore: begunBefore, current }, { orders: [attempt] })
}

/** True where an exit was not taken as the exchange was asked too often: it is tried again after a pause. */
export function isHeldBack(
  placement: Placement,
  decision: Decision,
  execution: Execution,
): placement is Extract<Placement, { outcome: 'refused' }> {
  return placement.outcome === 'refused' && isTooOften(placement) && shrinks(decision, execution)
}

/** Since when an exit is not taken, and when it is tried again. */
export function heldBackAfter(
  before: HeldBack | undefined,
  { code, error }: Failure,
  now: number,
): { heldBack: HeldBack; notBefore: number } {
  const since = before?.since ?? now
  return { heldBack: { since, failure: { code, error } }, notBefore: now + 5 * pauseAfter(now - since) }
}

/** True for an order that was sent again and again and never arrived, for as long as one of its kind is tried. */
export function isPatienceOver(
  unansweredSince: number | undefined,
  isExit: boolean,
  { exitRetryMs }: Pick<BotLimits, 'exitRetryMs'>,
  now: number,
): boolean {
  if (unansweredSince === undefined || !isGivenUp(unansweredSince, now)) return false
  return !isExit || now - unansweredSince >= exitRetryMs
}

/** True for an order that can open nothing. */
export function shrinks({ plan: { reduceOnly, side } }: Decision, { market }: Execution): boolean {
  return reduceOnly || (market.kind === 'spot' && side === 'sell')
}

/**
 * Takes the profit at once where the market had reached it before its order came there. Refused orders are not at the
 * exchange, so the exit has its id, by which a successor asks for it.
 */
function exitInstead({ refusal, decision }: Attempt, execution: Execution): Decision | undefined {
  if (refusal?.code !== 'E507' || decision === undefined) return undefined
  if (!isTakeProfit(decision.plan) || !shrinks(decision, execution)) return undefined
  return { ...decision, plan: atOnce(decision.plan) }
}

/** Returns the ending of a command refused by the exchange: too little to be closed is a rest, and nothing to do. */
function refusedEnding(command: SingleCommand, { code, error }: Failure, decision?: Decision): Ending {
  const { position } = command
  const closes = position !== undefined && isZero(position.value)
  const isCapped = decision?.warnings?.some((warning) => warning.code === 'W705') ?? false
  const isTooLittle = code === 'E502' || code === 'E504'
  if (command.type !== 'market' || !closes || isCapped || !isTooLittle) return failed(code, error)
  return nothingToDo(`what is left is below the least order: ${error}`, 'N803')
}

function nextUnsent(execution: Execution, command: SingleCommand, limits: BotLimits, now: number): Step {
  const { reading } = execution.current
  const forCoins = maySell(command, execution.market)
    ? nextForCoins(execution, command, limits, now)
    : undefined
  if (forCoins !== undefined) return forCoins
  const sized = decide(command, placeOf(execution), reading)
  if (sized === 'read' || isReadFirst(execution, command)) return { do: 'read' }
  const decided = namingOthers(sized, execution)
  if ('ending' in decided) return endUnsent(execution, decided.ending, now)
  const [decision] = decided.orders
  if (decision === undefined) throw new Error(`${command.type} came to no order`)
  const ending = foreseenEnding(execution, decided.orders)
  if (ending !== undefined) return settle(execution, ending, now)
  return nextDecided(execution, decision, limits, now)
}

function nextDecided(execution: Execution, decision: Decision, limits: BotLimits, now: number): Step {
  const { reading } = execution.current
  const permitted = permit([decision.plan], reading, now - execution.dueAt, limits)
  if (permitted === 'read') return { do: 'read' }
  return permitted === 'placed' ? { do: 'place', decision } : settle(execution, permitted, now)
}

function nextForFound(
  execution: Execution,
  command: SingleCommand,
  attempt: Attempt,
  found: VenueOrder,
  now: number,
): Step {
  const ending = endingOf(command, found, attempt)
  if (isTerminal(found) || rests(command, attempt)) return settle(execution, ending, now)
  const { notBefore = 0, foundAt = now } = attempt
  if (now < notBefore) return { do: 'wait', until: notBefore }
  if (!isGivenUp(foundAt, now)) return { do: 'lookUp', ref: attempt.ref }
  return settle(execution, failed('E602', leftOpen, ending.result), now)
}

/** True for a command that has done its work once the venue has its order. */
function rests(command: SingleCommand, { decision }: Attempt): boolean {
  if (command.type === 'market' || decision?.plan.type === 'market') return false
  return command.type !== 'limit' || (command.tif !== 'ioc' && command.tif !== 'fok')
}

/** The outcome of an order; of one that was to be met at once with the warning that a part was not. */
function endedOutcome(command: SingleCommand, order: VenueOrder, attempt: Attempt): OrderOutcome {
  const outcome = orderOutcome(order, attempt)
  const warning = rests(command, attempt) ? undefined : filledInPart(order, attempt.decision?.plan)
  const { warnings = [] } = outcome
  if (warning === undefined || warnings.some(({ code }) => code === warning.code)) return outcome
  return { ...outcome, warnings: [...warnings, warning] }
}

function endingOf(command: SingleCommand, order: VenueOrder, attempt: Attempt): Ending {
  const outcome = endedOutcome(command, order, attempt)
  const result =
    command.type !== 'stopOrTakeProfit'
      ? outcome
      : { stopLoss: command.sl ? outcome : null, takeProfit: command.tp ? outcome : null }
  // One that an earlier owner left resting may have ended since: that is no failure of its command.
  const hasRested = attempt.decision === undefined && rests(command, attempt) && order.status !== 'rejected'
  if (isTerminal(order) && isZero(order.filled) && !hasRested) {
    return failed('E601', `The exchange ended the order as ${order.status}`, result)
  }
  return succeeded(result)
}
