import { isZero, multiply, negate } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { PositionChange } from '../../../domain/account/view.ts'
import type { Market } from '../../../domain/order/market.ts'
import { Decimal, readFrom, spare, Text, Whole, wordOf } from '../../read/read-fields.ts'
import { SideWord } from '../answers.ts'
import { readSpotOrder } from '../orders/spot-answers.ts'
import type { OrderUpdate } from './order-update.ts'

const source = { venue: 'binance-spot', call: 'ws.executionReport' } as const

const known = ['NEW', 'CANCELED', 'REPLACED', 'REJECTED', 'TRADE', 'EXPIRED', 'TRADE_PREVENTION']

// The rest is read as of an answer, under the names that it has there.
const ExecutionReport = z.object({
  s: Text,
  c: spare('c', Text, undefined),
  C: spare('C', Text, undefined),
  S: SideWord,
  X: spare('X', Text, undefined),
  x: spare('x', wordOf('x', new Set(known)), undefined),
  l: spare('l', Decimal, '0'),
  L: spare('L', Decimal, '0'),
  Y: spare('Y', Decimal, undefined),
  t: spare('t', Text, undefined),
  n: spare('n', Decimal, undefined),
  N: spare('N', Text, undefined),
  T: spare('T', Whole, undefined),
  E: spare('E', Whole, 0),
})

type ExecutionReport = z.output<typeof ExecutionReport>

/** The coins of a market. */
export type Coins = Pick<Market, 'base' | 'quote'>

/** The order of an executionReport, and what it changed; where the coins of its market are known. */
export function readSpotUpdate(answer: unknown, coinsOf: (symbol: string) => Coins | undefined): OrderUpdate {
  const update = readFrom(source, ExecutionReport, answer)
  const { s: symbol, l, t, n, N, T: at = update.E } = update
  const rest = answer as Record<string, unknown>
  const coins = coinsOf(symbol)
  const order = readSpotOrder(
    {
      orderId: rest['i'],
      clientOrderId: update.C ?? update.c,
      side: answeredSides[update.S],
      status: update.X,
      type: rest['o'],
      origQty: rest['q'],
      executedQty: rest['z'],
      cummulativeQuoteQty: rest['Z'],
      price: rest['p'],
      stopPrice: rest['P'],
      isWorking: rest['w'],
      transactTime: at,
    },
    undefined,
    source,
  )
  const isFill = update.x === 'TRADE' && t !== undefined && n !== undefined && N !== undefined
  const fill = isFill ? { id: t, quantity: l, fee: { amount: n, coin: N } } : undefined
  return { symbol, order, fill, ...(coins && changeIn(update, coins, at)) }
}

const answeredSides = { buy: 'BUY', sell: 'SELL' } as const

type Change = Pick<OrderUpdate, 'traded' | 'locks'>

/** Returns the change of the coins: those that were traded, or the locked part of the one that the order gives. */
function changeIn(update: ExecutionReport, coins: Coins, at: number): Change {
  // The venue has also reported executions of nothing (nautilus_trader, its recorded reports with l of zero).
  if (update.x === 'TRADE' && !isZero(update.l)) return { traded: tradeOf(update, coins, at) }
  // Neither locked anything, and no balance is reported with them.
  if (update.x === 'REJECTED' || update.X === 'PENDING_NEW') return {}
  return { locks: { symbol: update.S === 'sell' ? coins.base : coins.quote, at } }
}

function tradeOf(
  { S, l, L, Y = multiply(l, L), n, N }: ExecutionReport,
  { base, quote }: Coins,
  at: number,
): NonNullable<Change['traded']> {
  const isBuy = S === 'buy'
  const paid: PositionChange = { symbol: quote, side: 'both', change: isBuy ? negate(Y) : Y }
  const fee: PositionChange[] =
    N === undefined || n === undefined ? [] : [{ symbol: N, side: 'both', change: negate(n) }]
  return { symbol: base, side: 'both', change: isBuy ? l : negate(l), at, besides: [paid, ...fee] }
}
