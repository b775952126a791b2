import { type Account, balanceOf, DEFAULT_LEVERAGE, positionIn } from '../../domain/account.ts'
import { divideRounded, formatFixed, formatTrimmed, power } from '../../domain/fixed.ts'
import {
  type AccountMargin,
  accountMargin,
  availableOf,
  liquidationPrice,
  marketMargin,
  type QuoteOf,
  withdrawableOf,
} from '../../domain/margin.ts'
import { MARKETS, type Market, maxValueAt, VALUE_SCALE } from '../../domain/market.ts'
import type { Order } from '../../domain/order.ts'

/** An account at one moment with everything that is needed to print it. */
export type View = Readonly<{ account: Account; orders: readonly Order[]; quoteOf: QuoteOf }>

const money = (value: bigint): string => formatFixed(value, VALUE_SCALE)
const moneyOrZero = (value: bigint): string => (value === 0n ? '0' : money(value))

function pricePerUnit(market: Market, value: bigint, quantity: bigint): string {
  if (quantity === 0n) return '0.0'
  return formatTrimmed(divideRounded(value * power(market.quantityPrecision), quantity), VALUE_SCALE, 1)
}

/** The markets in which the account holds a position or has an open order, in the venue's order. */
export function activeMarkets({ account, orders }: View): Market[] {
  const symbols = new Set([...account.positions.keys(), ...orders.map((order) => order.symbol)])
  return symbols.size === 0 ? [] : MARKETS.filter((market) => symbols.has(market.symbol))
}

function assetRow(view: View, asset: string, margin: AccountMargin) {
  const wallet = balanceOf(view.account, asset)
  // Only the quote coin is margin; what else lies in the account is just there.
  const used =
    asset === 'USDT' ? margin : { unrealized: 0n, positionMargin: 0n, orderMargin: 0n, maintenance: 0n }
  return {
    asset,
    walletBalance: money(wallet),
    unrealizedProfit: money(used.unrealized),
    marginBalance: money(wallet + used.unrealized),
    maintMargin: money(used.maintenance),
    initialMargin: money(used.positionMargin + used.orderMargin),
    positionInitialMargin: money(used.positionMargin),
    openOrderInitialMargin: money(used.orderMargin),
    crossWalletBalance: money(wallet),
    crossUnPnl: money(used.unrealized),
    availableBalance: money(asset === 'USDT' ? availableOf(margin) : wallet),
    maxWithdrawAmount: money(asset === 'USDT' ? withdrawableOf(margin) : wallet),
    updateTime: view.account.updatedAt,
  }
}

function totals(margin: AccountMargin) {
  return {
    totalInitialMargin: money(margin.positionMargin + margin.orderMargin),
    totalMaintMargin: money(margin.maintenance),
    totalWalletBalance: money(margin.wallet),
    totalUnrealizedProfit: money(margin.unrealized),
    totalMarginBalance: money(margin.wallet + margin.unrealized),
    totalPositionInitialMargin: money(margin.positionMargin),
    totalOpenOrderInitialMargin: money(margin.orderMargin),
    totalCrossWalletBalance: money(margin.wallet),
    totalCrossUnPnl: money(margin.unrealized),
    availableBalance: money(availableOf(margin)),
    maxWithdrawAmount: money(withdrawableOf(margin)),
  }
}

function assetsOf({ account }: View): string[] {
  return [...new Set(['USDT', ...account.balances.keys()])]
}

/** The account with its assets and the positions it has (`/fapi/v3/account`). */
export function formatAccountV3(view: View) {
  const margin = accountMargin(view.account, view.orders, view.quoteOf)
  const assets = assetsOf(view).map((asset) => assetRow(view, asset, margin))
  const positions = activeMarkets(view).map((market) => {
    const { position, part } = positionPart(view, market)
    return {
      symbol: market.symbol,
      positionSide: 'BOTH',
      positionAmt: formatFixed(position.quantity, market.quantityPrecision),
      unrealizedProfit: money(part.unrealized),
      isolatedMargin: '0',
      notional: moneyOrZero(part.notional),
      isolatedWallet: '0',
      initialMargin: moneyOrZero(part.positionMargin + part.orderMargin),
      maintMargin: moneyOrZero(part.maintenance),
      updateTime: position.updatedAt,
    }
  })
  return { ...totals(margin), assets, positions }
}

