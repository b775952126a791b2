import { DecimalText, isLess, negate } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { OrderStatus, VenueOrder } from '../../domain/order.ts'
import { Id, Order, priceOrNone, statuses } from './answers.ts'
import { PositionSideWord, sideOf } from './futures-position.ts'
import type { ToldOrder } from './told-order.ts'

/** Binance's words for kinds of order, in ours. */
const types: Readonly<Record<string, VenueOrder['type']>> = {
  MARKET: 'market',
  LIMIT: 'limit',
  STOP_MARKET: 'stop',
  STOP: 'stopLimit',
  TAKE_PROFIT_MARKET: 'takeProfit',
  TAKE_PROFIT: 'takeProfitLimit',
}

const FuturesOrder = Order.extend({
  avgPrice: DecimalText,
  reduceOnly: z.boolean(),
  positionSide: PositionSideWord.default('BOTH'),
  updateTime: z.number().optional(),
})

/** An order as Binance USDⓈ-M answers it (RESULT, GET order, open orders, and DELETE order). */
export function readFuturesOrder(answer: unknown): VenueOrder {
  const order = FuturesOrder.parse(answer)
  return {
    venueOrderId: order.orderId,
    clientOrderId: order.clientOrderId,
    side: order.side === 'BUY' ? 'buy' : 'sell',
    type: types[order.type] ?? 'other',
    status: statuses[order.status],
    quantity: order.origQty,
    filled: order.executedQty,
    averagePrice: priceOrNone(order.avgPrice),
    price: priceOrNone(order.price),
    triggerPrice: null,
    isConditional: false,
    reduceOnly: shrinks(order),
    fee: null,
    updatedAt: order.updateTime ?? null,
  }
}

/** In hedge mode there is no reduceOnly: an order against the side of its position can only shrink it. */
function shrinks({
  reduceOnly,
  positionSide,
  side,
}: Pick<z.infer<typeof FuturesOrder>, 'reduceOnly' | 'positionSide' | 'side'>): boolean {
  if (positionSide === 'BOTH') return reduceOnly
  return (positionSide === 'LONG') === (side === 'SELL')
}

/** What has become of a conditional order, before the order that it becomes tells more. */
const algoStatuses = {
  NEW: 'untriggered',
  TRIGGERING: 'open',
  TRIGGERED: 'open',
  FINISHED: 'canceled',
  CANCELED: 'canceled',
  EXPIRED: 'expired',
  REJECTED: 'rejected',
} as const satisfies Record<string, OrderStatus>

const AlgoStatus = z.enum(Object.keys(algoStatuses) as (keyof typeof algoStatuses)[])

const AlgoOrder = z.object({
  algoId: Id,
  clientAlgoId: z.string(),
  orderType: z.string(),
  side: z.enum(['BUY', 'SELL']),
  positionSide: PositionSideWord.default('BOTH'),
  quantity: DecimalText,
  algoStatus: AlgoStatus,
  triggerPrice: DecimalText,
  price: DecimalText,
  reduceOnly: z.boolean(),
  updateTime: z.number().optional(),
  actualOrderId: Id.optional(),
  actualQty: DecimalText.optional(),
  actualPrice: DecimalText.optional(),
})

/** A conditional order, and the id of the ordinary one that it became. */
export interface ReadAlgo {
  order: VenueOrder
  childId: string | undefined
}

/** A conditional order as Binance USDⓈ-M answers it (POST and GET algoOrder, open ones). */
export function readAlgoOrder(answer: unknown): ReadAlgo {
  const algo = AlgoOrder.parse(answer)
  const filled = algo.actualQty ?? '0'
  const childId =
    algo.actualOrderId === undefined || algo.actualOrderId === '' ? undefined : algo.actualOrderId
  return {
    childId,
    order: {
      venueOrderId: algo.algoId,
      clientOrderId: algo.clientAlgoId,
      side: algo.side === 'BUY' ? 'buy' : 'sell',
      type: types[algo.orderType] ?? 'other',
      status: algoStatusOf(algo.algoStatus, algo.quantity, filled),
      quantity: algo.quantity,
      filled,
      averagePrice: priceOrNone(algo.actualPrice),
      price: priceOrNone(algo.price),
      triggerPrice: priceOrNone(algo.triggerPrice),
      isConditional: true,
      reduceOnly: shrinks(algo),
      fee: null,
      updatedAt: algo.updateTime ?? null,
    },
  }
}

function algoStatusOf(word: z.infer<typeof AlgoStatus>, quantity: string, filled: string): OrderStatus {
  return word === 'FINISHED' && !isLess(filled, quantity) ? 'filled' : algoStatuses[word]
}

