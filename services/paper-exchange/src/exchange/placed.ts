import type { Refusal } from '../domain/filter.ts'
import type { MarketId } from '../domain/market.ts'
import type { Fill, Order, OrderList, OrderRequest } from '../domain/order.ts'

/** The outcome of a request to place or amend an order: its last version and what it did at once. */
export type Placed =
  | Readonly<{ order: Order; fills: readonly Fill[]; child?: Order }>
  | Readonly<{ refusal: Refusal }>

/** A spot OCO as asked for. */
export type ListRequest = Readonly<{
  market: MarketId
  clientListId: string
  legs: readonly [OrderRequest, OrderRequest]
}>

/** The outcome of a request to place a list. */
export type ListPlaced =
  | Readonly<{ list: OrderList; orders: readonly Order[] }>
  | Readonly<{ refusal: Refusal }>
