import { formatFixed } from '../../domain/fixed.ts'
import { baseAmount, finePrice, type Market, marketOf, VALUE_SCALE } from '../../domain/market.ts'
import { type Fill, isOpen, type Order, type OrderList } from '../../domain/order.ts'
import type { Entry } from '../../store/ledger.ts'
import { newClientId } from './client-id.ts'
import type { Detail } from './read-order.ts'

const TIME_IN_FORCE = { gtc: 'GTC', ioc: 'IOC', fok: 'FOK', postOnly: 'GTC' } as const

/** A price with the venue's eight places. */
export function priceText(market: Market, price: bigint): string {
  return formatFixed(finePrice(market, price), VALUE_SCALE)
}

/** A quantity with the venue's eight places. */
export function quantityText(market: Market, quantity: bigint): string {
  return formatFixed(baseAmount(market, quantity), VALUE_SCALE)
}

/** An amount of money with the venue's eight places. */
export function valueText(value: bigint): string {
  return formatFixed(value, VALUE_SCALE)
}

/** The order's kind in the venue's word. */
export function typeText({ words, type, timeInForce }: Order): string {
  return words?.['type'] ?? (timeInForce === 'postOnly' ? 'LIMIT_MAKER' : type.toUpperCase())
}

/** Returns the life of the order, in the venue's word. */
export function timeInForceText({ timeInForce }: Order): string {
  return TIME_IN_FORCE[timeInForce]
}

/** Returns the status of the order, in the venue's word. */
export function statusText({ status, filled, endReason }: Order): string {
  if (status === 'filled' || status === 'rejected') return status.toUpperCase()
  if (endReason === 'selfTrade') return 'EXPIRED_IN_MATCH'
  if (endReason === 'sibling' || status === 'expired') return 'EXPIRED'
  if (status === 'canceled') return 'CANCELED'
  return filled > 0n ? 'PARTIALLY_FILLED' : 'NEW'
}

/** The price at which the order wakes or began to follow the market; zero where it does neither. */
export function stopPriceOf({ trigger }: Order): bigint {
  if (!trigger) return 0n
  return trigger.trailing ? (trigger.trailing.activation ?? 0n) : trigger.price
}

/** Since when the order is in the book, -1 while it waits for its trigger. */
export function workingTimeOf(order: Order): number {
  if (!order.trigger) return order.createdAt
  return order.isTriggered ? (order.triggeredAt ?? order.updatedAt) : -1
}

/** The quantity asked for; what was bought or sold so far where the order was asked for by value. */
export function originalQuantity({ quantity, filled }: Order): bigint {
  return quantity === 0n ? filled : quantity
}

// Returns fields that stand in answers only if the order has their values.
function conditionalFields(market: Market, order: Order) {
  const { trigger, words } = order
  const strategyId = words?.['strategyId']
  const strategyType = words?.['strategyType']
  return {
    ...(trigger && { stopPrice: priceText(market, stopPriceOf(order)) }),
    ...(trigger?.trailing && {
      trailingDelta: Number(words?.['trailingDelta'] ?? 0),
      trailingTime: trigger.trailing.extreme === undefined ? -1 : order.updatedAt,
    }),
    ...(strategyId !== undefined && { strategyId: Number(strategyId) }),
    ...(strategyType !== undefined && { strategyType: Number(strategyType) }),
  }
}

function amounts(market: Market, order: Order) {
  return {
    price: priceText(market, order.price),
    origQty: quantityText(market, originalQuantity(order)),
    executedQty: quantityText(market, order.filled),
    origQuoteOrderQty: valueText(order.quoteQuantity ?? 0n),
    cummulativeQuoteQty: valueText(order.filledValue),
    status: statusText(order),
    timeInForce: timeInForceText(order),
    type: typeText(order),
    side: order.side.toUpperCase(),
  }
}

const SELF_TRADE = { selfTradePreventionMode: 'EXPIRE_MAKER' }

function formatAck(market: Market, order: Order) {
  return {
    symbol: market.symbol,
    orderId: order.id,
    orderListId: order.listId ?? -1,
    clientOrderId: order.clientOrderId,
    transactTime: order.updatedAt,
  }
}

