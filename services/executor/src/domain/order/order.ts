import { plain } from '@tripline/proto/decimal'
import type { ClientOrderId } from '@tripline/proto/id'
import type { PositionSide, TimeInForce, Trigger } from '@tripline/proto/language/tree'
import type { OrderType } from './order-type.ts'
import type { Side } from './side.ts'

/** An order we decided on, not yet sent. */
export interface OrderPlan {
  clientOrderId: ClientOrderId
  symbol: string
  type: OrderType
  side: Side
  /** Base quantity; `0` where the quote quantity says what is spent. */
  quantity: string
  quoteQuantity?: string
  price?: string
  triggerPrice?: string
  trigger?: Trigger
  timeInForce?: TimeInForce | 'postOnly'
  reduceOnly: boolean
  positionSide: PositionSide
  /** The basis and the arithmetic of the quantity, in words. */
  sizing: string
}

/** True for an order that rests until the market reaches its trigger. */
export function isConditional({ type }: Pick<OrderPlan, 'type'>): boolean {
  return type !== 'market' && type !== 'limit'
}

/** True for an order that limits a loss. */
export function isProtective({ type }: Pick<OrderPlan, 'type'>): boolean {
  return type === 'stop' || type === 'stopLimit'
}

/** True for an order that waits for the price at which it takes a profit. */
export function isTakeProfit({ type }: Pick<OrderPlan, 'type'>): boolean {
  return type === 'takeProfit' || type === 'takeProfitLimit'
}

/** True for an order that never rests: it has met what it can, or nothing, by the time it has ended. */
export function isImmediate({ type, timeInForce }: Pick<OrderPlan, 'type' | 'timeInForce'>): boolean {
  return type === 'market' || (type === 'limit' && (timeInForce === 'ioc' || timeInForce === 'fok'))
}

/** Names by which an order is asked for, or canceled. */
export interface OrderRef {
  symbol: string
  clientOrderId: string
  venueOrderId?: string
  isConditional: boolean
}

/** `untriggered`: a conditional order that the market has not reached. */
export type OrderStatus =
  | 'untriggered'
  | 'open'
  | 'partially_filled'
  | 'filled'
  | 'canceled'
  | 'expired'
  | 'rejected'

/** An order as the venue reports it; a conditional one that was triggered as the order it became, under our id. */
export interface VenueOrder {
  venueOrderId: string
  clientOrderId: string
  side: Side
  /** `other`: a kind that we do not place. */
  type: OrderType | 'other'
  status: OrderStatus
  quantity: string
  filled: string
  averagePrice: string | null
  /** The limit; null where there is none. */
  price: string | null
  triggerPrice: string | null
  isConditional: boolean
  reduceOnly: boolean
  /** Cost of its fills so far; null where the venue has not reported it. */
  fee: { amount: string; coin: string } | null
  /** When it last changed, in ms by the venue's clock. */
  updatedAt: number | null
}

/** An order that is, or was, at the exchange, as far as an answer names it. */
export type NamedOrder = Pick<
  VenueOrder,
  'venueOrderId' | 'clientOrderId' | 'side' | 'type' | 'quantity' | 'filled' | 'price' | 'triggerPrice'
>

/** True when nothing more can happen to the order. */
export function isTerminal({ status }: Pick<VenueOrder, 'status'>): boolean {
  return status !== 'untriggered' && status !== 'open' && status !== 'partially_filled'
}

/** The venue's no: our code, and a sentence with the venue's own words. */
export interface Refused {
  outcome: 'refused'
  code: string
  error: string
}

/**
 * Outcome of a placement. `unknown` is not a failure: the venue may hold the order, so it is looked up and never
 * repeated before it is proven absent. `withheld`: when it was to be signed the lease was over, or it was not permitted
 * any more; nothing was sent.
 */
export type Placement =
  /** `source`: the private stream, where it reported the order before the answer to the request came. */
  | { outcome: 'done'; order: VenueOrder; source?: 'stream' }
  | Refused
  /** `isThere`: the venue said that it has an order of this name. */
  | { outcome: 'unknown'; cause: string; isThere?: boolean }
  | { outcome: 'withheld' }

/** Scope of a look-up: the usual place by name, or every place that an order or its executions can show in. */
export type LookUpDepth = 'usual' | 'everywhere'

/** A private stream that reports orders; the times are by our clock. */
export interface StreamWitness {
  /** Time since which it has reported everything. */
  liveSince: number
  /** Time until which all its reports were received; undefined before it gave a sign of life. */
  verifiedUntil: number | undefined
}

/** The venue's answer on an order, asked for by our id. */
export type LookUp =
  | { outcome: 'found'; order: VenueOrder }
  /** `stream`: the private stream, which did not report it either. */
  | { outcome: 'absent'; depth?: LookUpDepth; stream?: StreamWitness | undefined }
  | { outcome: 'unreachable'; cause: string }

/**
 * Outcome of a cancel. `canceled`: the order as it ended, where the venue shows it. `gone`: there was nothing left to
 * cancel; the order as it ended, where the venue shows it. Without that, the order may have filled: it is looked up
 * until it is found, or proven absent. `withheld`: nothing was sent, since the lease was not held, or not since the
 * order was seen. `heldBack`: nothing was sent, since its user has canceled many orders and others are to find room at
 * the venue.
 */
export type Cancellation =
  | { outcome: 'canceled'; order: VenueOrder | undefined }
  | { outcome: 'gone'; order: VenueOrder | undefined }
  | Refused
  | { outcome: 'unknown'; cause: string }
  | { outcome: 'withheld' }
  | { outcome: 'heldBack' }

/** The open orders of a symbol, conditional ones among them. */
export type OpenOrders =
  | { outcome: 'read'; orders: readonly VenueOrder[] }
  | Refused
  | { outcome: 'unreachable'; cause: string }

/** An order that nothing happened to yet, as the venue would list it. */
export function restingOrder(plan: OrderPlan): VenueOrder {
  const { clientOrderId, side, type, quantity, price, triggerPrice, reduceOnly } = plan
  return {
    venueOrderId: '',
    clientOrderId,
    side,
    type,
    status: isConditional(plan) ? 'untriggered' : 'open',
    quantity: plain(quantity),
    filled: '0',
    averagePrice: null,
    price: price === undefined ? null : plain(price),
    triggerPrice: triggerPrice === undefined ? null : plain(triggerPrice),
    isConditional: isConditional(plan),
    reduceOnly,
    fee: null,
    updatedAt: null,
  }
}

/** Something about an order that its sender should know; it is placed all the same. */
export interface Warning {
  /** W706 is in stored records of a version before alone. */
  code: 'W703' | 'W704' | 'W705' | 'W706' | 'W707'
  text: string
}
