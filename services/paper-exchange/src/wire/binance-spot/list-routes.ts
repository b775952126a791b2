import type { Market } from '../../domain/market.ts'
import { listAt, type OrderList, type OrderRequest, type Side } from '../../domain/order.ts'
import type { Entry } from '../../store/ledger.ts'
import { VenueError } from '../binance/errors.ts'
import { order, type Result, type Route, type SignedCall, signed } from '../binance/route.ts'
import type { Params } from '../params.ts'
import { cancelAs } from './cancel-name.ts'
import { newClientId } from './client-id.ts'
import { MAX_ORDER_LISTS } from './format-market.ts'
import { formatList, formatListCanceled, formatListPlaced, isListOpen, ordersOf } from './format-order.ts'
import {
  eitherMissing,
  readDetail,
  readLeg,
  readSide,
  readType,
  refuseSurplus,
  type TypeWord,
} from './read-order.ts'
import { readClientId, readLimit, readMarket, readMoment, readText, readWhole } from './read-params.ts'
import { refusalError } from './refusals.ts'

type Legs = readonly [OrderRequest, OrderRequest]

// The leg that waits for its trigger stands first in the venue's answers, the limit order second.
function placeList(readLegs: (market: Market, side: Side, params: Params) => Legs) {
  return ({ exchange, entry, params, now }: SignedCall): Result => {
    const market = readMarket(params)
    const legs = readLegs(market, readSide(params), params)
    const clientListId = readClientId(params, 'listClientOrderId') ?? newClientId()
    const detail = readDetail(params, 'LIMIT')
    refuseTooMany(entry, market)
    const placed = exchange.placeList(entry, { market: market.id, clientListId, legs }, now)
    if ('refusal' in placed) throw refusalError(placed.refusal, legs[0])
    return { body: formatListPlaced(entry, placed.list, detail), orderId: placed.orders[0]?.id ?? 0 }
  }
}

function refuseTooMany(entry: Entry, market: Market): void {
  const open = [...entry.listsById.values()].filter(
    (list) => list.market === market.id && isListOpen(entry, list),
  )
  if (open.length >= MAX_ORDER_LISTS) throw new VenueError(-2010, 'Filter failure: MAX_NUM_ORDER_LISTS')
}

const CONTINGENT: readonly TypeWord[] = ['STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT']

// The parameters of one leg of a list, and under which names a leg has them.
const LEG_NAMES = {
  price: 'Price',
  stopPrice: 'StopPrice',
  trailingDelta: 'TrailingDelta',
  timeInForce: 'TimeInForce',
  newClientOrderId: 'ClientOrderId',
  strategyId: 'StrategyId',
  strategyType: 'StrategyType',
  icebergQty: 'IcebergQty',
} as const

type Names = Readonly<Partial<Record<string, string>>>

const prefixed = (prefix: string): Names =>
  Object.fromEntries(Object.entries(LEG_NAMES).map(([usual, name]) => [usual, prefix + name]))

const ABOVE = prefixed('above')
const BELOW = prefixed('below')

function readOco(market: Market, side: Side, params: Params): Legs {
  const above = readType(params, 'aboveType')
  const below = readType(params, 'belowType')
  refuseWrongTypes(side, above, below)
  const [aboveLeg, belowLeg] = [
    readNamed(market, side, above, params, ABOVE),
    readNamed(market, side, below, params, BELOW),
  ]
  return side === 'sell' ? [belowLeg, aboveLeg] : [aboveLeg, belowLeg]
}

function refuseWrongTypes(side: Side, above: TypeWord, below: TypeWord): void {
  for (const type of [above, below])
    if (type !== 'LIMIT_MAKER' && !CONTINGENT.includes(type))
      throw new VenueError(-1158, 'Order type not supported in OCO.')
  if (above === 'LIMIT_MAKER' && below === 'LIMIT_MAKER')
    throw new VenueError(-1168, 'At least one OCO order must be contingent.')
  if (side === 'buy') refuseInBuy(above, below)
  else refuseInSell(above, below)
}

function refuseInBuy(above: TypeWord, below: TypeWord): void {
  if (above === 'LIMIT_MAKER') throw new VenueError(-1165, 'A limit order in a buy OCO must be below.')
  if (below.startsWith('STOP_LOSS'))
    throw new VenueError(-1196, 'A stop loss order in a buy OCO must be above.')
  if (above.startsWith('TAKE_PROFIT'))
    throw new VenueError(-1198, 'A take profit order in a buy OCO must be below.')
}

function refuseInSell(above: TypeWord, below: TypeWord): void {
  if (below === 'LIMIT_MAKER') throw new VenueError(-1166, 'A limit order in a sell OCO must be above.')
  if (above.startsWith('STOP_LOSS'))
    throw new VenueError(-1197, 'A stop loss order in a sell OCO must be below.')
  if (below.startsWith('TAKE_PROFIT'))
    throw new VenueError(-1199, 'A take profit order in a sell OCO must be above.')
}

