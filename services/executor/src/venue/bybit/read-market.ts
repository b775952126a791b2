import { absolute, add, isGreater, subtract } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { Market } from '../../domain/order/market.ts'
import { priceRangeOf } from '../prices/price-range.ts'
import { Decimal, readFrom, spare, Text, wordOf } from '../read/read-fields.ts'
import { sourceOf, spareAmount } from './answers.ts'
import { marketStatuses } from './orders/order-words.ts'

const call = 'market.instruments-info'

// Spot had other parameters here before it had these.
const Ratios = z.object({
  priceLimitRatioX: spare('priceLimitRatioX', Decimal, undefined),
  priceLimitRatioY: spare('priceLimitRatioY', Decimal, undefined),
})

const Instrument = z.object({
  symbol: Text,
  status: spare('status', wordOf('status', marketStatuses), 'Trading'),
  baseCoin: Text,
  quoteCoin: Text,
  // Linear markets bound the price of an order ("Get Instruments Info" of the documentation, 2026-07), spot does not.
  priceFilter: z.object({
    tickSize: Decimal,
    minPrice: spare('minPrice', Decimal, undefined),
    maxPrice: spare('maxPrice', Decimal, undefined),
  }),
  riskParameters: spare('riskParameters', Ratios, undefined),
})

// No order is as large: where the venue states no bound it refuses orders itself.
const unbounded = '1000000000000000'

const bound = (field: string) => spare(field, Decimal, undefined)

const LinearInstrument = Instrument.extend({
  leverageFilter: spare('leverageFilter', z.object({ maxLeverage: Decimal }), undefined),
  lotSizeFilter: z.object({
    qtyStep: Decimal,
    minOrderQty: bound('minOrderQty'),
    maxOrderQty: bound('maxOrderQty'),
    maxMktOrderQty: bound('maxMktOrderQty'),
    minNotionalValue: spareAmount('minNotionalValue'),
  }),
})

// "Get Instruments Info" of the documentation, 2026-07: the least quantity is no longer checked, only the least amount.
const SpotInstrument = Instrument.extend({
  lotSizeFilter: z.object({
    basePrecision: Decimal,
    maxOrderQty: bound('maxOrderQty'),
    maxLimitOrderQty: bound('maxLimitOrderQty'),
    maxMarketOrderQty: bound('maxMarketOrderQty'),
    minOrderAmt: spareAmount('minOrderAmt'),
  }),
})

/** A linear market from one row of instruments-info. */
export function readLinearMarket(info: unknown): Market {
  const instrument = readFrom(sourceOf('linear', call), LinearInstrument, info)
  const { qtyStep, minNotionalValue } = instrument.lotSizeFilter
  const { minOrderQty = qtyStep, maxOrderQty = unbounded } = instrument.lotSizeFilter
  const { maxMktOrderQty = maxOrderQty } = instrument.lotSizeFilter
  return {
    ...sharedOf(instrument),
    kind: 'linear',
    quantityStep: qtyStep,
    minQuantity: minOrderQty,
    maxQuantity: maxMktOrderQty,
    limitLot: { quantityStep: qtyStep, minQuantity: minOrderQty, maxQuantity: maxOrderQty },
    minNotional: minNotionalValue,
    maxLeverage: instrument.leverageFilter?.maxLeverage,
    features: {
      nativeOco: false,
      conditional: true,
      reduceOnly: true,
      hedge: true,
      leverage: true,
      triggers: ['last', 'mark', 'index'],
      maxOpenOrders: 500,
      maxConditionalOrders: 10,
    },
  }
}

/** A spot market from one row of instruments-info. */
export function readSpotMarket(info: unknown): Market {
  const instrument = readFrom(sourceOf('spot', call), SpotInstrument, info)
  const { basePrecision, minOrderAmt, maxOrderQty = unbounded } = instrument.lotSizeFilter
  const { maxMarketOrderQty = maxOrderQty, maxLimitOrderQty = maxOrderQty } = instrument.lotSizeFilter
  return {
    ...sharedOf(instrument),
    kind: 'spot',
    ...{ quantityStep: basePrecision, minQuantity: basePrecision, maxQuantity: maxMarketOrderQty },
    limitLot: { quantityStep: basePrecision, minQuantity: basePrecision, maxQuantity: maxLimitOrderQty },
    minNotional: minOrderAmt,
    maxLeverage: undefined,
    features: {
      nativeOco: false,
      conditional: true,
      reduceOnly: false,
      hedge: false,
      leverage: false,
      triggers: ['last'],
      maxOpenOrders: 500,
      maxConditionalOrders: 30,
    },
  }
}

function sharedOf(instrument: z.infer<typeof Instrument>) {
  const { symbol, status, baseCoin, quoteCoin, priceFilter, riskParameters } = instrument
  return {
    symbol,
    base: baseCoin,
    quote: quoteCoin,
    isTrading: status === 'Trading',
    priceTick: priceFilter.tickSize,
    priceBand: bandOf(riskParameters),
    ...priceRangeOf(priceFilter.minPrice, priceFilter.maxPrice),
  }
}

// The venue's limits lie between two ratios of the mark, by the index; only beyond the outer one is it sure to refuse.
function bandOf(ratios: z.infer<typeof Instrument>['riskParameters']): Market['priceBand'] {
  const { priceLimitRatioX, priceLimitRatioY } = ratios ?? {}
  if (priceLimitRatioX === undefined || priceLimitRatioY === undefined) return undefined
  const outer = isGreater(priceLimitRatioX, priceLimitRatioY) ? priceLimitRatioX : priceLimitRatioY
  return { highest: add('1', absolute(outer)), lowest: subtract('1', absolute(outer)) }
}
