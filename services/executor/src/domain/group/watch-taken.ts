import {
  add,
  floorToStep,
  isGreater,
  isLess,
  isZero,
  least,
  multiply,
  plain,
  subtract,
} from '@tripline/proto/decimal'
import { type Attempt, type Decision, isOpenOrder, nextToEnd } from '../order/attempt.ts'
import type { Market } from '../order/market.ts'
import {
  isProtective,
  isTerminal,
  type NamedOrder,
  type OrderPlan,
  restingOrder,
  type VenueOrder,
} from '../order/order.ts'
import { foundAgain } from '../order/outcome.ts'
import { mostRevisions } from '../order/revision.ts'
import { isLone, type LegsRecord, type TakenBack } from './legs-record.ts'
import type { OwnExit, StandingAgain } from './own-exits.ts'
import {
  anew,
  emitBare,
  isLongBare,
  isPair,
  nextPlacing,
  notPlaced,
  refusalIn,
  stays,
  whatStands,
} from './placing-again.ts'
import { askNext, type Notice, toRecord, type Watch, type WatchStep } from './watch.ts'
import { leftOf } from './watch-alternation.ts'

/** The orders of a watch as a sale may take them back; undefined where they sell nothing that is held, or cannot stand again. */
export function ownExitOf(name: string, watch: Watch): OwnExit | undefined {
  const { market, stored, attempts } = watch
  const { record } = stored
  const isTakeable = market.kind === 'spot' && record.state === 'live' && record.isUntold !== true
  const isAlone = isLone(record) || record.turn !== undefined
  if (!isTakeable || !isAlone || record.legs.some(({ revision }) => revision >= mostRevisions))
    return undefined
  const { takenBack } = record
  const there = takenBack === undefined ? attempts.filter(mayBeOpen) : attempts
  const orders = there.flatMap(orderOf)
  if (orders.length === 0 || orders.length < there.length || orders.some(({ side }) => side !== 'sell'))
    return undefined
  return {
    name,
    orders: orders.map(namedOrder),
    coins: coinsIn(watch),
    isLocking: market.features.nativeOco || orders.some(hasLocked),
    limitsLoss: record.legs.some(({ decision: { plan } }) => isProtective(plan)),
    ...(takenBack && { taken: { ...takenBack, isAway: isAway(takenBack, attempts) } }),
  }
}

/** Returns the state of orders taken back for a sale now that it has ended. */
export function standingOf(name: string, watch: Watch): StandingAgain {
  const { record } = watch.stored
  const refusal = refusalIn(watch)
  if (refusal !== undefined) return { name, coins: '0', remark: notPlaced(refusal.error) }
  if (record.isPassed === true) return { name, coins: '0', remark: isSeen(watch) ? soldNow : toBeSold }
  if (record.state === 'done') return { name, coins: '0' }
  if (record.turn === 'alone') return { name, coins: '0', remark: stopGone }
  const isThere = record.takenBack === undefined && watch.attempts.some(isOpenOrder)
  return isThere ? { name, coins: coinsIn(watch) } : { name, coins: '0', remark: notYet }
}

/** True where the exchange has the order that sells in place of a stop. */
function isSeen({ attempts }: Watch): boolean {
  return attempts.some(
    ({ found, decision }) => found !== undefined && decision?.plan.triggerPrice === undefined,
  )
}

const soldNow = 'its price was passed: it is sold at once'
const toBeSold =
  'its price was passed: it is to be sold at once, and the exchange has not confirmed that yet, look there'
const stopGone = 'its stop was not taken by the exchange, and only its other order is placed'
const notYet = 'it is not seen to stand again yet, look at the exchange'

/** True for an order whose coins such an exchange locks, or locked: one without a trigger, or that was triggered. */
function hasLocked(order: VenueOrder): boolean {
  const { triggerPrice, status, filled } = order
  if (triggerPrice === null) return true
  return isTerminal(order) ? !isZero(filled) : status !== 'untriggered'
}

function isAway({ phase }: TakenBack, attempts: readonly Attempt[]): boolean {
  return isTaken(phase) && !attempts.some((attempt) => isOpenOrder(attempt) || attempt.doubt !== undefined)
}

/** True while the sale has not ended. */
function isTaken(phase: TakenBack['phase']): boolean {
  return phase === 'taking' || phase === 'selling'
}

function mayBeOpen({ found }: Attempt): boolean {
  return found === undefined || !isTerminal(found)
}

/** The order as the exchange last reported it, or as it was to be placed; none where neither is known. */
function orderOf({ found, decision }: Attempt): VenueOrder[] {
  if (found !== undefined) return found.type === 'other' ? [] : [found]
  return decision === undefined || decision.plan.sizing === foundAgain ? [] : [restingOrder(decision.plan)]
}

function namedOrder(order: VenueOrder): NamedOrder {
  const { venueOrderId, clientOrderId, side, type, quantity, filled, price, triggerPrice } = order
  return { venueOrderId, clientOrderId, side, type, quantity, filled, price, triggerPrice }
}

/** Returns the coins that the orders would still sell, of which a pair is over the same ones. */
function coinsIn(watch: Watch): string {
  const { record } = watch.stored
  if (record.turn !== undefined) return leftOf(watch)
  const left = watch.attempts.flatMap(orderOf).map(({ quantity, filled }) => subtract(quantity, filled))
  return isPair(record) ? left.reduce(lesser, left[0] ?? '0') : left.reduce(add, '0')
}

// Coins sold by one of a pair are not there for the other.
const lesser = (one: string, other: string): string => (isLess(other, one) ? other : one)

