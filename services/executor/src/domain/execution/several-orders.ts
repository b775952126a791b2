import type { OrderOutcome } from '@tripline/proto/command-result'
import { type BotLimits, permit } from '../account/permit.ts'
import { isAgainst } from '../account/position.ts'
import { atOnce, heldIn, sentOf } from '../group/alternating-pair.ts'
import { groupOf, type SeveralCommand } from '../group/group.ts'
import { hasMovedOn, type LegsRecord, type StoredLegs } from '../group/legs-record.ts'
import {
  type Attempt,
  afterPlacement,
  attemptOf,
  foundOf,
  isGivenUpOn,
  isOpenOrder,
  lookUpOf,
  nextToEnd,
  withAttempt,
} from '../order/attempt.ts'
import { doubtFrom, isGivenUp } from '../order/doubt.ts'
import { type Ending, type Failure, failed, succeeded } from '../order/ending.ts'
import { isImmediate, isProtective, isTakeProfit, isTerminal, type Placement } from '../order/order.ts'
import { heldOutcome, orderOutcome } from '../order/outcome.ts'
import { revised } from '../order/revision.ts'
import { decide } from '../resolve/decide.ts'
import { foreseenEnding } from './foreseen-ending.ts'
import {
  heldBackAfter,
  isHeldBack,
  isPatienceOver,
  resultNotReported,
  shrinks,
  unanswered,
} from './single-order.ts'
import { type Execution, endUnsent, placeOf, type Step, settle, withCurrent } from './state.ts'

/** Returns the next step of a command of several orders. */
export function nextForSeveral(
  execution: Execution,
  command: SeveralCommand,
  limits: BotLimits,
  now: number,
): Step {
  const { current, notAbsentBefore } = execution
  const { stored } = current
  if (stored === undefined) {
    const mayBeStored = notAbsentBefore !== undefined && current.isRecalled !== true
    return mayBeStored ? { do: 'recall' } : nextUnrecorded(execution, command, limits, now)
  }
  if (stored.record.failure !== undefined) return nextUndoing(execution, stored.record.failure, now)
  if (stored.record.state !== 'placing') return nextForSettled(execution, command, stored, now)
  return nextPlacing(execution, stored, limits, now)
}

/** The execution once its command's record is known: written now, or found. */
export function withStored(execution: Execution, stored: StoredLegs, now: number): Execution {
  const { current, notAbsentBefore } = execution
  const known = new Map(current.orders?.map((attempt) => [attempt.ref.clientOrderId, attempt]))
  const orders = sentOf(stored.record).map((decision) => {
    const attempt = known.get(decision.plan.clientOrderId) ?? attemptOf(decision)
    if (notAbsentBefore === undefined || known.has(decision.plan.clientOrderId)) return attempt
    const doubted = { rule: execution.absence, notAbsentBefore, isImmediate: isImmediate(decision.plan) }
    return { ...attempt, doubt: doubtFrom(now, doubted) }
  })
  return withCurrent(execution, { stored, orders })
}

function nextUnrecorded(execution: Execution, command: SeveralCommand, limits: BotLimits, now: number): Step {
  const { reading } = execution.current
  const { market } = execution
  const decided = decide(command, placeOf(execution), reading)
  if (decided === 'read' || reading === undefined) return { do: 'read' }
  if ('ending' in decided) return endUnsent(execution, decided.ending, now)
  const plans = decided.orders.map(({ plan }) => plan)
  const group = groupOf(command, plans, market)
  if ('status' in group) return settle(execution, group, now)
  const permitted = permit(plans, reading, now - execution.dueAt, limits)
  if (permitted !== 'placed') return permitted === 'read' ? { do: 'read' } : settle(execution, permitted, now)
  const foreseen = foreseenEnding(execution, decided.orders)
  if (foreseen !== undefined) return settle(execution, foreseen, now)
  const record: LegsRecord = {
    state: 'placing',
    ...group,
    ...(plans.some((plan) => isProtective(plan) && isAgainst(plan, reading)) && { protects: true }),
    legs: decided.orders.map((decision) => ({ decision, revision: 0 })),
  }
  return { do: 'record', record, over: 0 }
}

function nextPlacing(execution: Execution, stored: StoredLegs, limits: BotLimits, now: number): Step {
  const orders = execution.current.orders ?? []
  const asked = askedFirst(orders, now)
  if (asked === 'given up') return toLive(stored, orders)
  if (asked !== undefined) return asked
  const late = exitInstead(stored, orders)
  if (late !== undefined) return late
  const failure = (attempt: Attempt): Failure | undefined => failureOf(attempt, execution, limits, now)
  const broken = orders.map(failure).find((each) => each !== undefined)
  if (broken !== undefined && !isProtected(stored, orders)) return undoing(execution, stored, broken, now)
  const isFilledEarly = orders.some(({ found }) => found?.status === 'filled')
  const unsent = orders.filter((attempt) => attempt.found === undefined && failure(attempt) === undefined)
  if (unsent.length === 0 || isFilledEarly) return toLive(stored, orders, broken)
  return nextUnsent(execution, stored, unsent, limits, now)
}