/** A conditional order that was triggered, as the ordinary order it became: under the id that it was placed with. */
export function asTriggered(algo: VenueOrder, child: VenueOrder): VenueOrder {
  const { status, filled, averagePrice, fee, updatedAt } = child
  return { ...algo, status, filled, averagePrice, fee, updatedAt }
}

const StreamOrder = z.object({
  s: z.string(),
  c: z.string(),
  S: z.enum(['BUY', 'SELL']),
  o: z.string(),
  X: z.enum(Object.keys(statuses) as (keyof typeof statuses)[]),
  i: Id,
  q: DecimalText,
  p: DecimalText,
  z: DecimalText,
  ap: DecimalText,
  l: DecimalText,
  t: Id,
  n: DecimalText.optional(),
  N: z.string().nullish(),
  R: z.boolean(),
  ps: PositionSideWord.default('BOTH'),
  T: z.number(),
})

/** The order of an ORDER_TRADE_UPDATE (`o`). */
export function readFuturesUpdate(answer: unknown): ToldOrder {
  const told = StreamOrder.parse(answer)
  const order = readFuturesOrder({
    orderId: told.i,
    clientOrderId: told.c,
    side: told.S,
    status: told.X,
    type: told.o,
    origQty: told.q,
    executedQty: told.z,
    price: told.p,
    avgPrice: told.ap,
    reduceOnly: told.R,
    positionSide: told.ps,
    updateTime: told.T,
  })
  const fill =
    told.n === undefined || told.N == null || priceOrNone(told.l) === null
      ? undefined
      : { id: told.t, quantity: told.l, fee: { amount: told.n, coin: told.N } }
  const traded = priceOrNone(told.l) === null ? undefined : tradeOf(told)
  return { symbol: told.s, order, fill, ...(traded && { traded }) }
}

function tradeOf({ s, S, l, ps, T }: z.infer<typeof StreamOrder>): NonNullable<ToldOrder['traded']> {
  return { symbol: s, side: sideOf(ps), change: S === 'BUY' ? l : negate(l), at: T }
}

const StreamAlgo = z.object({
  s: z.string(),
  caid: z.string(),
  aid: Id,
  o: z.string(),
  S: z.enum(['BUY', 'SELL']),
  ps: PositionSideWord.default('BOTH'),
  q: DecimalText,
  X: AlgoStatus,
  ai: Id.optional(),
  ap: DecimalText.optional(),
  aq: DecimalText.optional(),
  tp: DecimalText,
  p: DecimalText,
  R: z.boolean(),
})

/** The conditional order of an ALGO_UPDATE (`o`), which changed at that moment. */
export function readAlgoUpdate(answer: unknown, updateTime: number): ReadAlgo & { symbol: string } {
  const told = StreamAlgo.parse(answer)
  const read = readAlgoOrder({
    algoId: told.aid,
    clientAlgoId: told.caid,
    orderType: told.o,
    side: told.S,
    positionSide: told.ps,
    quantity: told.q,
    algoStatus: told.X,
    triggerPrice: told.tp,
    price: told.p,
    reduceOnly: told.R,
    updateTime,
    actualOrderId: told.ai,
    actualQty: told.aq,
    actualPrice: told.ap,
  })
  return { ...read, symbol: told.s }
}

/** GET /fapi/v3/account. */
export const FuturesAccount = z.object({
  assets: z.array(
    z.object({
      asset: z.string(),
      walletBalance: DecimalText,
      marginBalance: DecimalText,
      availableBalance: DecimalText,
    }),
  ),
  positions: z.array(z.object({ symbol: z.string(), unrealizedProfit: DecimalText })).default([]),
})
export type FuturesAccount = z.infer<typeof FuturesAccount>

/** GET /fapi/v1/premiumIndex of one symbol. */
export const PremiumIndex = z.object({ markPrice: DecimalText })

/** GET /fapi/v1/accountConfig. */
export const AccountConfig = z.object({ dualSidePosition: z.boolean() })

/** GET /fapi/v1/symbolConfig of one symbol. */
export const SymbolConfigs = z.array(
  z.object({
    symbol: z.string(),
    marginType: z.enum(['CROSSED', 'ISOLATED']),
    leverage: z.union([z.string(), z.number()]).transform(String),
  }),
)

/** GET /fapi/v1/leverageBracket of all symbols; the first bracket allows the most. */
export const LeverageBrackets = z.array(
  z.object({
    symbol: z.string(),
    brackets: z.array(z.object({ initialLeverage: z.union([z.string(), z.number()]).transform(String) })),
  }),
)
