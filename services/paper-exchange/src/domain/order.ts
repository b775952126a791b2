/** Who pays whom: an order buys or sells. */
export type Side = 'buy' | 'sell'

/** The kinds of order the book takes. */
export type OrderType = 'market' | 'limit'

/** How long a limit order stays: until canceled, not at all, all or nothing, or only as a maker. */
export type TimeInForce = 'gtc' | 'ioc' | 'fok' | 'postOnly'

/** What has become of an order. */
export type OrderStatus = 'open' | 'filled' | 'canceled' | 'expired'

/** An order as asked for, before anything is known of it. Price is zero for a market order. */
export type OrderRequest = Readonly<{
  symbol: string
  clientOrderId: string
  side: Side
  type: OrderType
  timeInForce: TimeInForce
  quantity: bigint
  price: bigint
  reduceOnly: boolean
}>

/** An accepted order at one moment; `before` is what it was until its last change. */
export type Order = OrderRequest &
  Readonly<{
    id: number
    status: OrderStatus
    filled: bigint
    filledValue: bigint
    createdAt: number
    updatedAt: number
    before?: Order
  }>

/** One execution of an order. */
export type Fill = Readonly<{
  id: number
  orderId: number
  symbol: string
  side: Side
  price: bigint
  quantity: bigint
  value: bigint
  fee: bigint
  realized: bigint
  maker: boolean
  at: number
}>

/** The order as it was at a moment, or undefined if it did not exist yet. */
export function orderAt(order: Order, moment: number): Order | undefined {
  let version: Order | undefined = order
  while (version && version.updatedAt > moment) version = version.before
  return version
}

/** A quantity with the sign of the side: below zero when sold. */
export function signed(side: Side, quantity: bigint): bigint {
  return side === 'buy' ? quantity : -quantity
}
