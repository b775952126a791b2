import { z } from 'zod'
import type { Market, MarketFeatures } from '../../domain/market.ts'
import { Decimal, Flag, readFrom, spare, Text, Whole } from '../read-fields.ts'
import { priceOrNone } from './answers.ts'
import { spotTypes } from './spot-answers.ts'

const Lot = z.object({
  minQty: spare('minQty', Decimal, '0'),
  maxQty: spare('maxQty', Decimal, undefined),
  stepSize: Decimal,
})

const Instrument = z.object({
  symbol: Text,
  status: spare('status', Text, ''),
  baseAsset: Text,
  quoteAsset: Text,
  filters: z.array(z.looseObject({ filterType: spare('filterType', Text, '') })),
  orderTypes: spare('orderTypes', z.array(Text), undefined),
  ocoAllowed: spare('ocoAllowed', Flag, true),
})

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

/**
 * A market from one symbol of exchangeInfo. The lot filter of market orders binds those alone; what it leaves at zero,
 * as spot does, is as in the filter of all orders.
 */
export function readMarket(answer: unknown, kind: Market['kind']): Market {
  const read = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> =>
    readFrom(sources[kind], schema, value)
  const { symbol, status, baseAsset, quoteAsset, filters, orderTypes, ocoAllowed } = read(Instrument, answer)
  const filterOf = (type: string): unknown => filters.find(({ filterType }) => filterType === type)
  const lot = read(Lot, filterOf('LOT_SIZE'))
  const ofMarketOrders = read(spare('MARKET_LOT_SIZE', Lot, lot), filterOf('MARKET_LOT_SIZE'))
  const bound = (name: keyof typeof lot): string | undefined => priceOrNone(ofMarketOrders[name]) ?? lot[name]
  const { stepSize, minQty, maxQty = anyQuantity } = lot
  const mostOf = (filter: string) => read(spare(filter, MostOrders, undefined), filterOf(filter))
  const features = kind === 'spot' ? spotFeatures : futuresFeatures
  const types = kind === 'spot' ? typesIn(orderTypes) : undefined
  return {
    symbol,
    kind,
    base: baseAsset,
    quote: quoteAsset,
    isTrading: status === 'TRADING',
    quantityStep: bound('stepSize') ?? stepSize,
    minQuantity: bound('minQty') ?? minQty,
    maxQuantity: bound('maxQty') ?? maxQty,
    limitLot: { quantityStep: stepSize, minQuantity: minQty, maxQuantity: maxQty },
    priceTick: read(PriceFilter, filterOf('PRICE_FILTER')).tickSize,
    minNotional: read(spare('NOTIONAL', LeastValue, '0'), filterOf('MIN_NOTIONAL') ?? filterOf('NOTIONAL')),
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

function spotBandIn(filterOf: (type: string) => unknown): unknown {
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

const PriceFilter = z.object({ tickSize: Decimal })

// Futures call it notional, spot minNotional.
const LeastValue = z.union([
  z.object({ notional: Decimal }).transform(({ notional }) => notional),
  z.object({ minNotional: Decimal }).transform(({ minNotional }) => minNotional),
])

// On futures the far end of each side alone is bound.
const Band = z
  .object({ multiplierUp: Decimal, multiplierDown: Decimal })
  .transform(({ multiplierUp, multiplierDown }) => ({ highest: multiplierUp, lowest: multiplierDown }))

// On spot both ends of each side are, by one pair of factors or a pair for each.
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
