import { marketOf } from '../../domain/market.ts'
import { type Fill, isOpen, type Order, orderAt } from '../../domain/order.ts'
import { type Entry, findByClientOrderId, openOrdersAt, openOrdersOf } from '../../store/ledger.ts'
import { VenueError } from '../binance/errors.ts'
import { order, type Result, type Route, type SignedCall, signed } from '../binance/route.ts'
import type { Params } from '../params.ts'
import { cancelAs } from './cancel-name.ts'
import { newClientId } from './client-id.ts'
import { formatTestedCommission } from './format-account.ts'
import {
  formatCanceled,
  formatListCanceled,
  formatOrder,
  formatPlaced,
  formatTrade,
  statusText,
} from './format-order.ts'
import { eitherMissing, ORDER_PARAMS, readDetail, readOrder } from './read-order.ts'
import { readClientId, readLimit, readMarket, readMoment, readText, readWhole } from './read-params.ts'
import { refusalError } from './refusals.ts'

const USUAL_ROWS = 500
const MOST_ROWS = 1_000
const DAY_MS = 86_400_000

function place({ exchange, entry, params, now }: SignedCall): Result {
  const request = readOrder(params)
  const detail = readDetail(params, request.words?.['type'])
  const placed = exchange.place(entry, request, now)
  if ('refusal' in placed) throw refusalError(placed.refusal, request)
  return { body: formatPlaced(placed.order, placed.fills, detail), orderId: placed.order.id }
}

function tryOut({ exchange, entry, params, now }: SignedCall) {
  const request = readOrder(params)
  readDetail(params, request.words?.['type'])
  const refusal = exchange.check(entry, request, now)
  if (refusal) throw refusalError(refusal, request)
  return params.get('computeCommissionRates') === 'true'
    ? formatTestedCommission(entry, marketOf(request.market))
    : {}
}

/** The order that a request names by its id or the client's, or undefined where there is none in that market. */
export function findOrder(
  entry: Entry,
  params: Params,
  names = { id: 'orderId', clientId: 'origClientOrderId' },
): Order | undefined {
  const market = readMarket(params)
  const orderId = readWhole(params, names.id)
  const clientId = readText(params, names.clientId)
  if (orderId === undefined && clientId === undefined) throw eitherMissing(names.clientId, names.id)
  if (orderId === undefined)
    return clientId === undefined ? undefined : findByClientOrderId(entry, market.id, clientId)
  const found = entry.orders.get(orderId)
  if (found?.market !== market.id) return undefined
  if (clientId !== undefined && found.clientOrderId !== clientId)
    throw new VenueError(-2039, 'Client order ID is not correct for this order ID.')
  return found
}

const RESTRICTIONS: Readonly<Record<string, string>> = {
  ONLY_NEW: 'NEW',
  ONLY_PARTIALLY_FILLED: 'PARTIALLY_FILLED',
}

/** The order a request wants canceled; refused where it is gone or not as the request wants it. */
export function cancelable(found: Order | undefined, params: Params): Order {
  const text = readText(params, 'cancelRestrictions')
  const restriction = text === undefined ? undefined : RESTRICTIONS[text]
  if (text !== undefined && restriction === undefined)
    throw new VenueError(-1145, 'Invalid cancelRestrictions')
  if (!found || !isOpen(found)) throw new VenueError(-2011, 'Unknown order sent.')
  if (restriction !== undefined && restriction !== statusText(found))
    throw new VenueError(-2011, 'Order was not canceled due to cancel restrictions.')
  return found
}

function cancel({ exchange, entry, params, now }: SignedCall): Result {
  const cancelId = readClientId(params, 'newClientOrderId') ?? newClientId()
  const found = cancelable(findOrder(entry, params), params)
  const canceled = cancelAs(exchange, entry, found, cancelId, now)
  const list = found.listId === undefined ? undefined : entry.listsById.get(found.listId)
  const body = list ? formatListCanceled(entry, list, cancelId) : formatCanceled(canceled, cancelId)
  return { body, orderId: canceled.id }
}

function cancelAll({ exchange, entry, params, now }: SignedCall): Result {
  const open = openOrdersOf(entry, readMarket(params).id)
  if (open.length === 0) throw new VenueError(-2011, 'Unknown order sent.')
  const cancelId = newClientId()
  const listIds = new Set(open.map(({ listId }) => listId))
  for (const { id } of open) {
    const still = entry.orders.get(id)
    if (still && isOpen(still)) cancelAs(exchange, entry, still, cancelId, now)
  }
  const single = open
    .filter(({ listId }) => listId === undefined)
    .flatMap(({ id }) => entry.orders.get(id) ?? [])
  const lists = [...listIds].flatMap((id) => (id === undefined ? [] : (entry.listsById.get(id) ?? [])))
  return {
    body: [
      ...single.map((one) => formatCanceled(one, cancelId)),
      ...lists.map((list) => formatListCanceled(entry, list, cancelId)),
    ],
  }
}