/** The answer to a new order, in as much detail as was asked for. */
export function formatPlaced(order: Order, fills: readonly Fill[], detail: Detail) {
  const market = marketOf(order.market)
  const ack = formatAck(market, order)
  if (detail === 'ACK') return ack
  const result = {
    ...ack,
    ...amounts(market, order),
    ...conditionalFields(market, order),
    workingTime: workingTimeOf(order),
    ...SELF_TRADE,
  }
  return detail === 'FULL' ? { ...result, fills: fills.map((fill) => formatOwnFill(market, fill)) } : result
}

function formatOwnFill(market: Market, { id, price, quantity, fee, feeAsset }: Fill) {
  return {
    price: priceText(market, price),
    qty: quantityText(market, quantity),
    commission: valueText(fee),
    commissionAsset: feeAsset,
    tradeId: id,
  }
}

/** The answer to a cancel; `cancelId` names the cancel itself. */
export function formatCanceled(order: Order, cancelId: string) {
  const market = marketOf(order.market)
  const { orderListId, transactTime } = formatAck(market, order)
  return {
    symbol: market.symbol,
    origClientOrderId: order.clientOrderId,
    orderId: order.id,
    orderListId,
    clientOrderId: cancelId,
    transactTime,
    ...amounts(market, order),
    ...conditionalFields(market, order),
    ...SELF_TRADE,
  }
}

/** An order as queries return it. */
export function formatOrder(order: Order) {
  const market = marketOf(order.market)
  return {
    symbol: market.symbol,
    orderId: order.id,
    orderListId: order.listId ?? -1,
    clientOrderId: order.clientOrderId,
    ...amounts(market, order),
    stopPrice: priceText(market, 0n),
    icebergQty: priceText(market, 0n),
    ...conditionalFields(market, order),
    time: order.createdAt,
    updateTime: order.updatedAt,
    isWorking: !order.trigger || order.isTriggered === true,
    workingTime: workingTimeOf(order),
    ...SELF_TRADE,
  }
}

/** A fill as queries return it. */
export function formatTrade(fill: Fill, order: Order | undefined) {
  const market = marketOf(fill.market)
  const { commission, commissionAsset, price, qty } = formatOwnFill(market, fill)
  return {
    symbol: market.symbol,
    id: fill.id,
    orderId: fill.orderId,
    orderListId: order?.listId ?? -1,
    price,
    qty,
    quoteQty: valueText(fill.value),
    commission,
    commissionAsset,
    time: fill.at,
    isBuyer: fill.side === 'buy',
    isMaker: fill.maker,
    isBestMatch: true,
  }
}

/** The words for how far an order list is. */
export function listWords({ status }: OrderList) {
  return status === 'done'
    ? { listStatusType: 'ALL_DONE', listOrderStatus: 'ALL_DONE' }
    : { listStatusType: 'EXEC_STARTED', listOrderStatus: 'EXECUTING' }
}

/** The orders of a list, in its order. */
export function ordersOf(entry: Entry, list: OrderList): Order[] {
  return list.orderIds.flatMap((id) => entry.orders.get(id) ?? [])
}

/** An order list as queries return it. */
export function formatList(entry: Entry, list: OrderList) {
  const { symbol } = marketOf(list.market)
  return {
    orderListId: list.id,
    contingencyType: 'OCO',
    ...listWords(list),
    listClientOrderId: list.clientListId,
    transactionTime: list.updatedAt,
    symbol,
    orders: ordersOf(entry, list).map(({ id, clientOrderId }) => ({ symbol, orderId: id, clientOrderId })),
  }
}

/** The answer to a new order list. */
export function formatListPlaced(entry: Entry, list: OrderList, detail: Detail) {
  const reports = ordersOf(entry, list).map((order) =>
    formatPlaced(order, [], detail === 'ACK' ? 'ACK' : 'RESULT'),
  )
  return { ...formatList(entry, list), orderReports: reports }
}

/** The answer to canceling an order list; every order in it is canceled under the same id. */
export function formatListCanceled(entry: Entry, list: OrderList, cancelId = newClientId()) {
  const reports = ordersOf(entry, list).map((order) => formatCanceled(order, cancelId))
  return { ...formatList(entry, list), orderReports: reports }
}

/** Whether the list still waits for one of its orders. */
export function isListOpen(entry: Entry, list: OrderList): boolean {
  return ordersOf(entry, list).some(isOpen)
}
