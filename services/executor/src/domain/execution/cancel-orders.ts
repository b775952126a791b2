import type { Command } from '@tripline/proto/alert-tree'
import { hasTag, isOfAlert, isOfSameCommand } from '@tripline/proto/client-order-id'
import type { CancelOutcome, CommandResult, OrderOutcome } from '@tripline/proto/command-result'
import type { AlertId } from '@tripline/proto/id'
import { type BotLimits, haltedError } from '../account/permit.ts'
import { isRestingEntry } from '../account/resting-entry.ts'
import { type Attempt, askAgainMs, foundOf, nextToEnd } from '../order/attempt.ts'
import { type Ending, failed, succeeded } from '../order/ending.ts'
import { isConditional, isTerminal, type OpenOrders, type VenueOrder } from '../order/order.ts'
import { type Canceling, type Execution, type Step, settle, withCurrent } from './state.ts'
import { afterNoAnswer, isLongUnanswered, isTriedOut } from './unanswered.ts'

/** Most listings of open orders: an order that only just came may be missing from the first list. */
const mostListings = 3

export type CancelCommand = Extract<Command, { type: 'cancel' }>

/** Returns the next step of a cancel. It may be begun again at any time: an order that is gone is no error. */
export function nextForCancel(
  execution: Execution,
  command: CancelCommand,
  limits: BotLimits,
  now: number,
): Step {
  const { current } = execution
  const { canceling } = current
  if (canceling === undefined) {
    if (limits.tradingState === 'halted') return settle(execution, failed('E516', haltedError), now)
    return nextListing(execution)
  }
  const { targets } = canceling
  if (canceling.isEndDue) {
    const clientOrderIds = targets.map(({ ref }) => ref.clientOrderId)
    return { do: 'endWatches', clientOrderIds, command }
  }
  const open = targets.filter(isToBeEnded)
  const stuck = open.find(
    ({ cancelingSince }) => cancelingSince !== undefined && isTriedOut(cancelingSince, limits, now),
  )
  if (stuck !== undefined) return settle(execution, notEnded(stuck, canceling), now)
  const isLong = open.some(({ cancelingSince = now }) => isLongUnanswered(cancelingSince, now))
  if (isLong && limits.tradingState === 'halted')
    return settle(execution, failed('E516', haltedError, resultOf(canceledOf(canceling))), now)
  const due = open.find(({ notBefore = 0 }) => now >= notBefore) ?? open[0]
  if (due !== undefined) return seenIn(canceling, nextToEnd(due, now))
  if (canceling.isListDue) return nextListing(execution)
  return settle(execution, endingOf(canceling, execution.market.symbol), now)
}

/** Lists the open orders; which of them a close-only address may end depends on the position. */
function nextListing({ isCloseOnly, market, current }: Execution): Step {
  const isPositionOpen = isCloseOnly === true && market.kind === 'linear' && current.reading === undefined
  return isPositionOpen ? { do: 'read' } : { do: 'list' }
}

/** The step with when the list was asked for that shows its order. */
function seenIn({ listedAt }: Canceling, step: Step): Step {
  return step.do === 'cancel' && listedAt !== undefined ? { ...step, seenAt: listedAt } : step
}

/**
 * The execution after a cancel was withheld: the list is thrown away and read anew, since another owner may have
 * placed orders meanwhile, or ended them.
 */
export function afterWithheldCancel(execution: Execution, command: CancelCommand, now: number): Execution {
  const { canceling } = execution.current
  if (canceling === undefined) return execution
  const ended = canceling.targets.filter((target) => !isToBeEnded(target))
  const ids = new Set(ended.map(({ ref }) => ref.clientOrderId))
  const own = ownOpen(execution, command).filter(({ ref }) => !ids.has(ref.clientOrderId))
  const { listedAt: _old, ...rest } = canceling
  const { reading: _past, ...current } = execution.current
  return withCurrent(
    { ...execution, current },
    {
      notBefore: now + askAgainMs,
      canceling: { ...rest, targets: [...ended, ...own], listed: 0, isListDue: true, isEndDue: false },
    },
  )
}

/** The execution after its open orders were listed. */
export function afterListing(
  execution: Execution,
  command: CancelCommand,
  { open, askedAt }: { open: OpenOrders; askedAt: number },
  now: number,
): Execution {
  const { unanswered, ...current } = execution.current
  const { canceling } = current
  if (open.outcome !== 'read') return withCurrent(execution, afterNoAnswer(unanswered, open, true, now))
  const known = canceling?.targets ?? ownOpen(execution, command)
  const ids = new Set(known.map(({ ref }) => ref.clientOrderId))
  const meant = open.orders.filter(
    (order) => isMeant(order, command, execution.alertId) && !ids.has(order.clientOrderId),
  )
  const { market, isCloseOnly = false } = execution
  const found = isCloseOnly
    ? meant.filter((order) => isRestingEntry(order, open.orders, market, current.reading))
    : meant
  const listed = (canceling?.listed ?? 0) + 1
  // The time of unanswered requests counts for this list alone.
  return withCurrent(
    { ...execution, current },
    {
      canceling: {
        targets: [...known, ...found.map((order) => targetOf(order, execution))],
        listed,
        listedAt: askedAt,
        // A second look, where there was anything, shows what came while the first was dealt with.
        isListDue: found.length + (listed === 1 ? known.length : 0) > 0 && listed < mostListings,
        isEndDue: listed === 1 || found.length > 0,
        endedWatches: canceling?.endedWatches ?? 0,
        held: canceling?.held ?? [],
        left: canceling?.left || meant.length - found.length,
      },
    },
  )
}

