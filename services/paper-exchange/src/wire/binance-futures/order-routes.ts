import { marketOf } from '../../domain/market.ts'
import { type Fill, type Order, orderAt } from '../../domain/order.ts'
import { type Entry, findByClientOrderId } from '../../store/ledger.ts'
import { illegal, invalid, VenueError } from '../binance/errors.ts'
import { order, type Result, type Route, type SignedCall, signed } from '../binance/route.ts'
import type { Params } from '../params.ts'
import { openOrdersAt } from './account-routes.ts'
import { formatAck, formatOrder, formatResult, formatTrade } from './format-order.ts'
import { readMarket, readOrder, wantsResult } from './read-order.ts'
import { refusalError } from './refusals.ts'

const MAX_ROWS = 1000
const DEFAULT_ROWS = 500
const WEEK_MS = 604_800_000

function place({ exchange, entry, params, now }: SignedCall): Result {
  const request = readOrder(params)
  const inFull = wantsResult(params)
  const placed = exchange.place(entry, request, now)
  if ('refusal' in placed) throw refusalError(placed.refusal, marketOf(request.symbol))
  const body = inFull ? formatResult(placed.order) : formatAck(placed.order)
  return { body, orderId: placed.order.id }
}

function cancel({ exchange, entry, params, now }: SignedCall): Result {
  const found = findOrder(entry, params)
  if (found?.status !== 'open') throw new VenueError(-2011, 'Unknown order sent.')
  const canceled = exchange.cancel(entry, found, now)
  return { body: formatResult(canceled), orderId: canceled.id }
}

function findOrder(entry: Entry, params: Params): Order | undefined {
  const { symbol } = readMarket(params)
  const orderId = readWhole(params, 'orderId')
  const clientOrderId = params.get('origClientOrderId')
  if (orderId !== undefined) {
    const found = entry.orders.get(orderId)
    return found?.symbol === symbol ? found : undefined
  }
  if (clientOrderId) return findByClientOrderId(entry, symbol, clientOrderId)
  throw new VenueError(
    -1102,
    "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!",
  )
}

function queryOrder({ entry, params, asOf }: SignedCall) {
  const found = findOrder(entry, params)
  const then = found && orderAt(found, asOf)
  if (!then) throw new VenueError(-2013, 'Order does not exist.')
  return formatOrder(then)
}

function queryOpenOrder(call: SignedCall) {
  const found = findOrder(call.entry, call.params)
  const then = found && orderAt(found, call.asOf)
  if (then?.status !== 'open') throw new VenueError(-2013, 'Order does not exist.')
  return formatOrder(then)
}

function openOrders({ entry, params, asOf }: SignedCall) {
  const symbol = params.has('symbol') ? readMarket(params).symbol : undefined
  return openOrdersAt(entry, asOf)
    .filter((one) => symbol === undefined || one.symbol === symbol)
    .map(formatOrder)
}

type Span = Readonly<{ from: number; to: number; limit: number }>

function readSpan(params: Params, now: number): Span {
  const from = readWhole(params, 'startTime')
  const to = readWhole(params, 'endTime')
  if (from !== undefined && to !== undefined) {
    if (from > to) throw new VenueError(-1023, 'Start time is greater than end time.')
    if (to - from > WEEK_MS) throw new VenueError(-4165, 'Maximum time interval is 7 days')
  }
  const limit = readWhole(params, 'limit') ?? DEFAULT_ROWS
  if (limit < 1 || limit > MAX_ROWS) throw invalid('limit')
  const start = from ?? (to ?? now) - WEEK_MS
  return { from: start, to: to ?? (from === undefined ? Number.POSITIVE_INFINITY : from + WEEK_MS), limit }
}

function allOrders({ entry, params, now, asOf }: SignedCall) {
  const ids = entry.orderIdsBySymbol.get(readMarket(params).symbol) ?? []
  const first = readWhole(params, 'orderId')
  const span = readSpan(params, now)
  const wanted = (id: number): Order | undefined => {
    const found = entry.orders.get(id)
    const then = found && orderAt(found, asOf)
    if (!then || (first !== undefined && id < first)) return undefined
    return first !== undefined || isWithin(span, then.createdAt) ? then : undefined
  }
  return collect(ids, span.limit, startsSomewhere(params), wanted).map(formatOrder)
}

function userTrades({ entry, params, now, asOf }: SignedCall) {
  const fills = entry.fillsBySymbol.get(readMarket(params).symbol) ?? []
  const fromId = readWhole(params, 'fromId')
  const orderId = readWhole(params, 'orderId')
  const span = readSpan(params, now)
  const wanted = (fill: Fill): Fill | undefined => {
    if (fill.at > asOf || (orderId !== undefined && fill.orderId !== orderId)) return undefined
    if (fromId !== undefined) return fill.id >= fromId ? fill : undefined
    return orderId !== undefined || isWithin(span, fill.at) ? fill : undefined
  }
  return collect(fills, span.limit, startsSomewhere(params), wanted).map(formatTrade)
}

function isWithin(span: Span, at: number): boolean {
  return at >= span.from && at <= span.to
}

function startsSomewhere(params: Params): boolean {
  return params.has('startTime') || params.has('orderId') || params.has('fromId')
}

// From a start on, the first rows are wanted; without one, the latest. Either way the oldest comes first.
function collect<Key, Row>(
  keys: readonly Key[],
  limit: number,
  forward: boolean,
  wanted: (key: Key) => Row | undefined,
): Row[] {
  const rows: Row[] = []
  for (let step = 0; step < keys.length && rows.length < limit; step += 1) {
    const key = keys.at(forward ? step : -1 - step)
    const row = key === undefined ? undefined : wanted(key)
    if (row !== undefined) rows.push(row)
  }
  return forward ? rows : rows.reverse()
}

function readWhole(params: Params, name: string): number | undefined {
  const text = params.get(name)
  if (!text) return undefined
  if (!/^[0-9]{1,20}$/.test(text)) throw illegal(name, '^[0-9]{1,20}$')
  return Number(text)
}

/** Everything about orders. */
export const orderRoutes: ReadonlyArray<readonly [string, Route]> = [
  ['POST /fapi/v1/order', order('place', 0, 1, place)],
  ['DELETE /fapi/v1/order', order('cancel', 1, 0, cancel)],
  ['GET /fapi/v1/order', signed(1, queryOrder)],
  ['GET /fapi/v1/openOrder', signed(1, queryOpenOrder)],
  ['GET /fapi/v1/openOrders', signed(1, openOrders)],
  ['GET /fapi/v1/allOrders', signed(5, allOrders)],
  ['GET /fapi/v1/userTrades', signed(5, userTrades)],
  ['GET /fapi/v1/openAlgoOrders', signed(1, () => [])],
]
