import { add, isLess, isZero, negate, subtract } from '@tripline/proto/decimal'
import type { PositionSide } from '@tripline/proto/language/tree'
import { z } from 'zod'
import type { AccountSettings } from '../../../domain/account/account.ts'
import type { AccountUpdate, FillUpdate, ViewedPosition } from '../../../domain/account/view.ts'
import { Decimal, readFrom, spare, Text, Whole, wordOf } from '../../read/read-fields.ts'
import { Amount, sourceOf, spareAmount } from '../answers.ts'
import { execTypes } from '../orders/order-words.ts'

const sides = ['both', 'long', 'short'] as const

/** Which position of a symbol is meant, in our word for the venue's number. */
export const PositionIdx = Whole.pipe(z.literal([0, 1, 2])).transform((index): PositionSide => sides[index])

/** Returns the position mode of a symbol with a position of this side. */
export function modeOf(side: PositionSide): AccountSettings['positionMode'] {
  return side === 'both' ? 'oneWay' : 'hedge'
}

/** The quantity of a position, signed. */
export function signed(size: string, side: string): string {
  return side === 'Sell' ? negate(size) : size
}

const Message = <Row extends z.ZodType>(row: Row) =>
  z.object({ creationTime: spare('creationTime', Whole, undefined), data: z.array(row) })

const PositionRow = z.object({
  symbol: Text,
  positionIdx: PositionIdx,
  side: spare('side', Text, ''),
  size: Amount,
  entryPrice: spare('entryPrice', Decimal, undefined),
  leverage: spareAmount('leverage'),
  seq: spare('seq', Whole, undefined),
})
type PositionRow = z.infer<typeof PositionRow>

/** A position as the stream reports it, and the leverage it is held with. */
export interface PositionUpdate {
  account: AccountUpdate
  position: ViewedPosition
  leverage: string
}

/** Returns the reports in a message of the position topic: also of positions that did not change, with every order. */
export function readPositions(message: unknown): PositionUpdate[] {
  const { creationTime, data } = readFrom(sourceOf('linear', 'ws.position'), Message(PositionRow), message)
  return data.map((row) => {
    const { symbol, positionIdx, side, size, entryPrice = '0', leverage } = row
    const position = { symbol, side: positionIdx, quantity: signed(size, side), entryPrice }
    const step = stepOf(row)
    const isWhole = creationTime !== undefined && step !== undefined
    const account = isWhole
      ? { at: creationTime, step, isWhole, wallets: new Map(), positions: [position] }
      : partOf(creationTime)
    return { account, position, leverage }
  })
}

/**
 * Returns the venue's number of a position's state: -1, which is before every other, if the symbol was never traded.
 * Undefined where it does not say, or not what the position is: how that stands is to be asked.
 */
function stepOf({ seq, size, entryPrice }: PositionRow): number | undefined {
  const isFlat = isZero(size)
  if (seq === undefined || (!isFlat && (seq < 0 || entryPrice === undefined))) return undefined
  return Math.max(seq, 0)
}

/** An update that says that something changed, and not how. */
function partOf(at = 0): AccountUpdate {
  return { at, isWhole: false, wallets: new Map(), positions: [] }
}

const FillRow = z.object({
  symbol: spare('symbol', Text, undefined),
  orderId: spare('orderId', Text, ''),
  orderLinkId: spare('orderLinkId', Text, ''),
  side: spare('side', z.enum(['Buy', 'Sell']), undefined),
  orderQty: spare('orderQty', Decimal, undefined),
  leavesQty: spare('leavesQty', Decimal, undefined),
  execQty: spare('execQty', Decimal, undefined),
  closedSize: spareAmount('closedSize'),
  execType: spare('execType', wordOf('execType', execTypes), ''),
  execTime: spare('execTime', Whole, undefined),
  seq: spare('seq', Whole, undefined),
})
type FillRow = z.infer<typeof FillRow>

type ModeOf = (symbol: string) => AccountSettings['positionMode'] | undefined

/** Returns the reports in a message of the execution topic: fills of orders, and other changes of a position. */
export function readFills(message: unknown, modeOf: ModeOf): (FillUpdate | AccountUpdate)[] {
  const { creationTime, data } = readFrom(sourceOf('linear', 'ws.execution'), Message(FillRow), message)
  const other = partOf(creationTime)
  // Funding changes what the wallet holds, which another topic reports.
  return data
    .filter(({ execType }) => execType !== 'Funding')
    .map((row) => (row.execType === 'Trade' ? (fillIn(row, modeOf) ?? other) : other))
}

/** The fill of an order; undefined where the row does not say enough of it, or says it in a way that we do not know. */
function fillIn(row: FillRow, modeOf: ModeOf): FillUpdate | undefined {
  const { symbol, side, orderQty, leavesQty, execQty, execTime, seq = -1 } = row
  // Orders that the venue makes of others, and those that are placed by hand, have no name.
  const clientOrderId = row.orderLinkId === '' ? row.orderId : row.orderLinkId
  const mode = symbol === undefined ? undefined : modeOf(symbol)
  if (symbol === undefined || side === undefined || mode === undefined) return undefined
  if (orderQty === undefined || leavesQty === undefined || execQty === undefined) return undefined
  if (execTime === undefined || seq < 0 || clientOrderId === '') return undefined
  const filled = subtract(orderQty, leavesQty)
  // An order that is reported with less than its own execution.
  if (isLess(filled, execQty)) return undefined
  return {
    at: execTime,
    step: seq,
    symbol,
    side: mode === 'oneWay' ? 'both' : sideOf(side, row.closedSize),
    clientOrderId,
    change: signed(execQty, side),
    filled,
  }
}

/** An execution does not report which side it is, but whether it closed something. */
function sideOf(side: 'Buy' | 'Sell', closedSize: string): PositionSide {
  const closes = isLess('0', closedSize)
  return (side === 'Buy') === closes ? 'short' : 'long'
}

/** A coin in a wallet; absent amounts are nothing, and its worth follows from the rest. */
export const Coin = z
  .object({
    coin: Text,
    equity: spare('equity', Decimal, undefined),
    walletBalance: Amount,
    unrealisedPnl: spareAmount('unrealisedPnl'),
    locked: spareAmount('locked'),
    totalOrderIM: spareAmount('totalOrderIM'),
    totalPositionIM: spareAmount('totalPositionIM'),
  })
  .transform(({ equity, ...coin }) => ({
    ...coin,
    equity: equity ?? add(coin.walletBalance, coin.unrealisedPnl),
  }))
export type Coin = z.infer<typeof Coin>

const WalletRow = z.object({ accountType: spare('accountType', Text, 'UNIFIED'), coin: z.array(Coin) })

/** Returns the reports in a message of the wallet topic: the coins that changed, or all of them. */
export function readWallet(message: unknown): { account: AccountUpdate; coins: readonly Coin[] } {
  const { creationTime, data } = readFrom(sourceOf('linear', 'ws.wallet'), Message(WalletRow), message)
  // Older accounts have other wallets beside it.
  const coins = data.filter(({ accountType }) => accountType === 'UNIFIED').flatMap(({ coin }) => coin)
  const account =
    creationTime === undefined
      ? partOf()
      : { at: creationTime, isWhole: true, wallets: walletsOf(coins), positions: [] }
  return { coins, account }
}

/** Returns each coin of a wallet. */
export function walletsOf(
  coins: readonly Pick<Coin, 'coin' | 'walletBalance'>[],
): ReadonlyMap<string, string> {
  return new Map(coins.map(({ coin, walletBalance }) => [coin, walletBalance]))
}
