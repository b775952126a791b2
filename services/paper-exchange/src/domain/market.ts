import type { Bracket } from './bracket.ts'
import { power } from './fixed.ts'
import { LISTINGS, type Listing } from './listing.ts'

/** Amounts of money, profit and margin are whole counts of 10^-8 of a coin. */
export const VALUE_SCALE = 8

/** The families of markets, each with its own wire. */
export type Venue = Listing['venue']

/** The families in the order they are listed. */
export const VENUES: readonly Venue[] = [
  'binance-spot',
  'binance-futures',
  'bybit-spot',
  'bybit-linear',
  'okx-spot',
  'okx-linear',
]

/** Names a market over all venues: `binance-futures:BTCUSDT`. */
export type MarketId = string & { readonly __brand: 'MarketId' }

/** A listing under its id. */
export type Market = Listing & Readonly<{ id: MarketId }>

/** The id of a venue's symbol, whether such a market exists or not. */
export function marketIdOf(venue: Venue, symbol: string): MarketId {
  return `${venue}:${symbol}` as MarketId
}

const byId = new Map<MarketId, Market>()
const byVenue = new Map<Venue, Market[]>(VENUES.map((venue) => [venue, []]))

/** Adds a market, or takes the place of the one with its id. */
export function addMarket(market: Market): void {
  if (market.pricePrecision + market.quantityPrecision > VALUE_SCALE) {
    throw new Error(`${market.id} is finer than values are counted`)
  }
  const listed = byVenue.get(market.venue) ?? []
  const known = listed.findIndex((one) => one.id === market.id)
  if (known < 0) listed.push(market)
  else listed[known] = market
  byId.set(market.id, Object.freeze(market))
}

for (const listing of LISTINGS) addMarket({ ...listing, id: marketIdOf(listing.venue, listing.symbol) })

/** Every market of the venue, in the order it lists them. */
export function marketsOf(venue: Venue): readonly Market[] {
  return byVenue.get(venue) ?? []
}

/** Every market there is. */
export function allMarkets(): readonly Market[] {
  return [...byId.values()]
}

/** The venue's market of this symbol, or undefined where there is none. */
export function findMarket(venue: Venue, symbol: string): Market | undefined {
  return byId.get(marketIdOf(venue, symbol))
}

/** The market of an id this exchange itself made: a fault where it is gone. */
export function marketOf(id: MarketId): Market {
  const market = byId.get(id)
  if (!market) throw new Error(`no market ${id}`)
  return market
}

// Powers of ten by exponent: multiplying by them is on the way of every order.
const POWERS = Array.from({ length: 19 }, (_, scale) => power(scale))

function powerOf(scale: number): bigint {
  return POWERS[scale] ?? power(scale)
}

/** Returns the worth of a quantity at a price of the market. Exact. */
export function valueAt(market: Market, quantity: bigint, price: bigint): bigint {
  return quantity * price * powerOf(VALUE_SCALE - market.pricePrecision - market.quantityPrecision)
}

/** Returns the worth of a quantity at a mark or index price, which has eight places. Rounded toward zero. */
export function valueAtMark(market: Market, quantity: bigint, mark: bigint): bigint {
  return (quantity * mark) / powerOf(market.quantityPrecision)
}

/** A quantity of the market as an amount of its base coin. */
export function baseAmount(market: Market, quantity: bigint): bigint {
  return quantity * powerOf(VALUE_SCALE - market.quantityPrecision)
}

/** A price of the market with eight places. */
export function finePrice(market: Market, price: bigint): bigint {
  return price * powerOf(VALUE_SCALE - market.pricePrecision)
}

/** A price of eight places on the market's grid, the nearest tick at or below it. */
export function floorToTick(market: Market, fine: bigint): bigint {
  const price = fine / powerOf(VALUE_SCALE - market.pricePrecision)
  return price - (price % market.tick)
}

/** A price of eight places on the market's grid, the nearest tick at or above it. */
export function ceilToTick(market: Market, fine: bigint): bigint {
  const floor = floorToTick(market, fine)
  return finePrice(market, floor) === fine ? floor : floor + market.tick
}

/** The bracket a position of this value falls into. */
export function bracketFor(market: Market, value: bigint): Bracket {
  const found = market.brackets.find((bracket) => value <= bracket.cap) ?? market.brackets.at(-1)
  if (!found) throw new Error(`${market.id} has no brackets`)
  return found
}

/** The largest position value this leverage allows. */
export function maxValueAt(market: Market, leverage: number): bigint {
  return market.brackets.findLast((bracket) => bracket.leverage >= leverage)?.cap ?? 0n
}
