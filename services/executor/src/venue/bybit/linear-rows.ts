import { isLess, negate, subtract } from '@tripline/proto/decimal'
import type { PositionSide } from '@tripline/proto/language/tree'
import { z } from 'zod'
import type { AccountSettings } from '../../domain/account.ts'
import type { AccountNews, FillNews, ViewedPosition } from '../../domain/account-view.ts'
import { Amount } from './answers.ts'

const sides = ['both', 'long', 'short'] as const

/** Which position of a symbol is meant, in our word for the venue's number. */
export const PositionIdx = z.literal([0, 1, 2]).transform((index): PositionSide => sides[index])

/** How positions are held in a symbol where one is that of this side. */
export function modeOf(side: PositionSide): AccountSettings['positionMode'] {
  return side === 'both' ? 'oneWay' : 'hedge'
}

/** The quantity of a position, signed. */
export function signed(size: string, side: string): string {
  return side === 'Sell' ? negate(size) : size
}

const Message = <Row extends z.ZodType>(row: Row) =>
  z.object({ creationTime: z.number(), data: z.array(row) })

const PositionRow = z.object({
  symbol: z.string(),
  positionIdx: PositionIdx,
  side: z.string(),
  size: Amount,
  entryPrice: Amount,
  leverage: Amount,
  seq: z.number(),
})

/** A position as the stream tells it, and the leverage it is held with. */
export interface ToldPosition {
  news: AccountNews
  position: ViewedPosition
  leverage: string
}

/** What a message of the position topic tells: also what did not change, with every order. */
export function readPositions(message: unknown): ToldPosition[] {
  const { creationTime, data } = Message(PositionRow).parse(message)
  return data.map(({ symbol, positionIdx, side, size, entryPrice, leverage, seq }) => {
    const position = { symbol, side: positionIdx, quantity: signed(size, side), entryPrice }
    const news = { at: creationTime, step: seq, isWhole: true, wallets: new Map(), positions: [position] }
    return { news, position, leverage }
  })
}

const FillRow = z.object({
  symbol: z.string(),
  orderId: z.string(),
  orderLinkId: z.string(),
  side: z.enum(['Buy', 'Sell']),
  orderQty: Amount,
  leavesQty: Amount,
  execQty: Amount,
  closedSize: Amount.default('0'),
  execType: z.string(),
  execTime: z.string(),
  seq: z.number(),
})
type FillRow = z.infer<typeof FillRow>

type ModeOf = (symbol: string) => AccountSettings['positionMode'] | undefined

/** What a message of the execution topic tells: fills of orders, and what changed a position in any other way. */
export function readFills(message: unknown, modeOf: ModeOf): (FillNews | AccountNews)[] {
  const { creationTime, data } = Message(FillRow).parse(message)
  const other = { at: creationTime, isWhole: false, wallets: new Map(), positions: [] }
  // Funding changes what the wallet holds, which another topic tells.
  return data
    .filter(({ execType }) => execType !== 'Funding')
    .map((row) => (row.execType === 'Trade' ? (fillIn(row, modeOf(row.symbol)) ?? other) : other))
}

function fillIn(row: FillRow, mode: ReturnType<ModeOf>): FillNews | undefined {
  const filled = subtract(row.orderQty, row.leavesQty)
  // An order that is told with less than its own execution is told in a way that we do not know.
  if (mode === undefined || isLess(filled, row.execQty)) return undefined
  return {
    at: Number(row.execTime),
    step: row.seq,
    symbol: row.symbol,
    side: mode === 'oneWay' ? 'both' : sideOf(row),
    // Orders that the venue makes of others, and those that are placed by hand, have no name.
    clientOrderId: row.orderLinkId === '' ? row.orderId : row.orderLinkId,
    change: signed(row.execQty, row.side),
    filled,
  }
}

/** An execution does not tell of which side it is, but whether it closed something. */
function sideOf({ side, closedSize }: FillRow): PositionSide {
  const closes = isLess('0', closedSize)
  return (side === 'Buy') === closes ? 'short' : 'long'
}

const Coin = z.object({ coin: z.string(), equity: Amount, walletBalance: Amount, unrealisedPnl: Amount })
export type Coin = z.infer<typeof Coin>

const WalletRow = z.object({ accountType: z.string(), coin: z.array(Coin) })

/** What a message of the wallet topic tells: the coins that changed, or all of them. */
export function readWallet(message: unknown): { news: AccountNews; coins: readonly Coin[] } {
  const { creationTime, data } = Message(WalletRow).parse(message)
  // Older accounts have other wallets beside it.
  const coins = data.filter(({ accountType }) => accountType === 'UNIFIED').flatMap(({ coin }) => coin)
  return {
    coins,
    news: { at: creationTime, isWhole: true, wallets: walletsOf(coins), positions: [] },
  }
}

/** What a wallet has of each coin. */
export function walletsOf(
  coins: readonly Pick<Coin, 'coin' | 'walletBalance'>[],
): ReadonlyMap<string, string> {
  return new Map(coins.map(({ coin, walletBalance }) => [coin, walletBalance]))
}
