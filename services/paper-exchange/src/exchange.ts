import type { MarginMode, PositionMode } from './domain/account.ts'
import type { Refusal } from './domain/filter.ts'
import type { Market, MarketId, Venue } from './domain/market.ts'
import type {
  Amendment,
  Fill,
  Order,
  OrderList,
  OrderRequest,
  PositionSide,
  Protection,
  Side,
} from './domain/order.ts'
import type { Prices, Quote } from './domain/quote.ts'
import type { Entry, Ledger } from './store/ledger.ts'
import type { Quotes } from './store/quotes.ts'

/** What became of a request to place or amend an order: its last version and what it did at once. */
export type Placed =
  | Readonly<{ order: Order; fills: readonly Fill[]; child?: Order }>
  | Readonly<{ refusal: Refusal }>

/** A spot OCO as asked for. */
export type ListRequest = Readonly<{
  market: MarketId
  clientListId: string
  legs: readonly [OrderRequest, OrderRequest]
}>

/** What became of it. */
export type ListPlaced =
  | Readonly<{ list: OrderList; orders: readonly Order[] }>
  | Readonly<{ refusal: Refusal }>

/** Why an account changed. */
export type AccountReason = 'order' | 'open' | 'reset' | 'leverage' | 'marginMode' | 'margin' | 'liquidation'

/** What happens at the venue, told in the order in which it happens. */
export type VenueEvent =
  /** A change of an order; the fill is the execution that made it. */
  | Readonly<{ kind: 'order'; entry: Entry; order: Order; fill?: Fill; at: number }>
  | Readonly<{ kind: 'list'; entry: Entry; list: OrderList; at: number }>
  | Readonly<{
      kind: 'account'
      entry: Entry
      reason: AccountReason
      assets: readonly string[]
      markets: readonly MarketId[]
      at: number
    }>
  | Readonly<{ kind: 'quote'; market: Market; quote: Quote; at: number }>
  | Readonly<{
      kind: 'trade'
      market: Market
      price: bigint
      quantity: bigint
      takerSide: Side
      id: number
      at: number
    }>

/** The venue itself: accounts, orders and prices, the same for every wire. Times are milliseconds, given by the caller. */
export type Exchange = Readonly<{
  ledger: Ledger
  quotes: Quotes
  open: (balances: ReadonlyMap<string, bigint>, now: number) => Entry
  /** Ends all orders and positions and gives the account these balances instead of its own. */
  reset: (entry: Entry, balances: ReadonlyMap<string, bigint>, now: number) => void
  place: (entry: Entry, request: OrderRequest, now: number) => Placed
  /** All checks of a placement; nothing is done. */
  check: (entry: Entry, request: OrderRequest, now: number) => Refusal | undefined
  placeList: (entry: Entry, request: ListRequest, now: number) => ListPlaced
  /** Cancels an open or untriggered order, and with a leg of a list the other one. */
  cancel: (entry: Entry, order: Order, now: number) => Order
  amend: (entry: Entry, order: Order, to: Amendment, now: number) => Placed
  setLeverage: (entry: Entry, market: MarketId, leverage: number, now: number) => Refusal | undefined
  setMarginMode: (entry: Entry, market: MarketId, mode: MarginMode, now: number) => Refusal | undefined
  setPositionMode: (
    entry: Entry,
    scope: Venue | MarketId,
    mode: PositionMode,
    now: number,
  ) => Refusal | undefined
  /** Adds to the margin of an isolated position; below zero takes out. */
  addMargin: (
    entry: Entry,
    market: MarketId,
    side: PositionSide,
    amount: bigint,
    now: number,
  ) => Refusal | undefined
  protect: (
    entry: Entry,
    market: MarketId,
    side: PositionSide,
    protection: Protection,
    now: number,
  ) => Refusal | undefined
  /** Holds the prices of every market with this symbol. */
  pin: (symbol: string, prices: Prices, now: number) => void
  unpin: (symbol: string, now: number) => void
  /** One step of the prices of everything that is not pinned. */
  move: (now: number) => void
  addMarket: (market: Market, now: number) => void
  /** Tells every event from now on; the answer stops it. */
  listen: (listener: (event: VenueEvent) => void) => () => void
}>
