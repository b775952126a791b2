import type { Log } from '@tripline/kit/telemetry/log'
import type { UserId } from '@tripline/proto/id'
import type { PositionSide } from '@tripline/proto/language/tree'
import type { Credentials } from '@tripline/proto/user-config'
import type { Exchange } from 'ccxt'
import type { Reading, SettingsChange, SettingsOutcome } from '../domain/account/account.ts'
import type { KnownReading } from '../domain/account/known-reading.ts'
import type { ReadingNeed, ReadingScope } from '../domain/account/reading-scope.ts'
import type { StatementReading } from '../domain/account/statement.ts'
import type { Market } from '../domain/order/market.ts'
import type {
  Cancellation,
  LookUp,
  LookUpDepth,
  OpenOrders,
  OrderPlan,
  OrderRef,
  Placement,
  VenueOrder,
} from '../domain/order/order.ts'
import type { Tenure } from '../domain/sharing/lease.ts'
import type { Network } from './addresses.ts'
import type { VenueConnections } from './connections.ts'
import type { Quotes } from './prices/quotes.ts'

/** A warm connection to one venue account: all that the executor asks of any venue. */
export interface Venue {
  /** The market of a symbol in the venue's spelling, from memory. */
  market: (symbol: string) => Market | undefined
  /** By how many ms the venue's clock is ahead of ours, as it was last measured. */
  clockAheadMs: () => number
  /** Symbols the venue lists, for suggestions. */
  symbols: () => readonly string[]
  /**
   * Sends one order; calls back when its bytes are on the wire. Whether it is still permitted is asked right before that,
   * since it may have to wait for its turn: otherwise it is withheld.
   */
  place: (order: OrderPlan, onSent: () => void, isPermitted?: () => boolean) => Promise<Placement>
  /** Sends a pair of orders of which the venue ends one with the other; only where the venue manages such pairs. */
  placeOco?: (
    pair: readonly [OrderPlan, OrderPlan],
    onSent: () => void,
    isPermitted?: () => boolean,
  ) => Promise<readonly [Placement, Placement]>
  /** Asks for an order by our id: everywhere, or among recent orders where that takes fewer requests. */
  lookUp: (ref: OrderRef, depth?: LookUpDepth) => Promise<LookUp>
  /**
   * Cancels an order; one that is filled, canceled or was never there is `gone`, which is no error. `seenAt` (monotonic)
   * is when the list was asked for that it was found in: one from before the present tenure withholds the cancel.
   */
  cancel: (ref: OrderRef, seenAt?: number) => Promise<Cancellation>
  /**
   * Reads the open orders of a symbol, ordinary and conditional ones together. Urgent requests are sent as long as the
   * venue receives us at all, however little is left of what it allows.
   */
  openOrders: (symbol: string, isUrgent?: boolean) => Promise<OpenOrders>
  /**
   * Reads all that the account has in this family of markets: balances, positions and open orders of every symbol. It is
   * for people to look at: it is refused where little is left of what the venue allows.
   */
  statement: () => Promise<StatementReading>
  /** Reads balance, position, settings and prices, all of it measured now unless less is needed. */
  read: (symbol: string, need?: ReadingNeed) => Promise<Reading>
  /**
   * The size of a symbol's position as it is known without asking, without a sign: of one side, or of all together;
   * undefined where it is not known now. It is followed for some minutes. On spot it is what is held of the base coin;
   * absent where that is not known without asking.
   */
  positionNow?: (symbol: string, side?: PositionSide) => string | undefined
  /** True where a symbol's positions are known, without a request, to be flat; asking does not have them followed. */
  isFlatNow?: (symbol: string) => boolean
  /**
   * Returns what is known without asking of a symbol's market, and of the account as far as this scope goes; undefined
   * if not even the price is. It is followed for some minutes.
   */
  knownNow?: (symbol: string, scope: ReadingScope) => KnownReading | undefined
  /** Changes settings of the account or of a symbol; what is so already counts as unchanged. */
  changeSettings: (symbol: string, change: SettingsChange) => Promise<SettingsOutcome>
  /** The market's present bids and asks, to compare orders with. */
  quotes?: Quotes
  /** Reports what happens to the account's orders, until it is stopped by what this answers. */
  follow?: (listener: (event: VenueEvent) => void) => () => void
  /** An order as the private stream reported it last; undefined where it reported nothing of it, or not everything since. */
  currentUpdateOf?: (ref: OrderRef) => VenueOrder | undefined
}

/**
 * A report of an account's private stream. `gap`: it begins here, or begins again, so what happened before has to be
 * read.
 */
export type VenueEvent = { kind: 'order'; order: VenueOrder } | { kind: 'gap' }

/** A venue's address, the account, and the permission of a request at the moment it is signed. */
export interface VenueOptions {
  /** The beginning of the addresses of requests. */
  baseUrl: string
  /** The beginning of the private stream's address. */
  streamUrl: string
  /** The beginning of the address of the socket for orders; without it orders go over HTTP. */
  ordersUrl?: string | undefined
  /** The beginning of the addresses of public streams, if these are not beside the private one; there may be none. */
  pricesUrl?: string | undefined
  /** The network that the addresses are of, where one address serves both. */
  network?: Network | undefined
  credentials: Credentials
  /** The user to whose share of the venue's requests its requests count; none if it is of no user. */
  userId?: UserId | undefined
  connections: VenueConnections
  /** The library client whose markets are shared; without it the markets are loaded. */
  parent: Exchange | undefined
  /** Asked where a request is signed that changes something: it is withheld where the lease is not held. */
  tenure: () => Tenure | undefined
  log: Log
  /** Called when the private stream is lost, and when it is back. */
  onStream?: ((state: 'reconnecting' | 'live') => void) | undefined
  /** Called when the venue refuses a signed request for the key that it is of. */
  onKeyRefused?: (() => void) | undefined
  /** The timing of private streams, where not as usual. */
  timing?: Partial<StreamTiming>
}

/** The timing of a private stream. */
export interface StreamTiming {
  /** The time that it may take to report what an answer reported already. */
  expectMs: number
  /** The interval at which an order that is open by its reports is asked for. */
  checkMs: number
  /** The interval at which its right to report is prolonged, if the venue wants that. */
  keepAliveMs: number
}

/** A venue, and the library client that others may share markets with. */
export interface OpenedVenue {
  venue: Venue
  client: Exchange
  /** Sends the venue a small request that only the account's key may make; fails where the venue refuses the key. */
  tryKey: () => Promise<unknown>
  /** Ends what is open for this account alone, where something is. */
  stop?: () => void
}