/** True for an order that is open, or may be. */
export function isToBeEnded({ found, isUnsure }: Attempt): boolean {
  return isUnsure === true || found === undefined || !isTerminal(found)
}

function targetOf(order: VenueOrder, { market }: Execution): Attempt {
  const { clientOrderId, venueOrderId, isConditional: hasTrigger } = order
  return {
    ref: { symbol: market.symbol, clientOrderId, venueOrderId, isConditional: hasTrigger },
    found: order,
  }
}

/** True for an open order that the cancel is about; `session` is the alert's own orders. */
export function isMeant(
  order: Pick<VenueOrder, 'side' | 'type' | 'isConditional' | 'clientOrderId' | 'venueOrderId'>,
  { which, tag = '', order: id }: CancelCommand,
  alertId: AlertId,
): boolean {
  switch (which) {
    case 'all':
      return true
    case 'buy':
    case 'sell':
      return order.side === which
    case 'limit':
      return !order.isConditional && order.type === 'limit'
    case 'stop':
      return order.isConditional
    case 'tagged':
      return hasTag(order.clientOrderId, tag)
    case 'session':
      return isOfAlert(order.clientOrderId, alertId)
    case 'order':
      return order.venueOrderId === id || order.clientOrderId === id
  }
}

/** Orders that this very execution placed: a list that lags may not show them yet. */
function ownOpen(execution: Execution, command: CancelCommand): readonly Attempt[] {
  // Orders of a close-only address only close positions, and stay.
  if (execution.isCloseOnly === true) return []
  return execution.outcomes
    .flatMap(ordersIn)
    .flatMap(openAgain)
    .filter((order) => isMeant(order, command, execution.alertId))
    .map((order) => targetOf(order, execution))
}

function ordersIn({ result }: CommandResult): readonly OrderOutcome[] {
  if (result === null) return []
  if ('client_order_id' in result) return [result]
  if ('orders' in result) return result.orders
  if ('stopLoss' in result) {
    return [result.stopLoss, result.takeProfit].filter((order) => order !== null)
  }
  return []
}

function openAgain(outcome: OrderOutcome): VenueOrder[] {
  const { id, client_order_id, side, type, status, amount, filled } = outcome
  if (status !== 'open' && status !== 'untriggered' && status !== 'partially_filled') return []
  const order = {
    venueOrderId: id,
    clientOrderId: client_order_id,
    side,
    type,
    status,
    quantity: amount,
    filled,
    averagePrice: outcome.average_price ?? null,
    price: outcome.limit_price ?? null,
    triggerPrice: outcome.triggerPrice ?? null,
    isConditional: type !== 'other' && isConditional({ type }),
    reduceOnly: outcome.reduce_only,
    fee: outcome.fee ?? null,
    updatedAt: null,
  }
  return [order]
}

function endingOf(canceling: Canceling, symbol: string): Ending {
  const { targets, endedWatches, left = 0 } = canceling
  const canceled = canceledOf(canceling)
  const note = left > 0 ? { note: leftAlone(left) } : {}
  if (canceled.length > 0 || endedWatches > 0) return succeeded({ ...resultOf(canceled), ...note })
  if (left > 0) return nothingCanceled(leftAlone(left))
  return nothingCanceled(
    targets.length === 0 ? `${symbol} has no such open order` : 'the orders had ended already',
  )
}

/** The ending of a cancel that ended nothing: a reader of the count alone reads 0. */
function nothingCanceled(note: string): Ending {
  return succeeded({ code: 'N802', note, cancelled_count: 0 })
}

function leftAlone(left: number): string {
  const orders =
    left === 1 ? '1 order that closes or may protect stays' : `${left} orders that close or may protect stay`
  return `${orders}: a close-only address cancels entries only`
}

function notEnded({ ref }: Attempt, canceling: Canceling): Ending {
  const error = `The exchange did not end the order ${ref.clientOrderId}; look there`
  return failed('E602', error, resultOf(canceledOf(canceling)))
}

/** The orders that were ended: by our cancel, by the venue as it ended the other of a pair, or here where they were held. */
function canceledOf({ targets, held }: Canceling): readonly VenueOrder[] {
  const ended = targets
    .filter((target) => target.isEndedByUs || isEndedWithPair(target, targets))
    .flatMap(foundOf)
  const listed = new Set(targets.map(({ ref }) => ref.clientOrderId))
  return [...ended, ...held.filter(({ clientOrderId }) => !listed.has(clientOrderId))]
}

/** True for an order that the venue canceled by itself, with the other order of its pair, which we canceled. */
function isEndedWithPair({ ref, found }: Attempt, targets: readonly Attempt[]): boolean {
  if (found?.status !== 'canceled') return false
  return targets.some(
    (other) => other.isEndedByUs === true && isOfSameCommand(other.ref.clientOrderId, ref.clientOrderId),
  )
}

function resultOf(canceled: readonly VenueOrder[]): CancelOutcome {
  return {
    cancelled_count: canceled.length,
    cancelled: canceled.map(
      ({ venueOrderId, clientOrderId, side, type, quantity, filled, price, triggerPrice }) => ({
        id: venueOrderId,
        client_order_id: clientOrderId,
        side,
        type,
        amount: quantity,
        filled,
        price: price ?? triggerPrice,
      }),
    ),
  }
}