/** True where a stop stands that limits the loss of a position: it stays, however the other legs end. */
function isProtected({ record }: StoredLegs, orders: readonly Attempt[]): boolean {
  if (record.protects !== true) return false
  return orders.some((attempt) => {
    const plan = attempt.decision?.plan
    return plan !== undefined && isProtective(plan) && isOpenOrder(attempt)
  })
}

/** Takes the profit at once, under the leg's next id, where the market had reached it before its order came there. */
function exitInstead({ record, revision }: StoredLegs, orders: readonly Attempt[]): Step | undefined {
  const late = record.legs.find(({ decision: { plan } }) => {
    const attempt = orders.find(({ ref }) => ref.clientOrderId === plan.clientOrderId)
    return attempt?.refusal?.code === 'E507' && isTakeProfit(plan) && plan.reduceOnly
  })
  if (late === undefined) return undefined
  const { decision } = late
  const next = late.revision + 1
  const plan = { ...atOnce(decision.plan), clientOrderId: revised(decision.plan.clientOrderId, next) }
  const exit = { ...late, revision: next, decision: { ...decision, plan } }
  const legs = record.legs.map((leg) => (leg === late ? exit : leg))
  return { do: 'record', record: { ...record, legs }, over: revision }
}

/** Sends the next leg. As long as none was sent, the command may still come too late. */
function nextUnsent(
  execution: Execution,
  stored: StoredLegs,
  unsent: readonly Attempt[],
  limits: BotLimits,
  now: number,
): Step {
  const { orders = [], reading } = execution.current
  const decisions = unsent.flatMap(({ decision }) => (decision === undefined ? [] : [decision]))
  const [first, second] = decisions
  if (first === undefined) throw new Error('a leg that was not decided on')
  if (orders.every(({ found }) => found === undefined)) {
    const plans = decisions.map(({ plan }) => plan)
    const permitted = permit(plans, reading, now - execution.dueAt, limits)
    if (permitted === 'read') return { do: 'read' }
    if (permitted !== 'placed') {
      const { errorCode, error } = permitted
      return undoing(execution, stored, { code: errorCode ?? 'E605', error: error ?? '' }, now)
    }
  }
  const notBefore = unsent[0]?.notBefore ?? 0
  if (now < notBefore) return { do: 'wait', until: notBefore }
  // A leg that stands may have filled meanwhile.
  const unseen = orders.find((attempt) => isOpenOrder(attempt) && (attempt.notBefore ?? 0) < notBefore)
  if (unseen !== undefined) return { do: 'lookUp', ref: unseen.ref }
  if (stored.record.keeper === 'executor') return { do: 'place', decision: first }
  return second === undefined ? toLive(stored, orders) : { do: 'placeOco', pair: [first, second] }
}

/** The execution after orders of its group were sent; an exit that was not taken for now is sent again. */
export function afterLegsPlaced(
  execution: Execution,
  placements: readonly (readonly [clientOrderId: string, Placement])[],
  now: number,
): Execution {
  return placements.reduce((placed, [id, placement]) => afterLegPlaced(placed, id, placement, now), execution)
}

function afterLegPlaced(
  execution: Execution,
  clientOrderId: string,
  placement: Placement,
  now: number,
): Execution {
  const { orders = [] } = execution.current
  const sent = (attempt: Attempt): Attempt => {
    const { decision } = attempt
    return decision !== undefined && isHeldBack(placement, decision, execution)
      ? { ...attempt, ...heldBackAfter(attempt.heldBack, placement, now) }
      : afterPlacement(attempt, placement, now, execution.absence, execution.current.startedAt)
  }
  return withCurrent(execution, { orders: withAttempt(orders, clientOrderId, sent) })
}

/** Returns the step before any other, for an order whose fate is open. */
function askedFirst(orders: readonly Attempt[], now: number): Step | 'given up' | undefined {
  const open = orders.filter(({ doubt }) => doubt !== undefined)
  if (open.some((attempt) => isGivenUpOn(attempt, now))) return 'given up'
  const due = open.find(({ doubt }) => doubt !== undefined && now >= doubt.nextLookUpAt)
  if (due !== undefined) return lookUpOf(due, due.ref, now)
  const [soonest] = open.map(({ doubt }) => doubt?.nextLookUpAt ?? now).toSorted((one, other) => one - other)
  return soonest === undefined ? undefined : { do: 'wait', until: soonest }
}

