import { z } from 'zod'
import { readFrom, spare, Text, wordOf } from '../../read/read-fields.ts'
import type { OrderListUpdate } from './order-update.ts'

const source = { venue: 'binance-spot', call: 'ws.listStatus' } as const

// https://developers.binance.com/docs/binance-spot-api-docs/enums: how a request about a list ended, and how far the list is.
const types = ['RESPONSE', 'EXEC_STARTED', 'UPDATED', 'ALL_DONE']
const stages = ['EXECUTING', 'ALL_DONE', 'REJECT']

// https://developers.binance.com/docs/binance-spot-api-docs/user-data-stream: the orders of the list, by id and name.
const ListStatus = z.looseObject({
  s: spare('s', Text, ''),
  l: spare('l', wordOf('l', new Set(types)), undefined),
  L: spare('L', wordOf('L', new Set(stages)), undefined),
  O: spare('O', z.array(z.object({ i: Text, c: Text })), []),
})

/** Returns the list that a listStatus reports; undefined where it does not say that the venue has taken it. */
export function readListStatus(event: unknown): OrderListUpdate | undefined {
  const { s: symbol, l, L, O: legs } = readFrom(source, ListStatus, event)
  // A refused list is reported as well, and why it was refused only the answer says.
  const isTaken = (l === 'EXEC_STARTED' || l === 'ALL_DONE') && (L === 'EXECUTING' || L === 'ALL_DONE')
  if (!isTaken) return undefined
  return { symbol, orders: legs.map(({ i, c }) => ({ venueOrderId: i, clientOrderId: c })) }
}
