import type { Exchange } from 'ccxt'
import type { StatedOrder } from '../../domain/account/statement.ts'
import type { Market } from '../../domain/order/market.ts'
import type { OrderPlan, VenueOrder } from '../../domain/order/order.ts'
import type { Network } from '../addresses.ts'
import type { AddressUsage, EndpointDialect } from '../endpoint.ts'
import type { Codes, VenueRefusal } from '../http/refusal.ts'

/** The meaning of a venue's refusals. */
export interface CcxtCodes extends Codes {
  /** True when it says that there is no such order, or none that could be canceled. */
  isAbsent: (refusal: VenueRefusal) => boolean
  /** True when the account asked too often. */
  isBusy: (refusal: VenueRefusal) => boolean
}

/** An order, the id of the one that it became, and why the venue ended it after it had taken it. */
export interface FoundOrder extends StatedOrder {
  became?: string | undefined
  refusal?: { code: string; error: string } | undefined
}

/** Parts of one venue that the library's unified form leaves out, for one kind of its markets. */
export interface CcxtDialect {
  kind: Market['kind']
  endpoint: EndpointDialect<AddressUsage>
  openLibrary: (settings: object) => Promise<Exchange>
  /** Returns headers beside the library's, for a request to this path that is signed at this moment. */
  headersOf: (path: string, network: Network | undefined, now: number) => Record<string, string>
  /** Returns the venue's no in an answer; undefined where it did what was asked. */
  refusalIn: (status: number, body: unknown) => VenueRefusal | undefined
  codes: CcxtCodes
  /** Completes a market, and an order, by its row; quantities are of the base coin. */
  completeMarket: (market: Market, row: unknown) => Market
  completeOrder: (order: VenueOrder, row: unknown) => Omit<FoundOrder, 'symbol' | 'createdAt'>
  /** Returns the request for an order of so many contracts, in a market by the venue's id. */
  placing: (plan: OrderPlan, id: string, size: string) => { path: string; params: object }
  /** Our name of an order as the venue takes it. */
  nameOf: (clientOrderId: string) => string
  /** Parameters of the library's calls that list, and of those for conditional orders. */
  scope: object
  conditional: object
  /** Returns the parameters for the page behind these rows, whose first is the oldest; undefined behind the last. */
  nextPage: (rows: readonly unknown[]) => object | undefined
  /** Returns the leverage in the venue's rows; throws where there is none. */
  leverageIn: (rows: unknown) => string
}