function queryOrder({ entry, params, asOf }: SignedCall) {
  const found = findOrder(entry, params)
  const then = found && orderAt(found, asOf)
  if (!then) throw new VenueError(-2013, 'Order does not exist.')
  return formatOrder(then)
}

function openOrders({ entry, params, asOf }: SignedCall) {
  const market = params.has('symbol') ? readMarket(params).id : undefined
  const isOurs = (one: Order) =>
    market === undefined ? marketOf(one.market).venue === 'binance-spot' : one.market === market
  return openOrdersAt(entry, asOf, market).filter(isOurs).map(formatOrder)
}

type Span = Readonly<{ from: number; to: number; limit: number; forward: boolean }>

function readSpan(params: Params, start: string): Span {
  const from = readMoment(params, 'startTime')
  const to = readMoment(params, 'endTime')
  if (from !== undefined && to !== undefined && to - from > DAY_MS)
    throw new VenueError(-1127, 'More than 24 hours between startTime and endTime.')
  const limit = readLimit(params, USUAL_ROWS, MOST_ROWS)
  const forward = from !== undefined || params.has(start)
  return { from: from ?? 0, to: to ?? Number.POSITIVE_INFINITY, limit, forward }
}

// From a start on, the first rows are wanted; without one, the latest. Either way the oldest comes first.
function cut<Row>(rows: Row[], { limit, forward }: Span): Row[] {
  return forward ? rows.slice(0, limit) : rows.slice(-limit)
}

function allOrders({ entry, params, asOf }: SignedCall) {
  const ids = entry.ordersByMarket.get(readMarket(params).id) ?? []
  const first = readWhole(params, 'orderId') ?? 0
  const span = readSpan(params, 'orderId')
  const rows = ids.flatMap((id) => {
    const found = id < first ? undefined : entry.orders.get(id)
    const then = found && orderAt(found, asOf)
    return then && then.createdAt >= span.from && then.createdAt <= span.to ? [then] : []
  })
  return cut(rows, span).map(formatOrder)
}

function myTrades({ entry, params, asOf }: SignedCall) {
  const fills = entry.fillsByMarket.get(readMarket(params).id) ?? []
  const first = readWhole(params, 'fromId') ?? 0
  const orderId = readWhole(params, 'orderId')
  const span = readSpan(params, 'fromId')
  const isWanted = (fill: Fill) =>
    fill.id >= first &&
    fill.at <= asOf &&
    fill.at >= span.from &&
    fill.at <= span.to &&
    (orderId === undefined || fill.orderId === orderId)
  return cut(fills.filter(isWanted), span).map((fill) => formatTrade(fill, entry.orders.get(fill.orderId)))
}

const NAMED = ['symbol', 'orderId', 'origClientOrderId']
const SPAN = ['symbol', 'orderId', 'startTime', 'endTime', 'limit']
const bySymbol = (one: number, all: number) => (params: Params) => (params.has('symbol') ? one : all)

/** Everything about single orders. */
export const orderRoutes: ReadonlyArray<readonly [string, Route]> = [
  ['POST /api/v3/order', { ...order('place', 1, 1, place), reads: ORDER_PARAMS }],
  ['POST /api/v3/order/test', { ...signed(1, tryOut), reads: [...ORDER_PARAMS, 'computeCommissionRates'] }],
  [
    'DELETE /api/v3/order',
    { ...order('cancel', 1, 0, cancel), reads: [...NAMED, 'newClientOrderId', 'cancelRestrictions'] },
  ],
  ['DELETE /api/v3/openOrders', { ...order('cancel', 1, 0, cancelAll), reads: ['symbol'] }],
  ['GET /api/v3/order', { ...signed(4, queryOrder), reads: NAMED }],
  ['GET /api/v3/openOrders', { ...signed(bySymbol(6, 80), openOrders), reads: ['symbol'] }],
  ['GET /api/v3/allOrders', { ...signed(20, allOrders), reads: SPAN }],
  ['GET /api/v3/myTrades', { ...signed(20, myTrades), reads: [...SPAN, 'fromId'] }],
]