/** The account with its assets and a position in every market (`/fapi/v2/account`). */
export function formatAccountV2(view: View) {
  const margin = accountMargin(view.account, view.orders, view.quoteOf)
  const assets = assetsOf(view).map((asset) => ({ ...assetRow(view, asset, margin), marginAvailable: true }))
  const rights = { feeTier: 0, feeBurn: true, canTrade: true, canDeposit: true, canWithdraw: true }
  const modes = { updateTime: 0, multiAssetsMargin: false, tradeGroupId: -1 }
  const positions = MARKETS.map((market) => accountPositionV2(view, market))
  return { ...rights, ...modes, ...totals(margin), assets, positions }
}

function accountPositionV2(view: View, market: Market) {
  const { position, part } = positionPart(view, market)
  return {
    symbol: market.symbol,
    initialMargin: moneyOrZero(part.positionMargin + part.orderMargin),
    maintMargin: moneyOrZero(part.maintenance),
    unrealizedProfit: money(part.unrealized),
    positionInitialMargin: moneyOrZero(part.positionMargin),
    openOrderInitialMargin: moneyOrZero(part.orderMargin),
    leverage: String(DEFAULT_LEVERAGE),
    isolated: false,
    entryPrice: pricePerUnit(market, position.cost, position.quantity),
    breakEvenPrice: pricePerUnit(market, position.cost + position.carried, position.quantity),
    maxNotional: maxNotional(market),
    bidNotional: '0',
    askNotional: '0',
    positionSide: 'BOTH',
    positionAmt: formatFixed(position.quantity, market.quantityPrecision),
    notional: moneyOrZero(part.notional),
    isolatedWallet: '0',
    updateTime: position.updatedAt,
  }
}

/** The largest position value at the account's leverage, as text. */
export function maxNotional(market: Market): string {
  return formatTrimmed(maxValueAt(market, DEFAULT_LEVERAGE), VALUE_SCALE)
}

function positionPart({ account, orders, quoteOf }: View, market: Market) {
  const position = positionIn(account, market.symbol)
  return { position, part: marketMargin(market, position, orders, quoteOf(market.symbol)) }
}

/** The balance of each asset (`/fapi/v2/balance` and `/fapi/v3/balance`). */
export function formatBalances(view: View, alias: string) {
  const margin = accountMargin(view.account, view.orders, view.quoteOf)
  return assetsOf(view).map((asset) => {
    const row = assetRow(view, asset, margin)
    return {
      accountAlias: alias,
      asset,
      balance: row.walletBalance,
      crossWalletBalance: row.crossWalletBalance,
      crossUnPnl: row.crossUnPnl,
      availableBalance: row.availableBalance,
      maxWithdrawAmount: row.maxWithdrawAmount,
      marginAvailable: true,
      updateTime: row.updateTime,
    }
  })
}

function riskOf(view: View, market: Market) {
  const { position, part } = positionPart(view, market)
  const quote = view.quoteOf(market.symbol)
  const margin = accountMargin(view.account, view.orders, view.quoteOf)
  const shown = {
    symbol: market.symbol,
    positionSide: 'BOTH',
    positionAmt: formatFixed(position.quantity, market.quantityPrecision),
    entryPrice: pricePerUnit(market, position.cost, position.quantity),
    breakEvenPrice: pricePerUnit(market, position.cost + position.carried, position.quantity),
    markPrice: money(quote.mark),
    unRealizedProfit: money(part.unrealized),
    liquidationPrice: moneyOrZero(liquidationPrice(market, position, margin, quote)),
    isolatedMargin: '0',
    notional: moneyOrZero(part.notional),
  }
  return { shown, part, updateTime: position.updatedAt }
}

/** A position with its risk (`/fapi/v3/positionRisk`). */
export function formatRiskV3(view: View, market: Market) {
  const { shown, part, updateTime } = riskOf(view, market)
  return {
    ...shown,
    marginAsset: market.quote,
    isolatedWallet: '0',
    initialMargin: moneyOrZero(part.positionMargin + part.orderMargin),
    maintMargin: moneyOrZero(part.maintenance),
    positionInitialMargin: moneyOrZero(part.positionMargin),
    openOrderInitialMargin: moneyOrZero(part.orderMargin),
    adl: part.notional === 0n ? 0 : 1,
    bidNotional: '0',
    askNotional: '0',
    updateTime,
  }
}

/** The same with leverage and margin type (`/fapi/v2/positionRisk`). */
export function formatRiskV2(view: View, market: Market) {
  const { shown, updateTime } = riskOf(view, market)
  return {
    ...shown,
    leverage: String(DEFAULT_LEVERAGE),
    maxNotionalValue: maxNotional(market),
    marginType: 'cross',
    isAutoAddMargin: 'false',
    isolatedWallet: '0',
    updateTime,
  }
}
