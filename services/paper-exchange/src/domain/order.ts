import type { MarketId } from './market.ts'
import type { Trigger, TriggerBy } from './trigger.ts'

/** The side of an order: it buys or sells. */
export type Side = 'buy' | 'sell'

/** Which position an order is about: the only one (one-way mode), or one of two (hedge mode). */
export type PositionSide = 'net' | 'long' | 'short'

/** The kinds of order the book takes. */
export type OrderType = 'market' | 'limit'

/** The life of a limit order: until canceled, not at all, all or nothing, or only as a maker. */
export type TimeInForce = 'gtc' | 'ioc' | 'fok' | 'postOnly'

/** One leg of a take profit and stop loss: a limit order where it has a limit price, else a market order. */
export type ProtectiveLeg = Readonly<{ by: TriggerBy; price: bigint; limitPrice?: bigint; quantity?: bigint }>

/** Take profit and stop loss that come to life when the order that carries them fills. */
export type Attached = Readonly<{
  mode: 'full' | 'partial'
  takeProfit?: ProtectiveLeg
  stopLoss?: ProtectiveLeg
}>

/**
 * The protection asked for a position: a leg replaces (full) or joins (partial) what is there, 'none' takes it away.
 */
export type Protection = Readonly<{
  mode: 'full' | 'partial'
  takeProfit?: ProtectiveLeg | 'none'
  stopLoss?: ProtectiveLeg | 'none'
  trailing?: Readonly<{ distance: bigint; activation?: bigint }> | 'none'
}>

/** Which part of a position's protection an order is. */
export type ProtectionPart = Readonly<{
  part: 'takeProfit' | 'stopLoss' | 'trailing'
  mode: 'full' | 'partial'
}>

/** The origin of an order. */
export type Origin = 'user' | 'protection' | 'liquidation' | 'algo'

/** An order as asked for, before anything is known of it. Price is zero for a market order. */
export type OrderRequest = Readonly<{
  market: MarketId
  clientOrderId: string
  side: Side
  type: OrderType
  timeInForce: TimeInForce
  /** Zero with quoteQuantity or closePosition. */
  quantity: bigint
  /** A spot market order by value. */
  quoteQuantity?: bigint
  price: bigint
  reduceOnly: boolean
  positionSide: PositionSide
  /** A conditional order that closes the whole position it finds. */
  closePosition?: boolean
  trigger?: Trigger
  attached?: Attached
  origin?: Origin
  protection?: ProtectionPart
  /** Whether an untriggered spot order locks what it will pay: Binance always does, Bybit only for its tpslOrder. */
  holdsFunds?: boolean
  /** The venue's own words, stored for its wire and never read here. */
  words?: Readonly<Record<string, string>>
}>

/** The status of an order. */
export type OrderStatus =
  | 'untriggered'
  | 'triggered'
  | 'open'
  | 'filled'
  | 'canceled'
  | 'expired'
  | 'rejected'

/** Why an order ended before it was filled. */
export type EndReason =
  | 'user'
  | 'timeInForce'
  | 'noLiquidity'
  | 'selfTrade'
  | 'reduceOnly'
  | 'positionClosed'
  | 'sibling'
  | 'margin'
  | 'refused'
  | 'liquidation'
  | 'reset'

/** An accepted order at one moment; `before` is what it was until its last change. */
export type Order = OrderRequest &
  Readonly<{
    id: number
    status: OrderStatus
    filled: bigint
    filledValue: bigint
    createdAt: number
    updatedAt: number
    endReason?: EndReason
    isTriggered?: boolean
    triggeredAt?: number
    /** Both legs of a spot OCO carry its list. */
    listId?: number
    /** The leg that ends when this one fills or triggers. */
    siblingId?: number
    /** The amount of the same coin that the sibling already locks. */
    covered?: bigint
    /** The algo order this one came from, and the ordinary order an algo order became. */
    parentId?: number
    childId?: number
    /** Its place among orders of the same price: lower goes first. */
    rank?: number
    before?: Order
  }>

/** One execution of an order. */
export type Fill = Readonly<{
  id: number
  orderId: number
  market: MarketId
  side: Side
  positionSide: PositionSide
  price: bigint
  quantity: bigint
  value: bigint
  fee: bigint
  feeAsset: string
  realized: bigint
  maker: boolean
  at: number
}>

/** A spot OCO. */
export type OrderList = Readonly<{
  id: number
  market: MarketId
  clientListId: string
  orderIds: readonly number[]
  status: 'executing' | 'done'
  createdAt: number
  updatedAt: number
}>

/** The changes that an open order may take; 'none' takes away what it carries. */
export type Amendment = Readonly<{
  quantity?: bigint
  price?: bigint
  triggerPrice?: bigint
  attached?: Attached | 'none'
}>

/** The order as it was at a moment, or undefined if it did not exist yet. */
export function orderAt(order: Order, moment: number): Order | undefined {
  let version: Order | undefined = order
  while (version && version.updatedAt > moment) version = version.before
  return version
}

/** The list as it was at a moment, or undefined if it did not exist yet: it changes once, when it is done. */
export function listAt(list: OrderList, moment: number): OrderList | undefined {
  if (list.createdAt > moment) return undefined
  return list.updatedAt > moment ? { ...list, status: 'executing', updatedAt: list.createdAt } : list
}

/** A quantity with the sign of the side: below zero when sold. */
export function signed(side: Side, quantity: bigint): bigint {
  return side === 'buy' ? quantity : -quantity
}

/** The other side. */
export function opposite(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy'
}

/** Whether the order still lives: in the book, or waiting for its trigger. */
export function isOpen({ status }: Pick<Order, 'status'>): boolean {
  return status === 'open' || status === 'untriggered'
}

/** Whether the order lives apart from the ordinary ones: a conditional order of Binance futures. */
export function isAlgo({ market, trigger }: Pick<OrderRequest, 'market' | 'trigger'>): boolean {
  return trigger !== undefined && market.startsWith('binance-futures:')
}

/** Returns the quantity that is not filled yet. */
export function remaining(order: Pick<Order, 'quantity' | 'filled'>): bigint {
  return order.quantity - order.filled
}
