import { marketOf } from '../../domain/market.ts'
import {
  type Amendment,
  type Fill,
  isAlgo,
  type Order,
  type OrderRequest,
  orderAt,
} from '../../domain/order.ts'
import { type Entry, openOrdersOf } from '../../store/ledger.ts'
import { VenueError } from '../binance/errors.ts'
import { order, type Result, type Route, type SignedCall, signed } from '../binance/route.ts'
import { type Deadlines, watchGoodTill } from './deadlines.ts'
import { findOrder } from './find-order.ts'
import { formatAck, formatOrder, formatResult, formatTested, formatTrade } from './format-order.ts'
import { ordersOpenAt } from './open-orders.ts'
import { readOrder, wantsResult } from './read-order.ts'
import {
  collect,
  isWithin,
  needWhole,
  readAmount,
  readMarket,
  readOrderId,
  readSide,
  readSpan,
  readWhole,
  startsSomewhere,
} from './read-params.ts'
import { bestPriceError, refusalError } from './refusals.ts'
import { journalId } from './shown-id.ts'

/** Every open order of a market is gone. */
export const ALL_CANCELED = { code: 200, msg: 'The operation of cancel all open order is done.' }

// The price was in it until 2026-06-30; an account's terms may have it so still.
function resultOf({ account }: Entry, order: Order) {
  const result = formatResult(order)
  if (!account.settings.terms?.meanPrices) return result
  const { avgPrice, cumQuote } = formatOrder(order)
  return { ...result, avgPrice, cumQuote }
}

/** Places the order a request asks for. */
export function placeOrder(call: SignedCall, deadlines: Deadlines): Result {
  const { exchange, entry, params, now } = call
  const request = readOrder(call)
  const inFull = wantsResult(params)
  checkBestPrice(call, request)
  const placed = exchange.place(entry, request, now)
  if ('refusal' in placed) throw refusalError(placed.refusal, marketOf(request.market))
  watchGoodTill(deadlines, exchange, entry, placed.order)
  const body = inFull ? resultOf(entry, placed.order) : formatAck(placed.order)
  return { body, orderId: journalId(placed.order) }
}

function checkBestPrice({ exchange }: SignedCall, { market, type, side }: OrderRequest): void {
  const error = type === 'market' && bestPriceError(marketOf(market), side, exchange.quotes.of(market))
  if (error) throw error
}

function testOrder(call: SignedCall) {
  const request = readOrder(call)
  wantsResult(call.params)
  checkBestPrice(call, request)
  const refusal = call.exchange.check(call.entry, request, call.now)
  if (refusal) throw refusalError(refusal, marketOf(request.market))
  return formatTested(request, call.now)
}

/** Cancels the order a request names. */
export function cancelOrder({ exchange, entry, params, now }: SignedCall): Result {
  const found = findOrder(entry, params)
  if (found?.status !== 'open') throw new VenueError(-2011, 'Unknown order sent.')
  const canceled = exchange.cancel(entry, found, now)
  return { body: resultOf(entry, canceled), orderId: journalId(canceled) }
}

/** Changes quantity and price of the order a request names. */
export function modifyOrder({ exchange, entry, params, now }: SignedCall): Result {
  const market = readMarket(params)
  const side = readSide(params)
  const to: Amendment = {
    quantity: readAmount(params, 'quantity', market.quantityPrecision),
    price: readAmount(params, 'price', market.pricePrecision),
  }
  const found = findOrder(entry, params)
  if (found?.status !== 'open') throw new VenueError(-2013, 'Order does not exist.')
  if (found.type !== 'limit') throw new VenueError(-5025, 'Only limit order is supported.')
  if (found.side !== side) throw new VenueError(-1117, 'Invalid side.')
  const amended = exchange.amend(entry, found, to, now)
  if ('order' in amended) return { body: resultOf(entry, amended.order), orderId: journalId(amended.order) }
  // A fill cannot be taken back and a maker cannot take: the venue ends such orders instead.
  if (amended.refusal !== 'quantityBelowFilled' && amended.refusal !== 'wouldTake')
    throw refusalError(amended.refusal, market)
  const canceled = exchange.cancel(entry, found, now)
  return { body: resultOf(entry, canceled), orderId: journalId(canceled) }
}

/** Ends every ordinary order of the market that a request names. */
function cancelAll({ exchange, entry, params, now }: SignedCall): Order[] {
  const market = readMarket(params)
  const open = openOrdersOf(entry, market.id).filter((one) => !isAlgo(one))
  return open.map((one) => exchange.cancel(entry, one, now))
}

function cancelAllRoute(call: SignedCall): Result {
  const canceled = cancelAll(call)
  const parts = canceled.map((one) => ({ params: call.params, orderId: journalId(one) }))
  return { body: ALL_CANCELED, ...(parts.length > 0 && { parts }) }
}

