import { DecimalText, negate } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { PositionChange } from '../../domain/account-view.ts'
import type { Market } from '../../domain/market.ts'
import { Id, statuses } from './answers.ts'
import { readSpotOrder } from './spot-answers.ts'
import type { ToldOrder } from './told-order.ts'

const ExecutionReport = z.object({
  s: z.string(),
  c: z.string(),
  C: z.string(),
  S: z.enum(['BUY', 'SELL']),
  o: z.string(),
  X: z.enum(Object.keys(statuses) as (keyof typeof statuses)[]),
  x: z.string(),
  i: Id,
  q: DecimalText,
  p: DecimalText,
  P: DecimalText,
  z: DecimalText,
  Z: DecimalText,
  l: DecimalText,
  Y: DecimalText,
  t: Id,
  n: DecimalText,
  N: z.string().nullable(),
  w: z.boolean(),
  T: z.number(),
})

type ExecutionReport = z.infer<typeof ExecutionReport>

/** The coins of a market. */
export type Coins = Pick<Market, 'base' | 'quote'>

/** The order of an executionReport, and what it changed; where the coins of its market are known. */
export function readSpotUpdate(answer: unknown, coinsOf: (symbol: string) => Coins | undefined): ToldOrder {
  const told = ExecutionReport.parse(answer)
  const coins = coinsOf(told.s)
  const order = readSpotOrder({
    orderId: told.i,
    clientOrderId: told.C === '' ? told.c : told.C,
    side: told.S,
    status: told.X,
    type: told.o,
    origQty: told.q,
    executedQty: told.z,
    cummulativeQuoteQty: told.Z,
    price: told.p,
    stopPrice: told.P,
    isWorking: told.w,
    transactTime: told.T,
  })
  const fill =
    told.x !== 'TRADE' || told.N === null
      ? undefined
      : { id: told.t, quantity: told.l, fee: { amount: told.n, coin: told.N } }
  return { symbol: told.s, order, fill, ...(coins && changeIn(told, coins)) }
}

type Change = Pick<ToldOrder, 'traded' | 'locks'>

/** What it changed of the coins: those that were traded, or what is locked of the one that the order gives. */
function changeIn(told: ExecutionReport, coins: Coins): Change {
  if (told.x === 'TRADE') return { traded: tradeOf(told, coins) }
  // Neither locked anything, and no balance is told with them.
  if (told.x === 'REJECTED' || told.X === 'PENDING_NEW') return {}
  return { locks: { symbol: told.S === 'SELL' ? coins.base : coins.quote, at: told.T } }
}

function tradeOf(
  { S, l, Y, n, N, T }: ExecutionReport,
  { base, quote }: Coins,
): NonNullable<Change['traded']> {
  const isBuy = S === 'BUY'
  const paid: PositionChange = { symbol: quote, side: 'both', change: isBuy ? negate(Y) : Y }
  const fee: PositionChange[] = N === null ? [] : [{ symbol: N, side: 'both', change: negate(n) }]
  return { symbol: base, side: 'both', change: isBuy ? l : negate(l), at: T, besides: [paid, ...fee] }
}
