import { DecimalText } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { Market } from '../domain/market.ts'
import type { OrderStatus, VenueOrder } from '../domain/order.ts'

const statuses = {
  NEW: 'open',
  PARTIALLY_FILLED: 'partially_filled',
  FILLED: 'filled',
  CANCELED: 'canceled',
  EXPIRED: 'expired',
  EXPIRED_IN_MATCH: 'expired',
  REJECTED: 'rejected',
} as const satisfies Record<string, OrderStatus>

const Order = z.object({
  orderId: z.union([z.string(), z.number()]).transform(String),
  clientOrderId: z.string(),
  side: z.enum(['BUY', 'SELL']),
  status: z.enum(Object.keys(statuses) as (keyof typeof statuses)[]),
  origQty: DecimalText,
  executedQty: DecimalText,
  avgPrice: DecimalText,
  reduceOnly: z.boolean(),
})

/** An order as Binance USDⓈ-M answers it (RESULT, and GET order). */
export function readOrder(answer: unknown): VenueOrder {
  const order = Order.parse(answer)
  return {
    venueOrderId: order.orderId,
    clientOrderId: order.clientOrderId,
    side: order.side === 'BUY' ? 'buy' : 'sell',
    status: statuses[order.status],
    quantity: order.origQty,
    filled: order.executedQty,
    averagePrice: /^0*\.?0*$/.test(order.avgPrice) ? null : order.avgPrice,
    reduceOnly: order.reduceOnly,
  }
}

const LotSize = z.object({ minQty: DecimalText, maxQty: DecimalText, stepSize: DecimalText })

const Instrument = z.object({
  symbol: z.string(),
  status: z.string(),
  baseAsset: z.string(),
  quoteAsset: z.string(),
  filters: z.array(z.looseObject({ filterType: z.string() })),
})

/** A market from one symbol of exchangeInfo; the market-order lot filter is the one that binds market orders. */
export function readMarket(answer: unknown): Market {
  const { symbol, status, baseAsset, quoteAsset, filters } = Instrument.parse(answer)
  const filter =
    filters.find((candidate) => candidate.filterType === 'MARKET_LOT_SIZE') ??
    filters.find((candidate) => candidate.filterType === 'LOT_SIZE')
  const { minQty, maxQty, stepSize } = LotSize.parse(filter)
  return {
    symbol,
    base: baseAsset,
    quote: quoteAsset,
    isTrading: status === 'TRADING',
    quantityStep: stepSize,
    minQuantity: minQty,
    maxQuantity: maxQty,
  }
}

/** GET /fapi/v3/account, the asset in question. */
export const Account = z.object({
  assets: z.array(
    z.object({
      asset: z.string(),
      walletBalance: DecimalText,
      marginBalance: DecimalText,
      availableBalance: DecimalText,
    }),
  ),
})

/** GET /fapi/v3/positionRisk; in one-way mode a symbol has at most one entry. */
export const Positions = z.array(
  z.object({
    symbol: z.string(),
    positionAmt: DecimalText,
    entryPrice: DecimalText,
    unRealizedProfit: DecimalText,
  }),
)

/** GET /fapi/v1/ticker/bookTicker of one symbol. */
export const BookTicker = z.object({ bidPrice: DecimalText, askPrice: DecimalText })

/** GET /fapi/v1/premiumIndex of one symbol. */
export const PremiumIndex = z.object({ markPrice: DecimalText })
