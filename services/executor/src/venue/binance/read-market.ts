import { divide } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { Lot, Market, MarketFeatures } from '../../domain/order/market.ts'
import { priceRangeOf } from '../prices/price-range.ts'
import { Decimal, Flag, readFrom, spare, Text, Whole } from '../read/read-fields.ts'
import { priceOrNone } from './answers.ts'
import { spotTypes } from './orders/spot-answers.ts'

const LotFilter = z.object({
  minQty: spare('minQty', Decimal, undefined),
  maxQty: spare('maxQty', Decimal, undefined),
  stepSize: spare('stepSize', Decimal, undefined),
})

const Instrument = z.object({
  symbol: Text,
  status: spare('status', Text, ''),
  baseAsset: Text,
  quoteAsset: Text,
  filters: z.array(z.looseObject({ filterType: spare('filterType', Text, '') })),
  orderTypes: spare('orderTypes', z.array(Text), undefined),
  ocoAllowed: spare('ocoAllowed', Flag, true),
  // Spot names the precision of its coins, futures that of orders.
  baseAssetPrecision: spare('baseAssetPrecision', Whole, undefined),
  quotePrecision: spare('quotePrecision', Whole, undefined),
  quantityPrecision: spare('quantityPrecision', Whole, undefined),
  pricePrecision: spare('pricePrecision', Whole, undefined),
})

const noLot: z.output<typeof LotFilter> = { minQty: undefined, maxQty: undefined, stepSize: undefined }

type Instrument = z.output<typeof Instrument>
type FilterOf = (type: string) => unknown
type Read = <Schema extends z.ZodType>(schema: Schema, value: unknown) => z.output<Schema>

const futuresFeatures: Features = {
  nativeOco: false,
  conditional: true,
  reduceOnly: true,
  hedge: true,
  leverage: true,
  triggers: ['last', 'mark'],
}

// Over all symbols, which say nothing of it since 2025-12 (USDⓈ-M change log, migration to the algo service).
const futuresConditionalOrders = 200

type Features = Omit<MarketFeatures, 'maxOpenOrders' | 'maxConditionalOrders' | 'types'>

const spotFeatures: Features = {
  nativeOco: true,
  conditional: true,
  reduceOnly: false,
  hedge: false,
  leverage: false,
  triggers: ['last'],
}

// An order that a market has no bound for may be as large as this.
const anyQuantity = '1000000000000'

const sources = {
  spot: { venue: 'binance-spot', call: 'exchangeInfo' },
  linear: { venue: 'binance-futures', call: 'exchangeInfo' },
} as const

/** A market from one symbol of exchangeInfo. */
export function readMarket(answer: unknown, kind: Market['kind']): Market {
  const read: Read = (schema, value) => readFrom(sources[kind], schema, value)
  const instrument = read(Instrument, answer)
  const { symbol, status, baseAsset, quoteAsset, filters, orderTypes, ocoAllowed } = instrument
  const filterOf: FilterOf = (type) => filters.find(({ filterType }) => filterType === type)
  const mostOf = (filter: string) => read(spare(filter, MostOrders, undefined), filterOf(filter))
  const features = kind === 'spot' ? spotFeatures : futuresFeatures
  const types = kind === 'spot' ? typesIn(orderTypes) : undefined
  return {
    symbol,
    kind,
    base: baseAsset,
    quote: quoteAsset,
    isTrading: status === 'TRADING',
    ...lotsOf(instrument, filterOf, read),
    ...pricesOf(instrument, filterOf, read),
    ...read(
      spare('NOTIONAL', LeastValue, { minNotional: '0' }),
      filterOf('MIN_NOTIONAL') ?? filterOf('NOTIONAL'),
    ),
    maxLeverage: undefined,
    features: {
      ...features,
      nativeOco: features.nativeOco && ocoAllowed,
      ...(types && { types }),
      maxOpenOrders: mostOf('MAX_NUM_ORDERS'),
      maxConditionalOrders:
        mostOf('MAX_NUM_ALGO_ORDERS') ?? (kind === 'linear' ? futuresConditionalOrders : undefined),
    },
    priceBand:
      kind === 'spot'
        ? read(spare('PERCENT_PRICE', SpotBand, undefined), spotBandIn(filterOf))
        : read(spare('PERCENT_PRICE', Band, undefined), filterOf('PERCENT_PRICE')),
  }
}

/**
 * Returns the sizing of orders. The lot filter of market orders binds those alone; a value that it leaves at zero, as spot
 * does, is as in the filter of all orders.
 */
