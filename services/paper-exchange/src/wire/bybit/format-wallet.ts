import { type Account, balanceOf } from '../../domain/account.ts'
import { formatFixed, larger, smaller } from '../../domain/fixed.ts'
import { type AccountMargin, accountMargin, withdrawableOf } from '../../domain/margin.ts'
import { findMarket, finePrice, marketsOf, VALUE_SCALE } from '../../domain/market.ts'
import type { Exchange } from '../../exchange.ts'
import { type Entry, lockedOf, openOrdersOf } from '../../store/ledger.ts'
import { moneyText } from './format-order.ts'

// All positions are settled in it, and values are given in it.
const SETTLE = 'USDT'

/** The margin of an account now, or as an earlier account state has it. */
export function marginOf(exchange: Exchange, entry: Entry, account: Account = entry.account): AccountMargin {
  return accountMargin(account, openOrdersOf(entry), exchange.quotes.of, SETTLE)
}

/** The coins an account has, the settle coin first. */
export function coinsOf(account: Account): string[] {
  return [...new Set([SETTLE, ...account.balances.keys()])]
}

/** Returns the amount of a coin that may be spent on a spot order. */
export function freeToTrade(exchange: Exchange, entry: Entry, coin: string): bigint {
  const unlocked = larger(0n, balanceOf(entry.account, coin) - lockedOf(entry, coin))
  if (coin !== SETTLE) return unlocked
  return larger(0n, smaller(unlocked, withdrawableOf(marginOf(exchange, entry))))
}

// Coins without a market here are worth nothing to the venue.
function worthOf(exchange: Exchange, coin: string, amount: bigint): bigint {
  if (coin === SETTLE) return amount
  const market = findMarket('bybit-spot', `${coin}${SETTLE}`)
  if (!market) return 0n
  return (amount * finePrice(market, exchange.quotes.of(market.id).last)) / 10n ** BigInt(VALUE_SCALE)
}

/** The coins that the venue trades. */
export function listedCoins(): string[] {
  return [...new Set([SETTLE, ...marketsOf('bybit-spot').map(({ base }) => base)])]
}

function formatCoin(exchange: Exchange, entry: Entry, account: Account, margin: AccountMargin, coin: string) {
  const wallet = balanceOf(account, coin)
  const isSettle = coin === SETTLE
  const equity = isSettle ? wallet + margin.unrealized : wallet
  const bound = (amount: bigint): string => moneyText(isSettle ? amount : 0n)
  return {
    coin,
    equity: moneyText(equity),
    usdValue: moneyText(worthOf(exchange, coin, equity)),
    walletBalance: moneyText(wallet),
    locked: moneyText(lockedOf(entry, coin)),
    spotHedgingQty: '0',
    borrowAmount: '0',
    availableToBorrow: '',
    availableToWithdraw: '',
    accruedInterest: '0',
    totalOrderIM: bound(margin.orderMargin),
    totalPositionIM: bound(margin.positionMargin),
    totalPositionMM: bound(margin.maintenance),
    unrealisedPnl: bound(margin.unrealized),
    cumRealisedPnl: '0',
    bonus: '0',
    marginCollateral: isSettle,
    collateralSwitch: isSettle,
    spotBorrow: '0',
  }
}

function rate(part: bigint, whole: bigint): string {
  return whole <= 0n ? '0' : formatFixed((part * 10_000n) / whole, 4)
}

/** The account with its coins, as `/v5/account/wallet-balance` and the wallet stream give it. */
export function formatWallet(
  exchange: Exchange,
  entry: Entry,
  account: Account = entry.account,
  coins: readonly string[] = coinsOf(account),
) {
  const margin = marginOf(exchange, entry, account)
  const worth = coinsOf(account).map((coin) => worthOf(exchange, coin, balanceOf(account, coin)))
  const wallet = worth.reduce((sum, one) => sum + one, 0n)
  const equity = wallet + margin.unrealized
  const usable = margin.wallet + margin.unrealized
  const initial = margin.positionMargin + margin.orderMargin
  return {
    accountType: 'UNIFIED',
    accountLTV: '0',
    accountIMRate: rate(initial, usable),
    accountMMRate: rate(margin.maintenance, usable),
    accountIMRateByMp: rate(initial, usable),
    accountMMRateByMp: rate(margin.maintenance, usable),
    totalEquity: moneyText(equity),
    totalWalletBalance: moneyText(wallet),
    totalMarginBalance: moneyText(usable),
    totalAvailableBalance: moneyText(larger(0n, margin.free)),
    totalPerpUPL: moneyText(margin.unrealized),
    totalInitialMargin: moneyText(initial),
    totalMaintenanceMargin: moneyText(margin.maintenance),
    totalInitialMarginByMp: moneyText(initial),
    totalMaintenanceMarginByMp: moneyText(margin.maintenance),
    coin: coins.map((coin) => formatCoin(exchange, entry, account, margin, coin)),
  }
}
