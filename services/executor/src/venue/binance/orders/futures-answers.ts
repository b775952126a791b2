import { isLess, isZero } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { OrderStatus, VenueOrder } from '../../../domain/order/order.ts'
import type { Side } from '../../../domain/order/side.ts'
import type { Source } from '../../read/drift.ts'
import { Decimal, Flag, readFrom, spare, Text, Whole, wordOf } from '../../read/read-fields.ts'
import { PositionSide, type PositionSideWord } from '../account/futures-position.ts'
import { Order, type Planned, priceOrNone, readCore, SideWord } from '../answers.ts'

/** Binance's words for kinds of order, in ours. */
const types: Readonly<Record<string, VenueOrder['type']>> = {
  MARKET: 'market',
  LIMIT: 'limit',
  STOP_MARKET: 'stop',
  STOP: 'stopLimit',
  TAKE_PROFIT_MARKET: 'takeProfit',
  TAKE_PROFIT: 'takeProfitLimit',
}

const source = { venue: 'binance-futures', call: 'order' } as const

const FuturesOrder = Order.extend({
  // POST and DELETE have not reported it since 2026-06-30.
  avgPrice: spare('avgPrice', Decimal, undefined),
  cumQty: spare('cumQty', Decimal, undefined),
  reduceOnly: spare('reduceOnly', Flag, undefined),
  positionSide: PositionSide,
})

/**
 * An order as Binance USDⓈ-M answers it (RESULT, GET order, open orders, and DELETE order); parts that an answer to its
 * placing leaves out are as they were planned.
 */
export function readFuturesOrder(answer: unknown, planned?: Planned, from: Source = source): VenueOrder {
  const { cumQty, executedQty = cumQty, ...order } = readFrom(from, FuturesOrder, answer)
  const core = readCore({ ...order, executedQty }, planned)
  return {
    ...core,
    type: order.type === undefined ? (planned?.type ?? 'other') : (types[order.type] ?? 'other'),
    averagePrice: priceOrNone(order.avgPrice),
    triggerPrice: null,
    isConditional: false,
    reduceOnly: shrinks(order, core.side, planned),
    fee: null,
    updatedAt: order.updateTime ?? null,
  }
}

interface Exposure {
  reduceOnly: boolean | undefined
  positionSide: PositionSideWord
}

/** In hedge mode there is no reduceOnly: an order against the side of its position can only shrink it. */
function shrinks({ reduceOnly, positionSide }: Exposure, side: Side, planned: Planned | undefined): boolean {
  if (positionSide === 'BOTH') return reduceOnly ?? planned?.reduceOnly ?? false
  return (positionSide === 'LONG') === (side === 'sell')
}

/** The statuses of a conditional order, before the order that it becomes reports more. */
const algoStatuses: Readonly<Record<string, OrderStatus>> = {
  NEW: 'untriggered',
  TRIGGERING: 'open',
  TRIGGERED: 'open',
  FINISHED: 'canceled',
  CANCELED: 'canceled',
  EXPIRED: 'expired',
  REJECTED: 'rejected',
}

const AlgoOrder = z.object({
  algoId: spare('algoId', Text, undefined),
  clientAlgoId: spare('clientAlgoId', Text, undefined),
  orderType: spare('orderType', Text, undefined),
  side: spare('side', SideWord, undefined),
  positionSide: PositionSide,
  quantity: spare('quantity', Decimal, undefined),
  algoStatus: spare('algoStatus', wordOf('algoStatus', new Set(Object.keys(algoStatuses))), undefined),
  triggerPrice: spare('triggerPrice', Decimal, undefined),
  price: spare('price', Decimal, undefined),
  reduceOnly: spare('reduceOnly', Flag, undefined),
  updateTime: spare('updateTime', Whole, undefined),
  actualOrderId: spare('actualOrderId', Text, undefined),
  actualQty: spare('actualQty', Decimal, undefined),
  actualPrice: spare('actualPrice', Decimal, undefined),
})

/** A conditional order, and the id of the ordinary one that it became. */
export interface ReadAlgo {
  order: VenueOrder
  childId: string | undefined
}

const algoSource = { venue: 'binance-futures', call: 'algo' } as const

/**
 * A conditional order as Binance USDⓈ-M answers it (POST and GET algoOrder, open and all ones); parts that an answer to its
 * placing leaves out are as they were planned.
 */
export function readAlgoOrder(answer: unknown, planned?: Planned, from: Source = algoSource): ReadAlgo {
  const algo = readFrom(from, AlgoOrder, answer)
  const { algoId, clientAlgoId, quantity, actualQty, actualOrderId } = algo
  const filled = actualQty ?? '0'
  const named = { ...algo, orderId: algoId, clientOrderId: clientAlgoId, origQty: quantity }
  const core = readCore({ ...named, status: undefined, type: undefined, executedQty: filled }, planned)
  return {
    // Without one yet it is empty, or zero.
    childId: actualOrderId === '0' ? undefined : actualOrderId,
    order: {
      ...core,
      type: algo.orderType === undefined ? (planned?.type ?? 'other') : (types[algo.orderType] ?? 'other'),
      status: algoStatusOf(algo.algoStatus, core.quantity, actualQty),
      averagePrice: priceOrNone(algo.actualPrice),
      triggerPrice: priceOrNone(algo.triggerPrice ?? planned?.triggerPrice),
      isConditional: true,
      reduceOnly: shrinks(algo, core.side, planned),
      fee: null,
      updatedAt: algo.updateTime ?? null,
    },
  }
}

/**
 * With a word that is new it waits for its trigger, since nothing says that it ended. One that is finished was filled or
 * canceled in the matching engine, and which of these only the quantity says:
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/user-data-streams/Event-Algo-Order-Update
 */
function algoStatusOf(word: string | undefined, quantity: string, filled: string | undefined): OrderStatus {
  if (word === 'FINISHED' && filled === undefined) return 'open'
  // One that closes all has no quantity of its own.
  if (word === 'FINISHED' && !isZero(filled ?? '0') && !isLess(filled ?? '0', quantity)) return 'filled'
  return (word === undefined ? undefined : algoStatuses[word]) ?? 'untriggered'
}

/** A conditional order that was triggered, as the ordinary order it became: under the id that it was placed with. */
export function asTriggered(algo: VenueOrder, child: VenueOrder): VenueOrder {
  const { status, filled, averagePrice, fee, updatedAt } = child
  return { ...algo, status, filled, averagePrice, fee, updatedAt }
}
