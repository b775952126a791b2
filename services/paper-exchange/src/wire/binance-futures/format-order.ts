import { divideRounded, formatFixed, formatTrimmed, power } from '../../domain/fixed.ts'
import { type Market, marketOf, VALUE_SCALE } from '../../domain/market.ts'
import type { Fill, Order, OrderRequest } from '../../domain/order.ts'
import { positionSideText } from './read-params.ts'
import { shownId } from './shown-id.ts'

const ENDED = {
  filled: 'FILLED',
  canceled: 'CANCELED',
  expired: 'EXPIRED',
  rejected: 'REJECTED',
  untriggered: 'NEW',
  triggered: 'FILLED',
} as const
const TIME_IN_FORCE = { gtc: 'GTC', ioc: 'IOC', fok: 'FOK', postOnly: 'GTX' } as const

/** Returns the status of an ordinary order, in the venue's word. */
export function statusText({ status, filled, endReason }: Order): string {
  if (status === 'open') return filled === 0n ? 'NEW' : 'PARTIALLY_FILLED'
  return status === 'expired' && endReason === 'selfTrade' ? 'EXPIRED_IN_MATCH' : ENDED[status]
}

/** Returns the life of an order, in the venue's word. */
export function timeInForceText({ timeInForce, words }: OrderRequest): string {
  return words?.['timeInForce'] ?? TIME_IN_FORCE[timeInForce]
}

/** Until when an order that is good till a date stands, zero for any other. */
export function goodTillDate({ words }: OrderRequest): number {
  return Number(words?.['goodTillDate'] ?? 0)
}

function descriptionOf(request: OrderRequest, zero: string) {
  return {
    timeInForce: timeInForceText(request),
    type: request.type.toUpperCase(),
    reduceOnly: request.reduceOnly,
    closePosition: request.closePosition ?? false,
    side: request.side.toUpperCase(),
    positionSide: positionSideText(request.positionSide),
    stopPrice: zero,
    workingType: request.words?.['workingType'] ?? 'CONTRACT_PRICE',
    priceProtect: request.words?.['priceProtect'] === 'true',
    origType: request.type.toUpperCase(),
    priceMatch: 'NONE',
    selfTradePreventionMode: 'EXPIRE_MAKER',
    goodTillDate: goodTillDate(request),
  }
}

/** The mean price of what is filled, with as many places as values have. */
export function averagePrice(market: Market, order: Order): string {
  return order.filled === 0n ? '0.00' : formatFixed(meanOf(market, order), meanPlaces(market))
}

/** The same as live events show it, without zeros at its end. */
export function trimmedAveragePrice(market: Market, order: Order): string {
  return order.filled === 0n ? '0' : formatTrimmed(meanOf(market, order), meanPlaces(market))
}

function meanPlaces({ pricePrecision, quantityPrecision }: Market): number {
  return pricePrecision + quantityPrecision
}

function meanOf(market: Market, { filled, filledValue }: Order): bigint {
  const scaled = filledValue * power(meanPlaces(market) + market.quantityPrecision)
  return divideRounded(scaled, filled * power(VALUE_SCALE))
}

function quoteValue(market: Market, value: bigint): string {
  const places = market.pricePrecision + market.quantityPrecision
  return formatFixed(value / power(VALUE_SCALE - places), places)
}

/** The answer to placing an order that only says that it was taken. */
export function formatAck(order: Order) {
  const market = marketOf(order.market)
  const none = formatFixed(0n, market.quantityPrecision)
  return {
    orderId: shownId(market, order.id),
    symbol: market.symbol,
    status: 'NEW',
    clientOrderId: order.clientOrderId,
    price: formatFixed(order.price, market.pricePrecision),
    origQty: formatFixed(order.quantity, market.quantityPrecision),
    executedQty: none,
    cumQty: none,
    ...descriptionOf(order, formatFixed(0n, market.pricePrecision)),
    updateTime: order.createdAt,
  }
}

/**
 * Returns the answer to a test of an order that would be taken: the order as it would stand, with an id that no order
 * has.
 */
export function formatTested(request: OrderRequest, now: number) {
  const state = {
    id: 0,
    status: 'open',
    filled: 0n,
    filledValue: 0n,
    createdAt: now,
    updatedAt: now,
  } as const
  return formatResult({ ...request, ...state })
}

/**
 * Returns the answer to placing, changing or canceling an order with its outcome; its price is in queries and the
 * stream alone since 2026-06-30.
 */
export function formatResult(order: Order) {
  const market = marketOf(order.market)
  const filled = formatFixed(order.filled, market.quantityPrecision)
  return {
    orderId: shownId(market, order.id),
    symbol: market.symbol,
    status: statusText(order),
    clientOrderId: order.clientOrderId,
    price: formatFixed(order.price, market.pricePrecision),
    origQty: formatFixed(order.quantity, market.quantityPrecision),
    executedQty: filled,
    cumQty: filled,
    ...descriptionOf(order, formatFixed(0n, market.pricePrecision)),
    updateTime: order.updatedAt,
  }
}

/** An order as queries return it. */
export function formatOrder(order: Order) {
  const market = marketOf(order.market)
  const { cumQty: _cumQty, updateTime, ...rest } = formatResult(order)
  const avgPrice = averagePrice(market, order)
  const cumQuote = quoteValue(market, order.filledValue)
  return { ...rest, avgPrice, cumQuote, time: order.createdAt, updateTime }
}

/** A fill as queries return it. */
export function formatTrade(fill: Fill) {
  const market = marketOf(fill.market)
  return {
    symbol: market.symbol,
    id: fill.id,
    orderId: shownId(market, fill.orderId),
    side: fill.side.toUpperCase(),
    price: formatFixed(fill.price, market.pricePrecision),
    qty: formatFixed(fill.quantity, market.quantityPrecision),
    realizedPnl: fill.realized === 0n ? '0' : formatFixed(fill.realized, VALUE_SCALE),
    quoteQty: quoteValue(market, fill.value),
    commission: formatFixed(fill.fee, VALUE_SCALE),
    commissionAsset: fill.feeAsset,
    time: fill.at,
    positionSide: positionSideText(fill.positionSide),
    buyer: fill.side === 'buy',
    maker: fill.maker,
  }
}
