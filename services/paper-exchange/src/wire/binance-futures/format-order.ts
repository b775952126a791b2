import { divideRounded, formatFixed, power } from '../../domain/fixed.ts'
import { type Market, marketOf, VALUE_SCALE } from '../../domain/market.ts'
import type { Fill, Order, OrderRequest } from '../../domain/order.ts'

const STATUS = { open: 'NEW', filled: 'FILLED', canceled: 'CANCELED', expired: 'EXPIRED' } as const
const TIME_IN_FORCE = { gtc: 'GTC', ioc: 'IOC', fok: 'FOK', postOnly: 'GTX' } as const

function descriptionOf(request: OrderRequest, zero: string) {
  return {
    timeInForce: TIME_IN_FORCE[request.timeInForce],
    type: request.type.toUpperCase(),
    reduceOnly: request.reduceOnly,
    closePosition: false,
    side: request.side.toUpperCase(),
    positionSide: 'BOTH',
    stopPrice: zero,
    workingType: 'CONTRACT_PRICE',
    priceProtect: false,
    origType: request.type.toUpperCase(),
    priceMatch: 'NONE',
    selfTradePreventionMode: 'EXPIRE_MAKER',
    goodTillDate: 0,
  }
}

function averagePrice(market: Market, { filled, filledValue }: Order): string {
  if (filled === 0n) return '0.00'
  const places = market.pricePrecision + market.quantityPrecision
  const scaled = filledValue * power(places + market.quantityPrecision)
  return formatFixed(divideRounded(scaled, filled * power(VALUE_SCALE)), places)
}

function quoteValue(market: Market, value: bigint): string {
  const places = market.pricePrecision + market.quantityPrecision
  return formatFixed(value / power(VALUE_SCALE - places), places)
}

/** The answer to placing an order that only says that it was taken. */
export function formatAck(order: Order) {
  const market = marketOf(order.symbol)
  const none = formatFixed(0n, market.quantityPrecision)
  return {
    orderId: order.id,
    symbol: order.symbol,
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

/** The answer to placing or canceling an order that says what became of it. */
export function formatResult(order: Order) {
  const market = marketOf(order.symbol)
  const filled = formatFixed(order.filled, market.quantityPrecision)
  return {
    orderId: order.id,
    symbol: order.symbol,
    status: STATUS[order.status],
    clientOrderId: order.clientOrderId,
    price: formatFixed(order.price, market.pricePrecision),
    avgPrice: averagePrice(market, order),
    origQty: formatFixed(order.quantity, market.quantityPrecision),
    executedQty: filled,
    cumQty: filled,
    cumQuote: quoteValue(market, order.filledValue),
    ...descriptionOf(order, formatFixed(0n, market.pricePrecision)),
    updateTime: order.updatedAt,
  }
}

/** An order as queries return it. */
export function formatOrder(order: Order) {
  const { cumQty: _cumQty, updateTime, ...rest } = formatResult(order)
  return { ...rest, time: order.createdAt, updateTime }
}

/** A fill as queries return it. */
export function formatTrade(fill: Fill) {
  const market = marketOf(fill.symbol)
  return {
    symbol: fill.symbol,
    id: fill.id,
    orderId: fill.orderId,
    side: fill.side.toUpperCase(),
    price: formatFixed(fill.price, market.pricePrecision),
    qty: formatFixed(fill.quantity, market.quantityPrecision),
    realizedPnl: fill.realized === 0n ? '0' : formatFixed(fill.realized, VALUE_SCALE),
    quoteQty: quoteValue(market, fill.value),
    commission: formatFixed(fill.fee, VALUE_SCALE),
    commissionAsset: market.quote,
    time: fill.at,
    positionSide: 'BOTH',
    buyer: fill.side === 'buy',
    maker: fill.maker,
  }
}
