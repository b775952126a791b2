import { formatFixed } from '../../domain/fixed.ts'
import { type Market, marketOf } from '../../domain/market.ts'
import type { Order } from '../../domain/order.ts'
import { averagePrice, goodTillDate, timeInForceText } from './format-order.ts'
import { positionSideText } from './read-params.ts'
import { idText } from './shown-id.ts'

const ENDED = { canceled: 'CANCELED', expired: 'EXPIRED', rejected: 'REJECTED', filled: 'FINISHED' } as const

/** Returns the status of a conditional order, in the venue's word; `child` is the ordinary order it became. */
export function algoStatus({ status, isTriggered }: Order, child: Order | undefined): string {
  switch (status) {
    case 'open':
    case 'untriggered':
      return isTriggered ? 'TRIGGERING' : 'NEW'
    case 'triggered':
      return child && child.status !== 'open' ? 'FINISHED' : 'TRIGGERED'
    default:
      return ENDED[status]
  }
}

const RATE_UNIT = 10_000n

/** The callback rate in percent, as the venue prints it. */
export function callbackRate(rate: bigint): string {
  return rate % 1_000n === 0n ? formatFixed((rate * 10n) / RATE_UNIT, 1) : formatFixed(rate, 4)
}

function trailingOf(market: Market, { trigger }: Order) {
  const trailing = trigger?.trailing
  if (!trailing) return {}
  const rate = 'rate' in trailing.callback ? callbackRate(trailing.callback.rate) : '0.0'
  const activatePrice = formatFixed(trailing.activation ?? 0n, market.pricePrecision)
  return { activatePrice, callbackRate: rate }
}

/** A conditional order as the answer to placing it shows it. */
export function formatAlgo(order: Order, child: Order | undefined) {
  const market = marketOf(order.market)
  const price = (value: bigint) => formatFixed(value, market.pricePrecision)
  return {
    algoId: order.id,
    clientAlgoId: order.clientOrderId,
    algoType: 'CONDITIONAL',
    orderType: order.words?.['type'] ?? 'STOP_MARKET',
    symbol: market.symbol,
    side: order.side.toUpperCase(),
    positionSide: positionSideText(order.positionSide),
    timeInForce: timeInForceText(order),
    quantity: formatFixed(order.quantity, market.quantityPrecision),
    algoStatus: algoStatus(order, child),
    triggerPrice: price(order.trigger?.price ?? 0n),
    price: price(order.price),
    icebergQuantity: null,
    selfTradePreventionMode: 'EXPIRE_MAKER',
    workingType: order.words?.['workingType'] ?? 'CONTRACT_PRICE',
    priceMatch: 'NONE',
    closePosition: order.closePosition ?? false,
    priceProtect: order.words?.['priceProtect'] === 'true',
    reduceOnly: order.reduceOnly,
    ...trailingOf(market, order),
    createTime: order.createdAt,
    updateTime: order.updatedAt,
    triggerTime: order.triggeredAt ?? 0,
    goodTillDate: goodTillDate(order),
  }
}

// Returns the outcome of the order it became, and the price of that, which stands apart.
function actualOf(market: Market, child: Order | undefined) {
  return {
    actualOrderId: child ? idText(market, child.id) : '',
    ...(child && {
      actualQty: formatFixed(child.filled, market.quantityPrecision),
      actualType: child.type.toUpperCase(),
    }),
  }
}

function actualPrice(market: Market, child: Order | undefined): string {
  return child ? averagePrice(market, child) : '0.00000'
}

/** The same as the query of one order shows it (the documentation's sample). */
export function formatAlgoQuery(order: Order, child: Order | undefined) {
  const market = marketOf(order.market)
  return {
    ...formatAlgo(order, child),
    ...actualOf(market, child),
    actualPrice: actualPrice(market, child),
    tpTriggerPrice: '0.000',
    tpPrice: '0.000',
    slTriggerPrice: '0.000',
    slPrice: '0.000',
    tpOrderType: '',
  }
}

/** The same among the open ones: without a price of what it became (capture of 2026-09). */
export function formatOpenAlgo(order: Order, child: Order | undefined) {
  const market = marketOf(order.market)
  const actualQty = formatFixed(0n, market.quantityPrecision)
  return { ...formatAlgo(order, child), actualQty, ...actualOf(market, child), ...activatedOf(order) }
}

/** The same among all of a symbol, where ended ones are as well (capture of 2026-09). */
export function formatPastAlgo(order: Order, child: Order | undefined) {
  const market = marketOf(order.market)
  const actual = { ...actualOf(market, child), actualPrice: actualPrice(market, child) }
  return { ...formatAlgo(order, child), ...actual, tpOrderType: '', ...activatedOf(order) }
}

// Of orders without an activation price it is false, also once they are triggered.
function activatedOf({ trigger }: Order) {
  return { isActivated: trigger?.trailing?.extreme !== undefined }
}
