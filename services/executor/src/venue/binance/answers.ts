import { add, DecimalText } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { Market, MarketFeatures } from '../../domain/market.ts'
import type { OrderStatus, VenueOrder } from '../../domain/order.ts'

/** An order's status in Binance's words and in ours. */
export const statuses = {
  NEW: 'open',
  // Part of a list that somebody placed by hand: it waits for another order, or is about to end with one.
  PENDING_NEW: 'open',
  PENDING_CANCEL: 'open',
  PARTIALLY_FILLED: 'partially_filled',
  FILLED: 'filled',
  CANCELED: 'canceled',
  EXPIRED: 'expired',
  EXPIRED_IN_MATCH: 'expired',
  REJECTED: 'rejected',
} as const satisfies Record<string, OrderStatus>

/** An id, which the venue writes as a number and we never count with. */
export const Id = z.union([z.string(), z.number()]).transform(String)

/** What an order says on every market of Binance. */
export const Order = z.object({
  orderId: Id,
  clientOrderId: z.string(),
  side: z.enum(['BUY', 'SELL']),
  status: z.enum(Object.keys(statuses) as (keyof typeof statuses)[]),
  type: z.string(),
  origQty: DecimalText,
  executedQty: DecimalText,
  price: DecimalText,
})

/** A price that the venue writes as zero where there is none. */
export function priceOrNone(text: string | undefined): string | null {
  return text === undefined || isNothing(text) ? null : text
}

const Fill = z.object({ commission: DecimalText, commissionAsset: z.string() })

/** What fills cost in all; null where it was taken in more than one coin. */
export function feeOf(fills: unknown): VenueOrder['fee'] {
  const [first, ...others] = z.array(Fill).parse(fills)
  if (first === undefined) return null
  const coin = first.commissionAsset
  if (others.some(({ commissionAsset }) => commissionAsset !== coin)) return null
  return { coin, amount: others.reduce((sum, { commission }) => add(sum, commission), first.commission) }
}

const Lot = z.object({ minQty: DecimalText, maxQty: DecimalText, stepSize: DecimalText })

const Instrument = z.object({
  symbol: z.string(),
  status: z.string(),
  baseAsset: z.string(),
  quoteAsset: z.string(),
  filters: z.array(z.looseObject({ filterType: z.string() })),
})

const futuresFeatures: Features = {
  nativeOco: false,
  conditional: true,
  reduceOnly: true,
  hedge: true,
  leverage: true,
  triggers: ['last', 'mark'],
}

type Features = Omit<MarketFeatures, 'maxOpenOrders' | 'maxConditionalOrders'>

const spotFeatures: Features = {
  nativeOco: true,
  conditional: true,
  reduceOnly: false,
  hedge: false,
  leverage: false,
  triggers: ['last'],
}

const isNothing = (text: string): boolean => /^0*\.?0*$/.test(text)

/**
 * A market from one symbol of exchangeInfo. The lot filter of market orders binds those alone; what it leaves at zero,
 * as spot does, is as in the filter of all orders.
 */
export function readMarket(answer: unknown, kind: Market['kind']): Market {
  const { symbol, status, baseAsset, quoteAsset, filters } = Instrument.parse(answer)
  const filterOf = (type: string): unknown => filters.find(({ filterType }) => filterType === type)
  const lot = Lot.parse(filterOf('LOT_SIZE'))
  const ofMarketOrders = Lot.optional().parse(filterOf('MARKET_LOT_SIZE')) ?? lot
  const bound = (name: keyof typeof lot): string =>
    isNothing(ofMarketOrders[name]) ? lot[name] : ofMarketOrders[name]
  const { stepSize, minQty, maxQty } = lot
  return {
    symbol,
    kind,
    base: baseAsset,
    quote: quoteAsset,
    isTrading: status === 'TRADING',
    quantityStep: bound('stepSize'),
    minQuantity: bound('minQty'),
    maxQuantity: bound('maxQty'),
    limitLot: { quantityStep: stepSize, minQuantity: minQty, maxQuantity: maxQty },
    priceTick: PriceFilter.parse(filterOf('PRICE_FILTER')).tickSize,
    minNotional: leastValue(filterOf('MIN_NOTIONAL') ?? filterOf('NOTIONAL')),
    maxLeverage: undefined,
    features: {
      ...(kind === 'spot' ? spotFeatures : futuresFeatures),
      maxOpenOrders: MostOrders.parse(filterOf('MAX_NUM_ORDERS')),
      maxConditionalOrders: MostOrders.parse(filterOf('MAX_NUM_ALGO_ORDERS')),
    },
    priceBand: bandOf(filterOf('PERCENT_PRICE') ?? filterOf('PERCENT_PRICE_BY_SIDE')),
  }
}

// Futures call it limit, spot has a name for each.
const MostOrders = z
  .object({
    limit: z.number().optional(),
    maxNumOrders: z.number().optional(),
    maxNumAlgoOrders: z.number().optional(),
  })
  .transform(({ limit, maxNumOrders, maxNumAlgoOrders }) => limit ?? maxNumOrders ?? maxNumAlgoOrders)
  .optional()

const PriceFilter = z.object({ tickSize: DecimalText })

// Futures call it notional, spot minNotional.
const LeastValue = z.union([
  z.object({ notional: DecimalText }).transform(({ notional }) => notional),
  z.object({ minNotional: DecimalText }).transform(({ minNotional }) => minNotional),
])

function leastValue(filter: unknown): string {
  return filter === undefined ? '0' : LeastValue.parse(filter)
}

// On futures one factor for both sides, on spot one for each.
const Band = z.union([
  z
    .object({ multiplierUp: DecimalText, multiplierDown: DecimalText })
    .transform(({ multiplierUp, multiplierDown }) => ({ highest: multiplierUp, lowest: multiplierDown })),
  z
    .object({ bidMultiplierUp: DecimalText, askMultiplierDown: DecimalText })
    .transform(({ bidMultiplierUp, askMultiplierDown }) => ({
      highest: bidMultiplierUp,
      lowest: askMultiplierDown,
    })),
])

function bandOf(filter: unknown): Market['priceBand'] {
  return filter === undefined ? undefined : Band.parse(filter)
}

/** The best bid and ask of one symbol (ticker/bookTicker). */
const BookTicker = z.object({ bidPrice: DecimalText, askPrice: DecimalText })

/** What a market bids and asks. */
export function readQuote(book: unknown): { bid: string; ask: string } {
  const { bidPrice: bid, askPrice: ask } = BookTicker.parse(book)
  return { bid, ask }
}
