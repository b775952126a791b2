import { negate } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { Side } from '../../../domain/order/side.ts'
import { Decimal, Flag, readFrom, spare, Text, Whole } from '../../read/read-fields.ts'
import { PositionSide, sideOf } from '../account/futures-position.ts'
import { priceOrNone } from '../answers.ts'
import { type ReadAlgo, readAlgoOrder, readFuturesOrder } from '../orders/futures-answers.ts'
import type { OrderUpdate } from './order-update.ts'

const orderSource = { venue: 'binance-futures', call: 'ws.ORDER_TRADE_UPDATE' } as const

// The rest is read as of an answer, under the names that it has there; passing it through a schema costs as much as reading it.
const StreamOrder = z.object({
  s: Text,
  ps: PositionSide,
  l: spare('l', Decimal, '0'),
  t: spare('t', Text, undefined),
  n: spare('n', Decimal, undefined),
  N: spare('N', Text, undefined),
  T: spare('T', Whole, undefined),
})

/** The order of an ORDER_TRADE_UPDATE (`o`) of that moment. */
export function readFuturesUpdate(answer: unknown, at: number): OrderUpdate {
  const { s: symbol, l, t, n, N, ps, T: updateTime = at } = readFrom(orderSource, StreamOrder, answer)
  const update = answer as Record<string, unknown>
  const order = readFuturesOrder(
    {
      orderId: update['i'],
      clientOrderId: update['c'],
      side: update['S'],
      status: update['X'],
      type: update['o'],
      origQty: update['q'],
      executedQty: update['z'],
      price: update['p'],
      avgPrice: update['ap'],
      reduceOnly: update['R'],
      positionSide: ps,
      updateTime,
    },
    undefined,
    orderSource,
  )
  if (priceOrNone(l) === null) return { symbol, order, fill: undefined }
  const fill =
    t === undefined || n === undefined || N === undefined
      ? undefined
      : { id: t, quantity: l, fee: { amount: n, coin: N } }
  const traded = { symbol, side: sideOf(ps), change: changeOf(order.side, l), at: updateTime }
  return { symbol, order, fill, traded }
}

function changeOf(side: Side, quantity: string): string {
  return side === 'buy' ? quantity : negate(quantity)
}

const algoSource = { venue: 'binance-futures', call: 'ws.ALGO_UPDATE' } as const
const StreamAlgo = z.looseObject({ s: Text, R: spare('R', Flag, undefined) })

/** The conditional order of an ALGO_UPDATE (`o`), which changed at that moment. */
export function readAlgoUpdate(answer: unknown, updateTime: number): ReadAlgo & { symbol: string } {
  const update = readFrom(algoSource, StreamAlgo, answer)
  const read = readAlgoOrder(
    {
      algoId: update['aid'],
      clientAlgoId: update['caid'],
      orderType: update['o'],
      side: update['S'],
      positionSide: update['ps'],
      quantity: update['q'],
      algoStatus: update['X'],
      triggerPrice: update['tp'],
      price: update['p'],
      reduceOnly: update.R,
      updateTime,
      actualOrderId: update['ai'],
      actualQty: update['aq'],
      actualPrice: update['ap'],
    },
    undefined,
    algoSource,
  )
  return { ...read, symbol: update.s }
}
