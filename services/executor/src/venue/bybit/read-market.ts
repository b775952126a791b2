import { absolute, add, DecimalText, isGreater, subtract } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { Market } from '../../domain/market.ts'

const Instrument = z.object({
  symbol: z.string(),
  status: z.string(),
  baseCoin: z.string(),
  quoteCoin: z.string(),
  priceFilter: z.object({ tickSize: DecimalText }),
  riskParameters: z.object({ priceLimitRatioX: DecimalText, priceLimitRatioY: DecimalText }).optional(),
})

const LinearInstrument = Instrument.extend({
  leverageFilter: z.object({ maxLeverage: DecimalText }),
  lotSizeFilter: z.object({
    qtyStep: DecimalText,
    minOrderQty: DecimalText,
    maxOrderQty: DecimalText,
    maxMktOrderQty: DecimalText,
    minNotionalValue: DecimalText.default('0'),
  }),
})

const SpotInstrument = Instrument.extend({
  lotSizeFilter: z.object({
    basePrecision: DecimalText,
    minOrderQty: DecimalText,
    maxOrderQty: DecimalText,
    maxLimitOrderQty: DecimalText.optional(),
    maxMarketOrderQty: DecimalText.optional(),
    minOrderAmt: DecimalText,
  }),
})

/** A linear market from one row of instruments-info. */
export function readLinearMarket(info: unknown): Market {
  const instrument = LinearInstrument.parse(info)
  const { qtyStep, minOrderQty, maxOrderQty, maxMktOrderQty, minNotionalValue } = instrument.lotSizeFilter
  return {
    ...sharedOf(instrument),
    kind: 'linear',
    quantityStep: qtyStep,
    minQuantity: minOrderQty,
    maxQuantity: maxMktOrderQty,
    limitLot: { quantityStep: qtyStep, minQuantity: minOrderQty, maxQuantity: maxOrderQty },
    minNotional: minNotionalValue,
    maxLeverage: instrument.leverageFilter.maxLeverage,
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
  const instrument = SpotInstrument.parse(info)
  const { basePrecision, minOrderQty, maxOrderQty, minOrderAmt } = instrument.lotSizeFilter
  const { maxMarketOrderQty = maxOrderQty, maxLimitOrderQty = maxOrderQty } = instrument.lotSizeFilter
  return {
    ...sharedOf(instrument),
    kind: 'spot',
    quantityStep: basePrecision,
    minQuantity: minOrderQty,
    maxQuantity: maxMarketOrderQty,
    limitLot: { quantityStep: basePrecision, minQuantity: minOrderQty, maxQuantity: maxLimitOrderQty },
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
  }
}

// The venue's limits lie between two ratios of the mark, by the index; only beyond the outer one is it sure to refuse.
function bandOf(ratios: z.infer<typeof Instrument>['riskParameters']): Market['priceBand'] {
  if (ratios === undefined) return undefined
  const { priceLimitRatioX, priceLimitRatioY } = ratios
  const outer = isGreater(priceLimitRatioX, priceLimitRatioY) ? priceLimitRatioX : priceLimitRatioY
  return { highest: add('1', absolute(outer)), lowest: subtract('1', absolute(outer)) }
}