/**
 * The record once the orders are taken back for a sale, with whatever is needed to place them again; undefined where they
 * are already, or cannot be.
 */
export function takenFor(watch: Watch, by: string): LegsRecord | undefined {
  const { stored, attempts } = watch
  const { takenBack } = stored.record
  if (ownExitOf('', watch) === undefined) return undefined
  if (takenBack !== undefined && (takenBack.by !== by || isTaken(takenBack.phase))) return undefined
  const legs = stored.record.legs.map((leg) => ({ ...leg, decision: knownDecision(leg.decision, attempts) }))
  // One that is being placed again was taken back before, and its sale may have been sent.
  return { ...stored.record, legs, takenBack: { by, phase: takenBack === undefined ? 'taking' : 'selling' } }
}

/** Orders of an earlier owner are known by the exchange's own words alone. */
function knownDecision(decision: Decision, attempts: readonly Attempt[]): Decision {
  const { plan } = decision
  const found = attempts.find(({ ref }) => ref.clientOrderId === plan.clientOrderId)?.found
  if (plan.sizing !== foundAgain || found === undefined || found.type === 'other') return decision
  const { type, side, price, triggerPrice, reduceOnly, quantity } = found
  const { clientOrderId, symbol, positionSide } = plan
  return {
    plan: {
      ...{ clientOrderId, symbol, positionSide, type, side, quantity: plain(quantity), reduceOnly },
      ...(price !== null && { price }),
      ...(triggerPrice !== null && { triggerPrice, trigger: 'last' }),
      ...(type !== 'stop' && type !== 'takeProfit' && { timeInForce: 'gtc' }),
      sizing: 'as it stood at the exchange',
    },
  }
}

/** The watch once the sale is known to run for which its orders were taken back. */
export function withoutAwaiting(watch: Watch, by: string): Watch {
  if (watch.stored.record.takenBack?.by !== by) return watch
  const { awaitedUntil: _awaitedUntil, ...rest } = watch
  return rest
}

/** The record once that sale may have been sent; undefined where that is noted. */
export function sellingFor(watch: Watch, by: string): LegsRecord | undefined {
  const { record } = watch.stored
  const { takenBack } = record
  if (takenBack?.by !== by || takenBack.phase !== 'taking') return undefined
  return { ...record, takenBack: { ...takenBack, phase: 'selling' } }
}

/**
 * The record once that sale has ended: the unsold part is to stand again, or all where it sold nothing. Undefined where that is
 * being done.
 */
export function returnedFrom(watch: Watch, by: string, left: string | undefined): LegsRecord | undefined {
  const { record } = watch.stored
  const { takenBack } = record
  if (takenBack?.by !== by || takenBack.phase === 'placing') return undefined
  return { ...record, takenBack: { by, ...(left !== undefined && { left }), phase: 'returning' } }
}

/** Returns the next step for orders that were taken back for a sale. */
export function nextForTaken(watch: Watch, takenBack: TakenBack, now: number): WatchStep {
  const { attempts } = watch
  if (takenBack.phase === 'placing' && isLongBare(watch, now)) return emitBare(watch, coinsIn(watch))
  const asked = askNext(attempts, now)
  if (asked !== undefined) return asked
  if (takenBack.phase === 'placing') return nextPlacing(watch, now)
  const open = attempts.filter(isOpenOrder)
  const isTouched = attempts.some(({ cancelingSince }) => cancelingSince !== undefined)
  const { left: most, phase, by } = takenBack
  if (isTaken(phase) && watch.awaitedUntil !== undefined)
    return nextUnheard(watch, by, watch.awaitedUntil, now)
  const isLeft = phase === 'returning' && most === undefined && open.length === attempts.length && !isTouched
  if (isLeft) return toRecord(watch, stays(watch))
  const due = open.find(({ notBefore = 0 }) => now >= notBefore) ?? open[0]
  if (due !== undefined) return nextToEnd(due, now)
  const coins = coinsIn(watch)
  const left = floorToStep(least(coins, most ?? coins), watch.market.quantityStep)
  if (isTooLittle(left, watch))
    return toRecord(watch, { ...watch.stored.record, state: 'done' }, ended(watch))
  if (isTaken(phase)) return { do: 'rest' }
  const record = anew(watch, left)
  const isByTurns = record.turn !== undefined
  return toRecord(watch, record, isByTurns ? calm(`${whatStands(record)} is placed again`) : undefined)
}

/** Waits for the sale that an earlier owner began. It is run anew, or has left what it took back. */
function nextUnheard(watch: Watch, by: string, until: number, now: number): WatchStep {
  const record = returnedFrom(watch, by, undefined)
  if (now < until || record === undefined) return { do: 'wait', until }
  return toRecord(watch, record, calm('the sale for which it was taken back is not run'))
}

function ended({ attempts }: Watch): Notice {
  const filled = attempts.find(({ found }) => found?.status === 'filled')?.found
  const isSold = filled !== undefined
  return calm(
    isSold
      ? `${filled.type} ${filled.side} ${filled.quantity} is filled`
      : 'the sale that it was taken back for is done',
  )
}

function isTooLittle(left: string, { stored, market }: Watch): boolean {
  if (isLess(left, market.minQuantity) || !isGreater(left, '0')) return true
  return stored.record.legs.some(({ decision }) => isWorthTooLittle(decision.plan, left, market))
}

function isWorthTooLittle(
  { price, triggerPrice }: OrderPlan,
  left: string,
  { minNotional }: Market,
): boolean {
  const at = price ?? triggerPrice
  return at !== undefined && isLess(multiply(left, at), minNotional)
}

const calm = (text: string): Notice => ({ text, isAlarm: false })
