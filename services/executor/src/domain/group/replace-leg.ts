import { add, floorToStep, isLess, isZero, subtract } from '@tripline/proto/decimal'
import { isOpenOrder, nextToEnd } from '../order/attempt.ts'
import { mostRevisions, revised } from '../order/revision.ts'
import { marketFor } from '../resolve/lot.ts'
import type { Leg, LegsRecord } from './legs-record.ts'
import { askNext, attemptFor, type Notice, type Watch, type WatchStep } from './watch.ts'

/** Returns a leg's filled quantity, the orders before it included. */
export function filledOf(watch: Watch, { decision, replaces, filledBefore = '0' }: Leg): string {
  const orders = replaces === undefined ? [decision] : [replaces, decision]
  return orders.reduce((sum, each) => add(sum, attemptFor(watch, each)?.found?.filled ?? '0'), filledBefore)
}

/** The leg made smaller by what the group filled; undefined where it is no larger than what is left. */
export function reducedLeg(watch: Watch, leg: Leg): Leg | undefined {
  if (leg.isFixed === true || leg.revision >= mostRevisions) return undefined
  const { stored } = watch
  const { plan } = leg.decision
  const market = marketFor(plan.type, watch.market)
  const original = leg.original ?? plan.quantity
  const filled = stored.record.legs.reduce((sum, each) => add(sum, filledOf(watch, each)), '0')
  const left = floorToStep(subtract(original, filled), market.quantityStep)
  const rests = subtract(plan.quantity, attemptFor(watch, leg.decision)?.found?.filled ?? '0')
  if (!isLess(left, rests)) return undefined
  // Quantities too small to be placed are not worth an order.
  const quantity = isLess(left, market.minQuantity) ? '0' : left
  const revision = leg.revision + 1
  const clientOrderId = revised(plan.clientOrderId, revision)
  const sizing = `${original} less ${filled} filled = ${quantity} ${market.base}`
  const smaller = { ...leg.decision, plan: { ...plan, clientOrderId, quantity, sizing } }
  return { ...leg, decision: smaller, revision, original, replaces: leg.decision }
}

/** Returns how many legs have an order that gives way to a smaller one. */
export function givingWay({ legs }: LegsRecord): number {
  return legs.filter(({ replaces }) => replaces !== undefined).length
}

/**
 * An order gives way to its smaller successor. One that only reduces stays until the successor is there, so that
 * nothing is bare in between; where orders lock coins it has to go first.
 */
export function nextReplacing(watch: Watch, leg: Leg, replaced: Leg['decision'], now: number): WatchStep {
  const old = attemptFor(watch, replaced)
  const successor = attemptFor(watch, leg.decision)
  const asked = askNext(
    [old, successor].flatMap((attempt) => attempt ?? []),
    now,
  )
  if (asked !== undefined) return asked
  const { plan } = leg.decision
  const isOldOpen = old !== undefined && isOpenOrder(old)
  const isWanted =
    !isZero(plan.quantity) && successor?.found === undefined && successor?.refusal === undefined
  const mayGo = !isOldOpen || (plan.reduceOnly && watch.market.kind === 'linear')
  if (isWanted && mayGo) {
    const { notBefore = 0 } = successor ?? {}
    return now < notBefore ? { do: 'wait', until: notBefore } : { do: 'place', leg }
  }
  const refusal = successor?.refusal
  if (refusal !== undefined && isOldOpen) {
    const { replaces: _kept, ...rest } = leg
    const text = `${plan.type} could not be made smaller and stays as it is: ${refusal.error}`
    return changed(watch, leg, { ...rest, decision: replaced, isFixed: true }, { text, isAlarm: false })
  }
  if (isOldOpen) return nextToEnd(old, now)
  const { replaces: _gone, ...rest } = leg
  const filledBefore = add(leg.filledBefore ?? '0', old?.found?.filled ?? '0')
  if (old?.found?.status === 'filled' && watch.stored.record.rules.mode === 'cancel') {
    const text = `${plan.type} was filled while it was made smaller, the other orders are canceled`
    return changed(watch, leg, { ...rest, filledBefore }, { text, isAlarm: false }, 'closing')
  }
  if (refusal === undefined && !isZero(plan.quantity)) return changed(watch, leg, { ...rest, filledBefore })
  const text = `${plan.type} is gone, and a smaller one was refused: ${refusal?.error}`
  const over = { ...rest, filledBefore, isOver: true }
  return changed(watch, leg, over, refusal === undefined ? undefined : { text, isAlarm: true })
}

function changed(
  { stored }: Watch,
  leg: Leg,
  to: Leg,
  notice?: Notice,
  state = stored.record.state,
): WatchStep {
  const legs = stored.record.legs.map((each) => (each === leg ? to : each))
  return {
    do: 'record',
    record: { ...stored.record, state, legs },
    over: stored.revision,
    ...(notice && { notice }),
  }
}
