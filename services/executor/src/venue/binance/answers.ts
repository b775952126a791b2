import { add, isLess, isZero, plain, subtract } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { OrderPlan, OrderRef, OrderStatus, VenueOrder } from '../../domain/order/order.ts'
import type { Side } from '../../domain/order/side.ts'
import { Decimal, spare, Text, Whole, wordOf } from '../read/read-fields.ts'

/** An order's status in Binance's words and in ours. */
const statuses: Readonly<Record<string, OrderStatus>> = {
  NEW: 'open',
  // Part of a list that was placed by hand: it waits for another order, or is about to end with one.
  PENDING_NEW: 'open',
  PENDING_CANCEL: 'open',
  PARTIALLY_FILLED: 'partially_filled',
  FILLED: 'filled',
  CANCELED: 'canceled',
  EXPIRED: 'expired',
  EXPIRED_IN_MATCH: 'expired',
  REJECTED: 'rejected',
}

// The venue's own orders, which end a position that its margin does not cover: these words say whose they are, and not
// how far, so that one comes with them that is filled (nautilus_trader, its reports of deleveraging).
const ownOrders = ['NEW_ADL', 'NEW_INSURANCE']

/** The word for an order's status. */
const StatusWord = spare(
  'status',
  wordOf('status', new Set([...Object.keys(statuses), ...ownOrders])),
  undefined,
)

interface Progress {
  status: string | undefined
  quantity: string
  filled: string
}

/** The status of an order; with a word that says nothing of it the order is as far as its fills, and open. */
function statusOf({ status, quantity, filled }: Progress): OrderStatus {
  const said = status === undefined ? undefined : statuses[status]
  if (said !== undefined) return said
  if (isZero(filled)) return 'open'
  return isLess(filled, quantity) ? 'partially_filled' : 'filled'
}

/** The side of an order, or of a fill. */
export const SideWord = z.enum(['BUY', 'SELL']).transform((word): Side => (word === 'BUY' ? 'buy' : 'sell'))

/** The parts that orders have on every market of Binance; each may be missing, where something else stands for it. */
export const Order = z.object({
  orderId: spare('orderId', Text, undefined),
  clientOrderId: spare('clientOrderId', Text, undefined),
  side: spare('side', SideWord, undefined),
  status: StatusWord,
  type: spare('type', Text, undefined),
  origQty: spare('origQty', Decimal, undefined),
  executedQty: spare('executedQty', Decimal, undefined),
  price: spare('price', Decimal, undefined),
  updateTime: spare('updateTime', Whole, undefined),
})

/** The facts of an order before its answer is read: it was planned so. */
export type Planned = Pick<
  OrderPlan,
  'clientOrderId' | 'side' | 'type' | 'quantity' | 'price' | 'triggerPrice' | 'reduceOnly'
>

/** Thrown where an answer lacks a value on which something depends. */
class UnreadableError extends Error {
  constructor(lacks: string) {
    super(`the answer says no ${lacks}`)
    this.name = 'UnreadableError'
  }
}

/**
 * Returns whose order it is, on which side, and how far it is; throws where nothing says that. An order that ended before
 * it was filled may have been filled in part: without how far it is not taken for one that never was.
 */
export function readCore(order: z.output<typeof Order>, planned: Planned | undefined) {
  const { orderId, clientOrderId, origQty, executedQty } = order
  if (orderId === undefined && clientOrderId === undefined) throw new UnreadableError('order')
  const side = order.side ?? planned?.side
  if (side === undefined) throw new UnreadableError('side')
  const quantity = origQty ?? plain(planned?.quantity ?? '0')
  const status = statusOf({ status: order.status, quantity, filled: executedQty ?? '0' })
  const mayBeFilled = status === 'canceled' || status === 'expired'
  if (executedQty === undefined && mayBeFilled) throw new UnreadableError('filled quantity')
  return {
    venueOrderId: orderId ?? '',
    clientOrderId: clientOrderId ?? planned?.clientOrderId ?? '',
    side,
    status,
    quantity,
    filled: executedQty ?? (status === 'filled' ? quantity : '0'),
    price: priceOrNone(order.price ?? planned?.price),
  }
}

/** A price that the venue writes as zero where there is none. */
export function priceOrNone(text: string | undefined): string | null {
  return text === undefined || isNothing(text) ? null : plain(text)
}

/** The fees of an order's fills, each its part. */
export const Fills = z.array(
  z.object({ qty: spare('qty', Decimal, undefined), commission: Decimal, commissionAsset: Text }),
)

/**
 * Returns an order's fee by the list of its fills, which may be behind the order itself: undefined if it lacks some.
 */
export function feeByFills(
  fills: z.output<typeof Fills>,
  { filled }: Pick<VenueOrder, 'filled'>,
): VenueOrder['fee'] | undefined {
  const listed = fills.reduce((sum, { qty = '0' }) => add(sum, qty), '0')
  return isZero(subtract(listed, filled)) ? feeOf(fills) : undefined
}

/** Returns the sum of fills' fees; null if they were taken in more than one coin. */
export function feeOf([first, ...others]: z.output<typeof Fills>): VenueOrder['fee'] {
  if (first === undefined) return null
  const coin = first.commissionAsset
  if (others.some(({ commissionAsset }) => commissionAsset !== coin)) return null
  return { coin, amount: others.reduce((sum, { commission }) => add(sum, commission), first.commission) }
}

const isNothing = (text: string): boolean => /^0*\.?0*$/.test(text)

/** The best bid and ask of one symbol (ticker/bookTicker). */
const BookTicker = z.object({ bidPrice: Decimal, askPrice: Decimal })

/** Returns a market's bid and ask. */
export function readQuote(book: unknown): { bid: string; ask: string } {
  const { bidPrice: bid, askPrice: ask } = BookTicker.parse(book)
  return { bid, ask }
}

/** Returns an order's name in a request: the venue's id where it is known, or else ours. */
export function nameOf({ symbol, venueOrderId, clientOrderId }: OrderRef): Record<string, string> {
  return isNamed(venueOrderId)
    ? { symbol, orderId: venueOrderId }
    : { symbol, origClientOrderId: clientOrderId }
}

/** True where the venue reported an id: an answer may leave it out. */
export function isNamed(venueOrderId: string | undefined): venueOrderId is string {
  return venueOrderId !== undefined && venueOrderId !== ''
}
