import { z } from 'zod'
import type { OrderRef, VenueOrder } from '../../domain/order/order.ts'
import { Text } from '../read/read-fields.ts'
import { readAll } from './read-rows.ts'
import type { Requester } from './rest-client.ts'

/** The lists of one of Binance's markets in which an order shows besides the answer to its name. */
export interface OrderLists {
  open: (symbol: string) => Promise<unknown>
  /** The latest orders, open and ended ones. */
  all: (symbol: string) => Promise<unknown>
  /** The latest trades, which report their orders by the venue's id alone. */
  trades: (symbol: string) => Promise<unknown>
  byId: (symbol: string, venueOrderId: string) => Promise<VenueOrder>
  read: (row: unknown) => VenueOrder
}

/** Rows of a list that are asked for: more than a minute of one market has. */
export const listedRows = 500

const Trade = z.object({ orderId: Text })

/**
 * Looks for an order that its name did not show: among open orders, all orders and trades. Returns undefined where none of
 * them has it; throws where one cannot be asked, or shows a trade whose order cannot be found.
 */
export async function findElsewhere(
  lists: OrderLists,
  request: Requester,
  { symbol, clientOrderId }: OrderRef,
): Promise<VenueOrder | undefined> {
  const isMeant = (order: VenueOrder): boolean => order.clientOrderId === clientOrderId
  const open = readAll(await request(() => lists.open(symbol)), lists.read).find(isMeant)
  if (open !== undefined) return open
  const all = readAll(await request(() => lists.all(symbol)), lists.read)
  const listed = all.find(isMeant)
  if (listed !== undefined) return listed
  const trades = readAll(await request(() => lists.trades(symbol)), (row) => Trade.parse(row))
  for (const venueOrderId of unlisted(trades, all)) {
    let traded: VenueOrder | undefined
    await request(async () => {
      traded = await lists.byId(symbol, venueOrderId)
    })
    if (traded !== undefined && isMeant(traded)) return traded
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
