import { negate } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { Side } from '../../domain/side.ts'
import { Decimal, Flag, readFrom, spare, Text, Whole } from '../read-fields.ts'
import { priceOrNone } from './answers.ts'
import { type ReadAlgo, readAlgoOrder, readFuturesOrder } from './futures-answers.ts'
import { PositionSide, sideOf } from './futures-position.ts'
import type { ToldOrder } from './told-order.ts'

const orderSource = { venue: 'binance-futures', call: 'ws.ORDER_TRADE_UPDATE' } as const

// The rest is read as of an answer, under the names that it has there.
const StreamOrder = z.looseObject({
  s: Text,
  ps: PositionSide,
  l: spare('l', Decimal, '0'),
  t: spare('t', Text, undefined),
  n: spare('n', Decimal, undefined),
  N: spare('N', Text, undefined),
  T: spare('T', Whole, undefined),
})

/** The order of an ORDER_TRADE_UPDATE (`o`) of that moment. */
export function readFuturesUpdate(answer: unknown, at: number): ToldOrder {
  const told = readFrom(orderSource, StreamOrder, answer)
  const updateTime = told.T ?? at
  const order = readFuturesOrder(
    {
      orderId: told['i'],
      clientOrderId: told['c'],
      side: told['S'],
      status: told['X'],
      type: told['o'],
      origQty: told['q'],
      executedQty: told['z'],
      price: told['p'],
      avgPrice: told['ap'],
      reduceOnly: told['R'],
      positionSide: told.ps,
      updateTime,
    },
    undefined,
    orderSource,
  )
  const { s: symbol, l, t, n, N, ps } = told
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
  const told = readFrom(algoSource, StreamAlgo, answer)
  const read = readAlgoOrder(
    {
      algoId: told['aid'],
      clientAlgoId: told['caid'],
      orderType: told['o'],
      side: told['S'],
      positionSide: told['ps'],
      quantity: told['q'],
      algoStatus: told['X'],
      triggerPrice: told['tp'],
      price: told['p'],
      reduceOnly: told.R,
      updateTime,
      actualOrderId: told['ai'],
      actualQty: told['aq'],
      actualPrice: told['ap'],
    },
    undefined,
    algoSource,
  )
  return { ...read, symbol: told.s }
}
