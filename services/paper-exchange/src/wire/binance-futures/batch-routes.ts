import { errorBody, invalid, missing, VenueError } from '../binance/errors.ts'
import { order, type Part, type Result, type Route, type SignedCall } from '../binance/route.ts'
import type { Params } from '../params.ts'
import type { Deadlines } from './deadlines.ts'
import { cancelOrder, modifyOrder, placeOrder } from './order-routes.ts'
import { readMarket } from './read-params.ts'

const MAX_ORDERS = 5
const MAX_CANCELS = 10

type Made = Readonly<{ body: unknown; part: Part }>

// One order's refusal is its own answer: the others go on.
function attempt(call: SignedCall, params: Params, act: (call: SignedCall) => Result): Made {
  try {
    const { body, orderId } = act({ ...call, params })
    return { body, part: { params, ...(orderId !== undefined && { orderId }) } }
  } catch (error) {
    if (!(error instanceof VenueError)) throw error
    return { body: errorBody(error), part: { params, code: error.code } }
  }
}

function together(made: readonly Made[]): Result {
  return { body: made.map(({ body }) => body), parts: made.map(({ part }) => part) }
}

function readOrders(params: Params): Params[] {
  const text = params.get('batchOrders')
  if (!text) throw missing('batchOrders')
  const rows = parseList(text)
  if (!rows) throw invalid('batchOrders')
  if (rows.length === 0 || rows.length > MAX_ORDERS)
    throw new VenueError(-4082, 'Invalid number of batch place orders.')
  return rows.map((row) => {
    if (row === null || typeof row !== 'object' || Array.isArray(row)) throw invalid('batchOrders')
    return paramsOf(row)
  })
}

// Numbers and flags mean what they would as text.
function paramsOf(row: object): Params {
  const known = Object.entries(row).filter(([, value]) => value !== null && value !== undefined)
  return new Map(
    known.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

function parseList(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function cancelSeveral(call: SignedCall): Result {
  const { params } = call
  const { symbol } = readMarket(params)
  const ids = readList(params, 'orderIdList')
  const names = readList(params, 'origClientOrderIdList')
  if (ids.length + names.length === 0) {
    const message = "Param 'origClientOrderIdList' or 'orderIdList' must be sent, but both were empty/null!"
    throw new VenueError(-1102, message)
  }
  if (ids.length + names.length > MAX_CANCELS)
    throw new VenueError(-4032, `Exceed maximum cancel order size: ${MAX_CANCELS}`)
  const name = ids.length > 0 ? 'orderId' : 'origClientOrderId'
  const wanted = ids.length > 0 ? ids : names
  const each = wanted.map((id) =>
    attempt(
      call,
      new Map([
        ['symbol', symbol],
        [name, id],
      ]),
      cancelOrder,
    ),
  )
  return together(each)
}

// Clients send the names in either spelling.
function readList(params: Params, name: string): string[] {
  const text = params.get(name) ?? params.get(name.toLowerCase())
  if (!text) return []
  const list = parseList(text)
  if (!list) throw invalid(name)
  return list.map(String)
}

/** Several orders in one request; each is answered for itself. */
export function batchRoutes(deadlines: Deadlines): ReadonlyArray<readonly [string, Route]> {
  const each = (act: (call: SignedCall) => Result) => (call: SignedCall) =>
    together(readOrders(call.params).map((params) => attempt(call, params, act)))
  return [
    [
      'POST /fapi/v1/batchOrders',
      order(
        'place',
        5,
        MAX_ORDERS,
        each((call) => placeOrder(call, deadlines)),
      ),
    ],
    ['PUT /fapi/v1/batchOrders', order('amend', 5, MAX_ORDERS, each(modifyOrder))],
    ['DELETE /fapi/v1/batchOrders', order('cancel', 1, 0, cancelSeveral)],
  ]
}