/** Why a leg cannot be part of its group; undefined where it is, or may become so. */
function failureOf(
  { refusal, found, unansweredSince, decision, heldBack }: Attempt,
  execution: Execution,
  limits: BotLimits,
  now: number,
): Failure | undefined {
  if (refusal !== undefined) return refusal
  if (found === undefined) {
    if (heldBack !== undefined && now - heldBack.since >= limits.exitRetryMs) return heldBack.failure
    const isExit = decision !== undefined && shrinks(decision, execution)
    return isPatienceOver(unansweredSince, isExit, limits, now)
      ? { code: 'E601', error: unanswered }
      : undefined
  }
  if (!isTerminal(found) || found.status === 'filled') return undefined
  return { code: 'E601', error: `The exchange ended the order as ${found.status}` }
}

/** All that will be sent was: legs that were not are no part of the group. */
function toLive({ record, revision }: StoredLegs, orders: readonly Attempt[], incomplete?: Failure): Step {
  const sent = new Set(
    orders.flatMap(({ ref, found, doubt }) => ((found ?? doubt) === undefined ? [] : [ref.clientOrderId])),
  )
  const held = heldIn(record)
  const legs = record.legs.filter(
    ({ decision }) => decision === held || sent.has(decision.plan.clientOrderId),
  )
  const live: LegsRecord = { ...record, state: 'live', legs, ...(incomplete && { incomplete }) }
  return { do: 'record', record: live, over: revision }
}

/** Before anything is undone it is written that it will be: a successor must not complete what is being undone. */
function undoing(
  execution: Execution,
  { record, revision }: StoredLegs,
  failure: Failure,
  now: number,
): Step {
  const hasPlaced = (execution.current.orders ?? []).some(({ found }) => found !== undefined)
  if (!hasPlaced) return settle(execution, failed(failure.code, failure.error), now)
  return { do: 'record', record: { ...record, state: 'closing', failure }, over: revision }
}

/** Every leg was sent: the command is done once the outcome of each is known. */
function nextForSettled(
  execution: Execution,
  command: SeveralCommand,
  stored: StoredLegs,
  now: number,
): Step {
  const orders = execution.current.orders ?? []
  const asked = askedFirst(orders, now)
  if (asked === 'given up') return settle(execution, failed('E602', resultNotReported, listed(orders)), now)
  if (asked !== undefined) return asked
  const isNothing = orders.every(({ found }) => found === undefined) && !hasMovedOn(stored.record)
  if (isNothing) return settle(execution, failed('E601', unanswered), now)
  const result = resultOf(command, stored, orders)
  const { incomplete } = stored.record
  if (incomplete === undefined) return settle(execution, succeeded(result), now)
  const error = `${incomplete.error} (${incomplete.code}); the rest stays: ${inWords(orders)}`
  return settle(execution, failed('E604', error, result), now)
}

function resultOf(
  { type }: SeveralCommand,
  { record }: StoredLegs,
  orders: readonly Attempt[],
): Ending['result'] {
  const held = orders.some(isOpenOrder) ? heldIn(record) : undefined
  const outcomes = [...outcomesOf(orders), ...(held === undefined ? [] : [heldOutcome(held)])]
  if (type === 'stopOrTakeProfit') {
    const isStop = ({ type }: OrderOutcome): boolean => type === 'stop' || type === 'stopLimit'
    const stopLoss = outcomes.find(isStop) ?? null
    return { stopLoss, takeProfit: outcomes.find((outcome) => !isStop(outcome)) ?? null }
  }
  return { orders_count: outcomes.length, orders: outcomes, kept_by: record.keeper }
}

function outcomesOf(orders: readonly Attempt[]): OrderOutcome[] {
  return orders.flatMap((attempt) => foundOf(attempt).map((found) => orderOutcome(found, attempt)))
}

/** Returns orders that a failed command has left, or had. */
function listed(orders: readonly Attempt[]): Ending['result'] {
  const outcomes = outcomesOf(orders)
  return outcomes.length === 0 ? null : { undone: outcomes }
}

function nextUndoing(execution: Execution, failure: Failure, now: number): Step {
  const orders = execution.current.orders ?? []
  const asked = askedFirst(orders, now)
  if (asked === 'given up') return settle(execution, failed('E602', resultNotReported, listed(orders)), now)
  if (asked !== undefined) return asked
  const open = orders.filter(({ found }) => found !== undefined && !isTerminal(found))
  const stuck = open.filter(
    ({ cancelingSince }) => cancelingSince !== undefined && isGivenUp(cancelingSince, now),
  )
  if (stuck.length > 0) {
    const error = `${failure.error} (${failure.code}); what was placed is not undone yet, and still canceled; look at the exchange`
    return settle(execution, failed('E604', error, listed(orders)), now)
  }
  const due = open.find(({ notBefore = 0 }) => now >= notBefore) ?? open[0]
  if (due !== undefined) return nextToEnd(due, now)
  const error = `${failure.error} (${failure.code}); undone: ${inWords(orders)}`
  return settle(execution, failed('E604', error, listed(orders)), now)
}

function inWords(orders: readonly Attempt[]): string {
  return orders
    .flatMap(foundOf)
    .map(({ side, filled, quantity, status }) => `${side} ${quantity} ${status}, ${filled} filled`)
    .join('; ')
}
