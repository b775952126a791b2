import { isZero } from '@tripline/proto/decimal'
import { z } from 'zod'
import {
  isTerminal,
  type LookUp,
  type LookUpDepth,
  type OrderRef,
  type VenueOrder,
} from '../../../domain/order/order.ts'
import { lookUpWith } from '../../account/look-up.ts'
import { refusalIn } from '../../http/refusal.ts'
import type { RestClient, Urgency, VenueRequest } from '../../http/rest-client.ts'
import { Text } from '../../read/read-fields.ts'
import { Fills, feeByFills } from '../answers.ts'
import { orderAbsent, orderArchived } from '../codes.ts'
import { readAll } from '../read-rows.ts'
import type { Following } from '../stream/following.ts'

/** Finds orders at one market of Binance. */
export interface OrderFinder {
  /** By its name; throws the venue's no. */
  find: (ref: OrderRef, urgency: Urgency) => Promise<VenueOrder>
  /** Looks for an order that its name did not show; undefined where no list has it. */
  findElsewhere: (ref: OrderRef, urgency: Urgency) => Promise<VenueOrder | undefined>
}

/** The looking for orders of one account; the stream has to report what is found. */
export function createLookUp(following: Following, { find, findElsewhere }: OrderFinder) {
  return async (
    ref: OrderRef,
    depth: LookUpDepth = 'usual',
    urgency: Urgency = 'lookUp',
  ): Promise<LookUp> => {
    const found = await lookUpWith(
      {
        byName: async () => await orAbsent(async () => await find(ref, urgency)),
        elsewhere: async () => await findElsewhere(ref, urgency),
        lastUpdate: () => following.lastUpdateOf(ref),
        stream: following,
      },
      depth,
    )
    if (found.outcome === 'found') following.expect(ref.symbol, found.order)
    return found
  }
}

const mostFills = 1000

/** An order with its fee: orders do not report what they cost, their fills do. */
export async function withFee(
  get: RestClient['get'],
  trades: string,
  symbol: string,
  order: VenueOrder,
): Promise<VenueOrder> {
  if (!isTerminal(order) || isZero(order.filled)) return order
  try {
    const fills = Fills.parse(await get(trades, { symbol, orderId: order.venueOrderId, limit: mostFills }))
    return { ...order, fee: feeByFills(fills, order) ?? order.fee }
  } catch {
    // The order is what was asked for; without its cost it is still the answer.
    return order
  }
}

/** The lists of one of Binance's markets in which an order shows besides the answer to its name. */
export interface OrderLists {
  /** The beginning of the market's paths. */
  base: string
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
  ask: RestClient['get'],
  { base, trades: tradesPath, read }: OrderLists,
  { symbol, clientOrderId }: OrderRef,
  urgency: Urgency,
): Promise<VenueOrder | undefined> {
  const isMeant = (order: VenueOrder): boolean => order.clientOrderId === clientOrderId
  const get = (path: string, fields: VenueRequest['fields']) => ask(base + path, fields, urgency)
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
