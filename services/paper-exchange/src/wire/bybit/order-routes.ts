import { baseAmount, marketOf, valueAt } from '../../domain/market.ts'
import { isOpen, type Order } from '../../domain/order.ts'
import { categoryIn, marketIn, marketsIn, scopeIn, tradedCategoryIn } from './category.ts'
import { BybitError, missingScope, paramsError } from './errors.ts'
import { asFields, choiceIn, type Fields, requiredIn, wholeIn } from './fields.ts'
import { ordersIn, passesFilter } from './find-order.ts'
import { quantityText } from './format-market.ts'
import { moneyText, orderIdOf } from './format-order.ts'
import { freeToTrade } from './format-wallet.ts'
import { amendOrder, cancelOrder, placeOrder } from './order-acts.ts'
import {
  batch,
  type Op,
  order,
  type Part,
  type Result,
  type Route,
  type SignedCall,
  setting,
  signed,
} from './route.ts'

type Act = (call: SignedCall, fields: Fields) => Order

const idsOf = (order: Order) => ({ orderId: orderIdOf(order), orderLinkId: order.clientOrderId })

function single(act: Act) {
  return (call: SignedCall): Result => {
    const body = idsOf(act(call, call.fields))
    return { body, parts: [{ fields: named(call.fields, body), orderId: body.orderId }] }
  }
}

// The journal names an order by its link id also where the request gave only the other one.
function named(fields: Fields, { orderLinkId }: { orderLinkId: string }): Fields {
  return orderLinkId === '' ? fields : { ...fields, orderLinkId }
}

const MOST_AT_ONCE = { linear: 20, spot: 10 } as const

type Attempted = Readonly<{ row: unknown; verdict: { code: number; msg: string }; part: Part }>

function several(op: Op, act: Act) {
  return (call: SignedCall): Result => {
    const category = tradedCategoryIn(call.fields)
    const { request } = call.fields
    if (!Array.isArray(request) || request.length === 0) throw paramsError('request')
    if (request.length > MOST_AT_ONCE[category]) {
      throw new BybitError(10001, `The number of orders exceeds the limit of ${MOST_AT_ONCE[category]}`)
    }
    const done = request.map((one) => attemptOne(call, op, act, { ...asFields(one), category }))
    return {
      body: { list: done.map(({ row }) => row) },
      extra: { list: done.map(({ verdict }) => verdict) },
      parts: done.map(({ part }) => part),
    }
  }
}

function attemptOne(call: SignedCall, op: Op, act: Act, fields: Fields): Attempted {
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '')
  const row = { category: text('category'), symbol: text('symbol') }
  try {
    const ids = idsOf(act(call, fields))
    const part = { fields: named(fields, ids), orderId: ids.orderId }
    const created = op === 'place' ? { createAt: String(call.now) } : {}
    return { row: { ...row, ...ids, ...created }, verdict: { code: 0, msg: 'OK' }, part }
  } catch (error) {
    if (!(error instanceof BybitError)) throw error
    const ids = { orderId: text('orderId'), orderLinkId: text('orderLinkId') }
    const created = op === 'place' ? { createAt: '' } : {}
    const verdict = { code: error.code, msg: error.message }
    return { row: { ...row, ...ids, ...created }, verdict, part: { fields, code: error.code } }
  }
}

function cancelAll(call: SignedCall): Result {
  const { fields, exchange, entry, now } = call
  const category = categoryIn(fields)
  const scope = scopeIn(fields) ?? (category === 'spot' ? marketsIn(category) : undefined)
  if (!scope) throw missingScope()
  const filter = choiceIn(fields, 'orderFilter', ['Order', 'StopOrder', 'tpslOrder', 'OcoOrder'])
  const meant = category === 'spot' ? (filter ?? 'Order') : filter
  const canceled: Order[] = []
  for (const found of ordersIn(entry, scope)) {
    const current = entry.orders.get(found.id)
    if (!current || !isOpen(current) || !passesFilter(current, meant)) continue
    canceled.push(exchange.cancel(entry, current, now))
  }
  const parts = canceled.map((one) => ({ fields: partFields(one), orderId: orderIdOf(one) }))
  return { body: { list: canceled.map(idsOf), success: '1' }, parts }
}

function partFields(one: Order): Fields {
  return { symbol: marketOf(one.market).symbol, orderLinkId: one.clientOrderId }
}

function borrowCheck({ fields, entry, exchange }: SignedCall) {
  const market = marketIn({ ...fields, category: 'spot' })
  const side = choiceIn(fields, 'side', ['Buy', 'Sell'])
  if (side === undefined) throw new BybitError(170117, 'Invalid side.')
  const quote = exchange.quotes.of(market.id)
  const free = freeToTrade(exchange, entry, side === 'Buy' ? market.quote : market.base)
  const price = side === 'Buy' ? quote.ask : quote.bid
  const quantity = free / (side === 'Buy' ? valueAt(market, 1n, price) : baseAmount(market, 1n))
  const amount = side === 'Buy' ? free : valueAt(market, quantity, price)
  const [maxTradeQty, maxTradeAmount] = [quantityText(market, quantity), moneyText(amount)]
  return {
    symbol: market.symbol,
    side,
    maxTradeQty,
    maxTradeAmount,
    spotMaxTradeQty: maxTradeQty,
    spotMaxTradeAmount: maxTradeAmount,
    borrowCoin: side === 'Buy' ? market.quote : market.base,
  }
}

// The seconds that a connection may be gone before the account's orders are canceled.
const [SHORTEST_S, LONGEST_S] = [3, 300]

function guard({ fields, guards, entry }: SignedCall) {
  requiredIn(fields, 'timeWindow')
  const windowS = wholeIn(fields, 'timeWindow') ?? 0
  if (windowS < SHORTEST_S || windowS > LONGEST_S) throw paramsError('timeWindow')
  guards.set(entry, windowS)
  return {}
}

function guardInfo({ guards, entry }: SignedCall) {
  const windowS = guards.windowOf(entry)
  const dcpStatus = windowS === undefined ? 'OFF' : 'ON'
  const infos = ['SPOT', 'DERIVATIVES'].map((product) => ({
    product,
    dcpStatus,
    timeWindow: String(windowS ?? 10),
  }))
  return { dcpInfos: infos }
}

/** Everything that changes orders. */
export const orderRoutes: ReadonlyArray<readonly [string, Route]> = [
  ['POST /v5/order/create', order('place', single(placeOrder))],
  ['POST /v5/order/amend', order('amend', single(amendOrder))],
  ['POST /v5/order/cancel', order('cancel', single(cancelOrder))],
  ['POST /v5/order/cancel-all', order('cancel', cancelAll)],
  ['POST /v5/order/create-batch', batch('place', several('place', placeOrder))],
  ['POST /v5/order/amend-batch', batch('amend', several('amend', amendOrder))],
  ['POST /v5/order/cancel-batch', batch('cancel', several('cancel', cancelOrder))],
  ['GET /v5/order/spot-borrow-check', signed(borrowCheck)],
  ['POST /v5/order/disconnected-cancel-all', setting(guard)],
  ['GET /v5/account/query-dcp-info', signed(guardInfo)],
]
