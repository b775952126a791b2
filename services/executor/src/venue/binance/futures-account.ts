import { add, isZero } from '@tripline/proto/decimal'
import type { AccountReading, AccountSettings, HeldPosition } from '../../domain/account.ts'
import { BookTicker } from './answers.ts'
import { FuturesAccount, type Position, Positions, PremiumIndex } from './futures-answers.ts'

/** What the venue answered where an account is read. */
export interface FuturesAnswers {
  account: unknown
  positions: unknown
  book: unknown
  premium: unknown
  settings: AccountSettings
}

/** The reading that answers come to; `coin` is what the market is settled in. */
export function readFuturesAccount(coin: string, symbol: string, answers: FuturesAnswers): AccountReading {
  const { assets } = FuturesAccount.parse(answers.account)
  const asset = assets.find((candidate) => candidate.asset === coin)
  const { bidPrice, askPrice } = BookTicker.parse(answers.book)
  const positions = Positions.parse(answers.positions).filter((candidate) => candidate.symbol === symbol)
  return {
    coin,
    holdings: assets.map(({ asset: name, walletBalance, availableBalance }) => ({
      coin: name,
      total: walletBalance,
      free: availableBalance,
    })),
    equity: asset?.marginBalance ?? '0',
    available: asset?.availableBalance ?? '0',
    ...heldOf(positions, answers.settings),
    bid: bidPrice,
    ask: askPrice,
    mark: PremiumIndex.parse(answers.premium).markPrice,
  }
}

type Held = Pick<AccountReading, 'position' | 'entryPrice' | 'unrealizedPnl' | 'hedged' | 'settings'>

function heldOf(positions: readonly Position[], settings: AccountSettings): Held {
  // Positions tell how they are held; settings may be known from a moment ago.
  const isApart = positions.some(({ positionSide }) => positionSide !== 'BOTH')
  const isOneWay = positions.some(({ positionSide }) => positionSide === 'BOTH')
  const positionMode = isApart ? 'hedge' : isOneWay ? 'oneWay' : settings.positionMode
  const sideOf = (side: Position['positionSide']): HeldPosition =>
    held(positions.find(({ positionSide }) => positionSide === side))
  if (positionMode === 'oneWay') {
    const { quantity, ...rest } = sideOf('BOTH')
    return { position: quantity, ...rest, settings: { ...settings, positionMode } }
  }
  const hedged = { long: sideOf('LONG'), short: sideOf('SHORT') }
  return {
    position: add(hedged.long.quantity, hedged.short.quantity),
    entryPrice: null,
    unrealizedPnl: add(hedged.long.unrealizedPnl, hedged.short.unrealizedPnl),
    hedged,
    settings: { ...settings, positionMode },
  }
}

function held(position: Position | undefined): HeldPosition {
  if (position === undefined || isZero(position.positionAmt))
    return { quantity: '0', entryPrice: null, unrealizedPnl: '0' }
  const { positionAmt, entryPrice, unRealizedProfit } = position
  return { quantity: positionAmt, entryPrice, unrealizedPnl: unRealizedProfit }
}
