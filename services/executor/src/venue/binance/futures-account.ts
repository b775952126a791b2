import { absolute, add, isGreater, isZero, subtract } from '@tripline/proto/decimal'
import type { AccountReading, AccountSettings, HeldPosition } from '../../domain/account.ts'
import { FuturesAccount } from './futures-answers.ts'
import type { Position, PositionSideWord } from './futures-position.ts'

type Money = Pick<AccountReading, 'coin' | 'holdings' | 'equity' | 'available'>

/** What the account's answer says of money; `coin` is what the market is settled in. */
export function readMoney(answer: unknown, coin: string): Money {
  const { assets } = FuturesAccount.parse(answer)
  const asset = assets.find((candidate) => candidate.asset === coin)
  return {
    coin,
    holdings: assets.map(({ asset: name, walletBalance, availableBalance }) => ({
      coin: name,
      total: walletBalance,
      free: availableBalance,
    })),
    equity: asset?.marginBalance ?? '0',
    available: asset?.availableBalance ?? '0',
  }
}

/** What markets are settled in that we know nothing else of. */
export const usualCoin = 'USDT'

// Venues print money to the eighth digit, and round each position's profit on its own.
const roundingOff = '0.000001'

/**
 * What wallets hold of coins, where that and the profit of the coin's positions are what the coin is worth: where profit
 * is kept in another coin, as EU accounts do, the venue alone knows.
 */
export function walletsOf(
  { assets, positions }: FuturesAccount,
  coinOf: (symbol: string) => string | undefined,
): Map<string, string> {
  const profitIn = (coin: string): string =>
    positions
      .filter(({ symbol }) => coinOf(symbol) === coin)
      .reduce((sum, { unrealizedProfit }) => add(sum, unrealizedProfit), '0')
  const isWhole = ({ asset, walletBalance, marginBalance }: FuturesAccount['assets'][number]): boolean =>
    !isGreater(absolute(subtract(add(walletBalance, profitIn(asset)), marginBalance)), roundingOff)
  return new Map(assets.filter(isWhole).map(({ asset, walletBalance }) => [asset, walletBalance]))
}

type PositionMode = AccountSettings['positionMode']
type Held = Pick<AccountReading, 'position' | 'entryPrice' | 'unrealizedPnl' | 'hedged'>

/** How positions are held, which they tell where there are any. */
export function modeOf(positions: readonly Pick<Position, 'positionSide'>[]): PositionMode | undefined {
  const [first] = positions
  if (first === undefined) return undefined
  return first.positionSide === 'BOTH' ? 'oneWay' : 'hedge'
}

/** What one symbol's positions come to. */
export function heldOf(positions: readonly Position[], mode: PositionMode): Held {
  const sideOf = (side: PositionSideWord): HeldPosition =>
    held(positions.find(({ positionSide }) => positionSide === side))
  if (mode === 'oneWay') {
    const { quantity, ...rest } = sideOf('BOTH')
    return { position: quantity, ...rest }
  }
  const hedged = { long: sideOf('LONG'), short: sideOf('SHORT') }
  return {
    position: add(hedged.long.quantity, hedged.short.quantity),
    entryPrice: null,
    unrealizedPnl: add(hedged.long.unrealizedPnl, hedged.short.unrealizedPnl),
    hedged,
  }
}

function held(position: Position | undefined): HeldPosition {
  if (position === undefined || isZero(position.positionAmt))
    return { quantity: '0', entryPrice: null, unrealizedPnl: '0' }
  const { positionAmt, entryPrice, unRealizedProfit } = position
  return { quantity: positionAmt, entryPrice, unrealizedPnl: unRealizedProfit }
}
