import { absolute, add, isGreater, isZero, subtract } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { AccountReading, AccountSettings, HeldPosition } from '../../../domain/account/account.ts'
import { heldSide, type PositionSums } from '../../account/recall.ts'
import { Decimal, readFrom, spare, Text, Whole } from '../../read/read-fields.ts'
import { readRows } from '../read-rows.ts'
import { Position, PositionSide, type PositionSideWord } from './futures-position.ts'

const source = { venue: 'binance-futures', call: 'account' } as const

const Asset = z.object({
  asset: Text,
  walletBalance: spare('walletBalance', Decimal, undefined),
  marginBalance: spare('marginBalance', Decimal, undefined),
  availableBalance: spare('availableBalance', Decimal, undefined),
  updateTime: spare('updateTime', Whole, undefined),
})
const Profit = z.object({
  symbol: Text,
  positionSide: PositionSide,
  positionAmt: spare('positionAmt', Decimal, undefined),
  unrealizedProfit: spare('unrealizedProfit', Decimal, '0'),
  updateTime: spare('updateTime', Whole, undefined),
})

const Account = z.object({
  totalMarginBalance: spare('totalMarginBalance', Decimal, undefined),
  availableBalance: spare('availableBalance', Decimal, undefined),
  assets: z.array(z.unknown()),
  positions: spare('positions', z.array(z.unknown()), []),
})

/** GET /fapi/v3/account. */
export interface FuturesAccount {
  assets: readonly z.output<typeof Asset>[]
  positions: readonly z.output<typeof Profit>[]
  /** The worth of all of it, and the free part, by the account's own count. */
  totals: Pick<z.output<typeof Account>, 'totalMarginBalance' | 'availableBalance'>
}

/** Returns what an account has; an asset or a position that cannot be read hides none of the others. */
export function readAccount(answer: unknown): FuturesAccount {
  const { assets, positions, ...totals } = readFrom(source, Account, answer)
  return {
    assets: readRows(assets, (row) => readFrom(source, Asset, row)),
    positions: readRows(positions, (row) => readFrom(source, Profit, row)),
    totals,
  }
}

/**
 * When an account changed last by its money and its positions, which two calls report, in ms by the venue's clock; 0 where one
 * of them shows what the other does not yet, and undefined where they do not say.
 */
export function changedAt(account: FuturesAccount, rows: readonly Position[]): number | undefined {
  const listed = account.positions.filter(({ positionAmt }) => positionAmt !== undefined)
  const amounts = amountsOf(rows)
  const isSame = listed.length < account.positions.length || hasSame(amounts, amountsOf(listed))
  if (!isSame) return 0
  const times = [...account.assets, ...account.positions].map(({ updateTime = 0 }) => updateTime)
  return Math.max(0, ...times) || undefined
}

type Amount = Pick<Position, 'symbol' | 'positionSide'> & { positionAmt?: string | undefined }

function amountsOf(positions: readonly Amount[]): Map<string, string> {
  const held = positions.filter(({ positionAmt = '0' }) => !isZero(positionAmt))
  return new Map(
    held.map(({ symbol, positionSide, positionAmt = '0' }) => [`${symbol} ${positionSide}`, positionAmt]),
  )
}

function hasSame(some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): boolean {
  const isIn = ([key, amount]: [string, string]): boolean => isZero(subtract(others.get(key) ?? '0', amount))
  return some.size === others.size && [...some].every(isIn)
}

const positionSource = { venue: 'binance-futures', call: 'positionRisk' } as const

/** Returns positions (GET /fapi/v3/positionRisk); throws where one of them cannot be read. */
export function readPositions(rows: readonly unknown[]): Position[] {
  return rows.map((row) => readFrom(positionSource, Position, row))
}

type Money = Pick<AccountReading, 'coin' | 'holdings' | 'equity' | 'available'>

// The coin in which the venue books the profits of accounts in the EU, whose collateral is in others.
const creditCoin = 'BNFCR'

/** True where one margin stands for all coins: of one coin alone there may be nothing, and yet all of it is free. */
function poolsMargin({ assets }: FuturesAccount): boolean {
  return assets.some(({ asset, walletBalance = '0' }) => asset === creditCoin && !isZero(walletBalance))
}

/**
 * Returns the money in the account's answer; `coin` is what the market is settled in. Parts that it leaves out are
 * null, like parts that were not asked for.
 */
export function moneyOf(account: FuturesAccount, coin: string, isMultiAssets: boolean): Money {
  const { assets, totals } = account
  const asset = assets.find((candidate) => candidate.asset === coin)
  const isPooled = isMultiAssets || poolsMargin(account)
  const { totalMarginBalance, availableBalance } = isPooled ? totals : {}
  const nothing = asset === undefined ? '0' : null
  return {
    coin,
    holdings: assets.map(({ asset: name, walletBalance = '0', availableBalance: free = '0' }) => ({
      coin: name,
      total: walletBalance,
      free,
    })),
    equity: totalMarginBalance ?? asset?.marginBalance ?? asset?.walletBalance ?? nothing,
    available: availableBalance ?? asset?.availableBalance ?? nothing,
  }
}

/** The settlement coin of markets that we know nothing else of. */
export const usualCoin = 'USDT'

// Venues print money to the eighth digit, and round each position's profit on its own.
const roundingOff = '0.000001'

/**
 * Returns the wallets' coins, if they and the profit of the coin's positions are the coin's worth: if profit is booked in
 * another coin, as in EU accounts, only the venue knows.
 */
export function walletsOf(
  account: FuturesAccount,
  coinOf: (symbol: string) => string | undefined,
): Map<string, string> {
  const { assets, positions } = account
  if (poolsMargin(account)) return new Map()
  const profitIn = (coin: string): string =>
    positions
      .filter(({ symbol }) => coinOf(symbol) === coin)
      .reduce((sum, { unrealizedProfit }) => add(sum, unrealizedProfit), '0')
  const isWhole = (asset: string, wallet: string, margin: string): boolean =>
    !isGreater(absolute(subtract(add(wallet, profitIn(asset)), margin)), roundingOff)
  return new Map(
    assets.flatMap(({ asset, walletBalance: wallet, marginBalance: margin }) =>
      wallet !== undefined && margin !== undefined && isWhole(asset, wallet, margin)
        ? [[asset, wallet] as const]
        : [],
    ),
  )
}

type PositionMode = AccountSettings['positionMode']

/** Returns the position mode, which positions report if there are any. */
export function modeOf(positions: readonly Pick<Position, 'positionSide'>[]): PositionMode | undefined {
  const [first] = positions
  if (first === undefined) return undefined
  return first.positionSide === 'BOTH' ? 'oneWay' : 'hedge'
}

/** Returns the sums of one symbol's positions. */
export function heldOf(positions: readonly Position[], mode: PositionMode): PositionSums {
  const sideOf = (side: PositionSideWord): HeldPosition => {
    const position = positions.find(({ positionSide }) => positionSide === side)
    return heldSide(position && sideIn(position))
  }
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

function sideIn({ positionAmt, entryPrice, unRealizedProfit }: Position): HeldPosition {
  return { quantity: positionAmt, entryPrice: entryPrice ?? null, unrealizedPnl: unRealizedProfit }
}
