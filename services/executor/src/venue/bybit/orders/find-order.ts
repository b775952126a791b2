import { z } from 'zod'
import type { LookUpDepth, OrderRef } from '../../../domain/order/order.ts'
import type { Urgency } from '../../http/rest-client.ts'
import { readFrom } from '../../read/read-fields.ts'
import { pageOf, rowsOf, sourceOf } from '../answers.ts'
import type { RestClient } from '../rest-client.ts'
import { type OrderUpdate, readUpdate } from '../stream/order-update.ts'
import { OrderRow } from './read-order.ts'

/** Thrown where executions show that there is an order, and no list has it yet. */
class UnlistedOrderError extends Error {
  constructor() {
    super('the exchange shows executions of the order, and not the order')
    this.name = 'UnlistedOrderError'
  }
}

/** Finds orders of one account in one category. */
export interface OrderFinder {
  /**
   * The order; undefined where the venue does not know of it. Throws where it cannot be asked, and where executions show that
   * there is one.
   */
  find: (ref: OrderRef, depth?: LookUpDepth) => Promise<OrderUpdate | undefined>
  /** All open orders of a symbol, of what is settled in a coin, or of the category; throws where they cannot be read. */
  listOpen: (scope?: { symbol: string } | { settleCoin: string }, urgency?: Urgency) => Promise<OrderUpdate[]>
}

const Rows = rowsOf(OrderRow)
const Page = pageOf(OrderRow)
const Executions = rowsOf(z.unknown())
const realtimePath = '/v5/order/realtime'
const pageSize = 50
// More than the venue lets an account have open in one symbol.
const mostPages = 12

/** The finder of the REST client's account; the coin is what fees in a symbol are paid in where orders do not say. */
export function createOrderFinder(
  { category, get }: Pick<RestClient, 'category' | 'get'>,
  feeCoinOf: (symbol: string) => string | undefined,
): OrderFinder {
  const read = (row: OrderRow): OrderUpdate => readUpdate(category, row, feeCoinOf(row.symbol))
  const realtime = sourceOf(category, 'order.realtime')
  const history = sourceOf(category, 'order.history')
  const hasExecutions = async (query: Record<string, string>): Promise<boolean> => {
    const asked = await get('/v5/execution/list', query, 'lookUp')
    return readFrom(sourceOf(category, 'execution.list'), Executions, asked).length > 0
  }
  return {
    find: async (ref, depth = 'usual') => {
      const query = { category, symbol: ref.symbol, ...idOf(ref) }
      const [recent] = readFrom(realtime, Rows, await get(realtimePath, query, 'lookUp'))
      if (recent !== undefined) return read(recent)
      // The venue forgets closed orders over new ones, and when it restarts; the history follows after a moment.
      const [past] = readFrom(history, Rows, await get('/v5/order/history', query, 'lookUp'))
      if (past !== undefined) return read(past)
      if (depth === 'everywhere' && (await hasExecutions(query))) throw new UnlistedOrderError()
      return undefined
    },
    listOpen: async (scope, urgency) => {
      const orders: OrderUpdate[] = []
      let cursor: string | undefined
      for (let page = 0; page < mostPages; page++) {
        const query = {
          category,
          ...(scope ?? scopeOf(category)),
          limit: pageSize,
          ...(cursor === undefined ? {} : { cursor }),
        }
        const answer = await get(realtimePath, query, urgency)
        const { result } = readFrom(realtime, Page, answer)
        orders.push(...result.list.map(read))
        cursor = result.nextPageCursor
        if (result.list.length < pageSize || cursor === '') break
      }
      return orders
    },
  }
}

/** Returns an order's name in a request: our id, or the venue's for one that was placed by hand. */
export function idOf({ clientOrderId, venueOrderId }: OrderRef): Record<string, string> {
  if (clientOrderId !== '' || venueOrderId === undefined) return { orderLinkId: clientOrderId }
  return { orderId: venueOrderId }
}

function scopeOf(category: RestClient['category']): Record<string, string> {
  return category === 'linear' ? { settleCoin: 'USDT' } : {}
}