// The parameters of a leg under their usual names; the errors say the names that were sent.
function readNamed(market: Market, side: Side, type: TypeWord, params: Params, names: Names): OrderRequest {
  const leg = new Map<string, string>()
  for (const [usual, name] of Object.entries(names)) {
    const value = name === undefined ? undefined : params.get(name)
    if (value !== undefined) leg.set(usual, value)
  }
  for (const shared of ['quantity', 'selfTradePreventionMode']) {
    const value = params.get(shared)
    if (value !== undefined) leg.set(shared, value)
  }
  try {
    refuseSurplus(leg, type)
    return readLeg(market, side, type, leg)
  } catch (error) {
    throw error instanceof VenueError ? renamed(error, names) : error
  }
}

function renamed({ code, message }: VenueError, names: Names): VenueError {
  return new VenueError(
    code,
    message.replaceAll(/'(\w+)'/g, (_all, usual: string) => `'${names[usual] ?? usual}'`),
  )
}

const OLD_LIMIT: Names = {
  price: 'price',
  newClientOrderId: 'limitClientOrderId',
  icebergQty: 'limitIcebergQty',
}
const OLD_STOP: Names = {
  price: 'stopLimitPrice',
  stopPrice: 'stopPrice',
  trailingDelta: 'trailingDelta',
  timeInForce: 'stopLimitTimeInForce',
  newClientOrderId: 'stopClientOrderId',
  icebergQty: 'stopIcebergQty',
}

function readOldOco(market: Market, side: Side, params: Params): Legs {
  const stopType = params.has('stopLimitPrice') ? 'STOP_LOSS_LIMIT' : 'STOP_LOSS'
  return [
    readNamed(market, side, stopType, params, OLD_STOP),
    readNamed(market, side, 'LIMIT_MAKER', params, OLD_LIMIT),
  ]
}

function findList(entry: Entry, params: Params, clientName: string): OrderList | undefined {
  const id = readWhole(params, 'orderListId')
  if (id !== undefined) return entry.listsById.get(id)
  const clientId = readText(params, clientName)
  if (clientId === undefined) throw eitherMissing(clientName, 'orderListId')
  return [...entry.listsById.values()].findLast((list) => list.clientListId === clientId)
}

function cancelList({ exchange, entry, params, now }: SignedCall): Result {
  const market = readMarket(params)
  const cancelId = readClientId(params, 'newClientOrderId') ?? newClientId()
  const list = findList(entry, params, 'listClientOrderId')
  const [first] = list?.market === market.id && isListOpen(entry, list) ? ordersOf(entry, list) : []
  if (!list || !first) throw new VenueError(-2011, 'Unknown order list sent.')
  cancelAs(exchange, entry, first, cancelId, now)
  return {
    body: formatListCanceled(entry, entry.listsById.get(list.id) ?? list, cancelId),
    orderId: first.id,
  }
}

function queryList({ entry, params, asOf }: SignedCall) {
  const found = findList(entry, params, 'origClientOrderId')
  const list = found && listAt(found, asOf)
  if (!list) throw new VenueError(-2013, 'Order list does not exist.')
  return formatList(entry, list)
}

function listsAt({ entry, asOf }: SignedCall): OrderList[] {
  return [...entry.listsById.values()].flatMap((list) => listAt(list, asOf) ?? [])
}

function openLists(call: SignedCall) {
  return listsAt(call)
    .filter(({ status }) => status === 'executing')
    .map((list) => formatList(call.entry, list))
}

function allLists(call: SignedCall) {
  const { entry, params } = call
  const first = readWhole(params, 'fromId')
  const from = readMoment(params, 'startTime') ?? 0
  const to = readMoment(params, 'endTime') ?? Number.POSITIVE_INFINITY
  const limit = readLimit(params, 500, 1_000)
  const rows = listsAt(call).filter(
    ({ id, createdAt }) => id >= (first ?? 0) && createdAt >= from && createdAt <= to,
  )
  const chosen = first === undefined && from === 0 ? rows.slice(-limit) : rows.slice(0, limit)
  return chosen.map((list) => formatList(entry, list))
}

const SHARED = [
  'symbol',
  'listClientOrderId',
  'side',
  'quantity',
  'newOrderRespType',
  'selfTradePreventionMode',
]
const sentNames = (names: Names) => Object.values(names).flatMap((name) => name ?? [])
const OCO_PARAMS = [...SHARED, 'aboveType', 'belowType', ...sentNames(ABOVE), ...sentNames(BELOW)]
const OLD_OCO_PARAMS = [...SHARED, ...sentNames(OLD_LIMIT), ...sentNames(OLD_STOP)]
const CANCEL_PARAMS = ['symbol', 'orderListId', 'listClientOrderId', 'newClientOrderId']

/** Everything about lists of orders of which one ends the other. */
export const listRoutes: ReadonlyArray<readonly [string, Route]> = [
  ['POST /api/v3/orderList/oco', { ...order('place', 1, 2, placeList(readOco)), reads: OCO_PARAMS }],
  ['POST /api/v3/order/oco', { ...order('place', 1, 2, placeList(readOldOco)), reads: OLD_OCO_PARAMS }],
  ['DELETE /api/v3/orderList', { ...order('cancel', 1, 0, cancelList), reads: CANCEL_PARAMS }],
  ['GET /api/v3/orderList', { ...signed(4, queryList), reads: ['orderListId', 'origClientOrderId'] }],
  ['GET /api/v3/openOrderList', { ...signed(6, openLists), reads: [] }],
  [
    'GET /api/v3/allOrderList',
    { ...signed(20, allLists), reads: ['fromId', 'startTime', 'endTime', 'limit'] },
  ],
]
