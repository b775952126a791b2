import { z } from 'zod'
import type { OrderRef, VenueOrder } from '../../domain/order/order.ts'
import { refusalIn } from '../http/refusal.ts'
import type { VenueRequest } from '../http/rest-client.ts'
import { Text } from '../read/read-fields.ts'
import { orderAbsent, orderArchived } from './codes.ts'
import { readAll } from './read-rows.ts'

/** The lists of one of Binance's markets in which an order shows besides the answer to its name. */
export interface OrderLists {
  /** Gets one of the market's paths. */
  get: (path: string, fields: VenueRequest['fields']) => Promise<unknown>
  /** The path of the latest trades, which report their orders by the venue's id alone. */
  trades: string
  read: (row: unknown) => VenueOrder
}

/** Returns an order, or nothing where the venue says that it has none of this name, or shows it no more. */
export async function orAbsent<Found>(find: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await find()
  } catch (error) {
    const code = refusalIn(error)?.code
    if (code === orderAbsent || code === orderArchived) return undefined
    throw error
  }
}

/** Rows of a list that are asked for: more than a minute of one market has. */
const listedRows = 500

const Trade = z.object({ orderId: Text })

/**
 * Looks for an order that its name did not show: among open orders, all orders and trades. Returns undefined where none of
 * them has it; throws where one cannot be asked, or shows a trade whose order cannot be found.
 */
export async function findElsewhere(
  { get, trades: tradesPath, read }: OrderLists,
  { symbol, clientOrderId }: OrderRef,
): Promise<VenueOrder | undefined> {
  const isMeant = (order: VenueOrder): boolean => order.clientOrderId === clientOrderId
  const latest = { symbol, limit: listedRows }
  const open = readAll(await get('openOrders', { symbol }), read).find(isMeant)
  if (open !== undefined) return open
  const all = readAll(await get('allOrders', latest), read)
  const listed = all.find(isMeant)
  if (listed !== undefined) return listed
  const trades = readAll(await get(tradesPath, latest), (row) => Trade.parse(row))
  for (const venueOrderId of unlisted(trades, all)) {
    const traded = read(await get('order', { symbol, orderId: venueOrderId }))
    if (isMeant(traded)) return traded
  }
  return undefined
}

/** The orders of trades that the list of orders lacks, though it goes as far back. */
function unlisted(trades: readonly z.output<typeof Trade>[], all: readonly VenueOrder[]): Set<string> {
  const known = new Set(all.map(({ venueOrderId }) => venueOrderId))
  const isFull = all.length >= listedRows
  const oldest = isFull ? BigInt(all[0]?.venueOrderId ?? 0) : 0n
  const ids = trades.map(({ orderId }) => orderId)
  return new Set(ids.filter((id) => !known.has(id) && BigInt(id) >= oldest))
}