function lotsOf(instrument: Instrument, filterOf: FilterOf, read: Read): Lot & { limitLot: Lot } {
  const { quantityPrecision = instrument.baseAssetPrecision } = instrument
  const ofAll = read(spare('LOT_SIZE', LotFilter, noLot), filterOf('LOT_SIZE'))
  const ofMarketOrders = read(spare('MARKET_LOT_SIZE', LotFilter, noLot), filterOf('MARKET_LOT_SIZE'))
  const limitLot = {
    quantityStep: given(ofAll.stepSize) ?? stepOf(quantityPrecision),
    minQuantity: ofAll.minQty ?? '0',
    maxQuantity: ofAll.maxQty ?? anyQuantity,
  }
  return {
    quantityStep: given(ofMarketOrders.stepSize) ?? limitLot.quantityStep,
    minQuantity: given(ofMarketOrders.minQty) ?? limitLot.minQuantity,
    maxQuantity: given(ofMarketOrders.maxQty) ?? limitLot.maxQuantity,
    limitLot,
  }
}

// Binds prices and stop prices; 0 means that a part of it does not ("Filters" of the documentation, PRICE_FILTER).
function pricesOf(
  instrument: Instrument,
  filterOf: FilterOf,
  read: Read,
): Pick<Market, 'priceTick' | 'priceRange'> {
  const { pricePrecision = instrument.quotePrecision } = instrument
  const { tickSize, minPrice, maxPrice } = read(
    spare('PRICE_FILTER', PriceFilter, noPriceFilter),
    filterOf('PRICE_FILTER'),
  )
  return { priceTick: given(tickSize) ?? stepOf(pricePrecision), ...priceRangeOf(minPrice, maxPrice) }
}

// A zero in a filter does not bind.
function given(bound: string | undefined): string | undefined {
  return priceOrNone(bound) ?? undefined
}

/** Returns the step of a market that no filter gives one: the step that its precision allows ("Filters" of the documentation). */
function stepOf(precision = mostPrecise): string {
  return divide('1', `1${'0'.repeat(Math.min(Math.max(precision, 0), mostPrecise))}`)
}

const mostPrecise = 8

function spotBandIn(filterOf: FilterOf): unknown {
  return filterOf('PERCENT_PRICE_BY_SIDE') ?? filterOf('PERCENT_PRICE')
}

/** Returns the kinds of order that a spot symbol takes; undefined where it does not say. */
function typesIn(words: readonly string[] | undefined): MarketFeatures['types'] {
  const types = new Set(words?.map((word) => spotTypes[word]).filter((type) => type !== undefined))
  return types.size === 0 ? undefined : [...types]
}

// Futures call it limit, spot has a name for each.
const MostOrders = z
  .object({
    limit: spare('limit', Whole, undefined),
    maxNumOrders: spare('maxNumOrders', Whole, undefined),
    maxNumAlgoOrders: spare('maxNumAlgoOrders', Whole, undefined),
  })
  .transform(({ limit, maxNumOrders, maxNumAlgoOrders }) => limit ?? maxNumOrders ?? maxNumAlgoOrders)

const PriceFilter = z.object({
  tickSize: spare('tickSize', Decimal, undefined),
  minPrice: spare('minPrice', Decimal, undefined),
  maxPrice: spare('maxPrice', Decimal, undefined),
})
const noPriceFilter = { tickSize: undefined, minPrice: undefined, maxPrice: undefined }

// Futures call it notional, spot minNotional; spot says by either of two names whether it binds market orders.
const LeastValue = z.union([
  z.object({ notional: Decimal }).transform(({ notional }) => ({ minNotional: notional })),
  z
    .object({
      minNotional: Decimal,
      applyToMarket: spare('applyToMarket', Flag, true),
      applyMinToMarket: spare('applyMinToMarket', Flag, true),
    })
    .transform(({ minNotional, applyToMarket, applyMinToMarket }) => ({
      minNotional,
      ...(!(applyToMarket && applyMinToMarket) && { minMarketNotional: '0' }),
    })),
])

// On futures the far end of each side alone is bound.
const Band = z
  .object({ multiplierUp: Decimal, multiplierDown: Decimal })
  .transform(({ multiplierUp, multiplierDown }) => ({ highest: multiplierUp, lowest: multiplierDown }))

// On spot both ends of each side are, by one pair of factors or a pair for each, around the reference price where the market
// has one (filters.md of the spot documentation, since 2026-05-08).
const SpotBand = z.union([
  z
    .object({ multiplierUp: Decimal, multiplierDown: Decimal })
    .transform(({ multiplierUp: up, multiplierDown: down }) => bandOf({ up, down }, { up, down })),
  z
    .object({
      bidMultiplierUp: Decimal,
      bidMultiplierDown: Decimal,
      askMultiplierUp: Decimal,
      askMultiplierDown: Decimal,
    })
    .transform(({ bidMultiplierUp, bidMultiplierDown, askMultiplierUp, askMultiplierDown }) =>
      bandOf(
        { up: bidMultiplierUp, down: bidMultiplierDown },
        { up: askMultiplierUp, down: askMultiplierDown },
      ),
    ),
])

interface Ends {
  up: string
  down: string
}

function bandOf(buys: Ends, sales: Ends): NonNullable<Market['priceBand']> {
  return { highest: buys.up, lowest: sales.down, lowestBuy: buys.down, highestSale: sales.up }
}