function queryOrder({ entry, params, asOf }: SignedCall) {
  const found = findOrder(entry, params)
  const then = found && orderAt(found, asOf)
  if (!then) throw new VenueError(-2013, 'Order does not exist.')
  return formatOrder(then)
}

function queryOpenOrder({ entry, params, asOf }: SignedCall) {
  const found = findOrder(entry, params)
  const then = found && orderAt(found, asOf)
  if (then?.status !== 'open') throw new VenueError(-2013, 'Order does not exist.')
  return formatOrder(then)
}

function openOrders({ entry, params, asOf }: SignedCall) {
  const market = params.has('symbol') ? readMarket(params).id : undefined
  return ordersOpenAt(entry, asOf, market).map(formatOrder)
}

function allOrders({ entry, params, now, asOf }: SignedCall) {
  const ids = entry.ordersByMarket.get(readMarket(params).id) ?? []
  const first = readOrderId(params)
  const span = readSpan(params, now)
  const wanted = (id: number): Order | undefined => {
    const found = entry.orders.get(id)
    const then = found && orderAt(found, asOf)
    if (!then || isAlgo(then) || (first !== undefined && id < first)) return undefined
    return first !== undefined || isWithin(span, then.createdAt) ? then : undefined
  }
  return collect(ids, span.limit, startsSomewhere(params), wanted).map(formatOrder)
}

function userTrades({ entry, params, now, asOf }: SignedCall) {
  const fills = entry.fillsByMarket.get(readMarket(params).id) ?? []
  const fromId = readWhole(params, 'fromId')
  const orderId = readOrderId(params)
  const span = readSpan(params, now)
  const wanted = (fill: Fill): Fill | undefined => {
    if (fill.at > asOf || (orderId !== undefined && fill.orderId !== orderId)) return undefined
    if (fromId !== undefined) return fill.id >= fromId ? fill : undefined
    return orderId !== undefined || isWithin(span, fill.at) ? fill : undefined
  }
  return collect(fills, span.limit, startsSomewhere(params), wanted).map(formatTrade)
}

function forceOrders({ entry, params, now, asOf }: SignedCall) {
  const market = params.has('symbol') ? readMarket(params).id : undefined
  const span = readSpan(params, now, 50, 100)
  const wanted = (id: number): Order | undefined => {
    const found = entry.orders.get(id)
    const isForced = found?.origin === 'liquidation' && found.market.startsWith('binance-futures:')
    const then = isForced ? orderAt(found, asOf) : undefined
    if (!then || (market !== undefined && then.market !== market)) return undefined
    return isWithin(span, then.createdAt) ? then : undefined
  }
  return collect([...entry.orders.keys()], span.limit, false, wanted).map(formatOrder)
}

function countdown(call: SignedCall, deadlines: Deadlines) {
  const { exchange, entry, params, now } = call
  const { symbol } = readMarket(params)
  const countdownTime = needWhole(params, 'countdownTime')
  const key = `countdown ${entry.apiKey} ${symbol}`
  if (countdownTime === 0) deadlines.drop(key)
  else deadlines.set(key, now + countdownTime, (at) => void cancelAll({ ...call, exchange, now: at }))
  return { symbol, countdownTime: String(countdownTime) }
}

// One market costs little, all of them a lot.
const openOrdersWeight = (params: SignedCall['params']): number => (params.has('symbol') ? 1 : 40)

/** Everything about ordinary orders. */
export function orderRoutes(deadlines: Deadlines): ReadonlyArray<readonly [string, Route]> {
  return [
    ['POST /fapi/v1/order', order('place', 0, 1, (call) => placeOrder(call, deadlines))],
    ['POST /fapi/v1/order/test', signed(1, testOrder)],
    ['PUT /fapi/v1/order', order('amend', 1, 1, modifyOrder)],
    ['DELETE /fapi/v1/order', order('cancel', 1, 0, cancelOrder)],
    ['DELETE /fapi/v1/allOpenOrders', order('cancel', 1, 0, cancelAllRoute)],
    ['POST /fapi/v1/countdownCancelAll', signed(10, (call) => countdown(call, deadlines))],
    ['GET /fapi/v1/order', signed(1, queryOrder)],
    ['GET /fapi/v1/openOrder', signed(1, queryOpenOrder)],
    ['GET /fapi/v1/openOrders', signed(openOrdersWeight, openOrders)],
    ['GET /fapi/v1/allOrders', signed(5, allOrders)],
    ['GET /fapi/v1/userTrades', signed(5, userTrades)],
    ['GET /fapi/v1/forceOrders', signed(20, forceOrders)],
  ]
}
