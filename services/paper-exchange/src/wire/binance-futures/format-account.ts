import {
  type Account,
  balanceOf,
  leverageOf,
  marginModeOf,
  type Position,
  positionIn,
  positionsIn,
} from '../../domain/account.ts'
import { divideRounded, formatFixed, formatTrimmed, power } from '../../domain/fixed.ts'
import {
  type AccountMargin,
  accountMargin,
  availableOf,
  liquidationPrice,
  marketMargin,
  positionRisk,
  type QuoteOf,
  withdrawableOf,
} from '../../domain/margin.ts'
import { type Market, marketsOf, VALUE_SCALE } from '../../domain/market.ts'
import { isAlgo, type Order, type PositionSide } from '../../domain/order.ts'
import { isHedged } from './hedged.ts'
import { positionSideText } from './read-params.ts'
import { maxNotional } from './settings-routes.ts'

/** An account at one moment with everything that is needed to print it. */
export type View = Readonly<{ account: Account; orders: readonly Order[]; quoteOf: QuoteOf }>

const VENUE = 'binance-futures'
const money = (value: bigint): string => formatFixed(value, VALUE_SCALE)
const moneyOrZero = (value: bigint): string => (value === 0n ? '0' : money(value))

/** Returns the cost of a position per unit, as the venue prints prices it has worked out. */
export function pricePerUnit(market: Market, value: bigint, quantity: bigint): string {
  if (quantity === 0n) return '0.0'
  return formatTrimmed(divideRounded(value * power(market.quantityPrecision), quantity), VALUE_SCALE, 1)
}

/** A position of a market, or the place of one. */
export type Holding = Readonly<{ market: Market; side: PositionSide }>

/** Returns the account's positions and markets with open orders, in the venue's order. */
export function activeHoldings({ account, orders }: View): Holding[] {
  const ordered = new Set(
    orders.filter((order) => !isAlgo(order)).map(({ market, positionSide }) => `${market} ${positionSide}`),
  )
  return marketsOf(VENUE).flatMap((market) => {
    const held = new Set(positionsIn(account, market.id).map(({ side }) => side))
    const isActive = (side: PositionSide) => held.has(side) || ordered.has(`${market.id} ${side}`)
    return SIDES.filter(isActive).map((side) => ({ market, side }))
  })
}

const SIDES: readonly PositionSide[] = ['net', 'long', 'short']

/** Every place the account may hold a position at in the market. */
export function holdingsOf({ account }: View, market: Market): Holding[] {
  return (isHedged({ account }) ? SIDES : SIDES.slice(0, 1)).map((side) => ({ market, side }))
}

function assetRow(view: View, asset: string, margin: AccountMargin) {
  const { crossUnrealized } = margin
  const wallet = balanceOf(view.account, asset)
  return {
    asset,
    walletBalance: money(wallet),
    unrealizedProfit: money(margin.unrealized),
    marginBalance: money(wallet + margin.unrealized),
    maintMargin: money(margin.maintenance),
    initialMargin: money(margin.positionMargin + margin.orderMargin),
    positionInitialMargin: money(margin.positionMargin),
    openOrderInitialMargin: money(margin.orderMargin),
    crossWalletBalance: money(wallet - margin.isolated),
    crossUnPnl: money(crossUnrealized),
    availableBalance: money(availableOf(margin)),
    maxWithdrawAmount: money(withdrawableOf(margin)),
    updateTime: view.account.updatedAt,
  }
}

function marginOf(view: View, asset: string): AccountMargin {
  return accountMargin(view.account, view.orders, view.quoteOf, asset)
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
    totalCrossWalletBalance: money(margin.wallet - margin.isolated),
    totalCrossUnPnl: money(margin.crossUnrealized),
    availableBalance: money(availableOf(margin)),
    maxWithdrawAmount: money(withdrawableOf(margin)),
  }
}

/** The coin as which the account shows what it trades with. */
export function shownCoin({ settings }: Account, asset: string): string {
  return asset === 'USDT' && settings.terms?.credits ? 'BNFCR' : asset
}

function assetRows(view: View) {
  const assets = new Set(['USDT', ...view.account.balances.keys()])
  const rows = [...assets].map((asset) => ({
    ...assetRow(view, asset, marginOf(view, asset)),
    asset: shownCoin(view.account, asset),
  }))
  if (!view.account.settings.terms?.credits) return rows
  // No balance is in the coin itself.
  const empty = {
    ...view,
    account: { ...view.account, balances: new Map(), positions: new Map() },
    orders: [],
  }
  return [...rows, assetRow(empty, 'USDT', marginOf(empty, 'USDT'))]
}

type Part = Readonly<{
  position: Position
  notional: bigint
  unrealized: bigint
  positionMargin: bigint
  orderMargin: bigint
  maintenance: bigint
  isolatedMargin: string
  isolatedWallet: string
}>

function partOf({ account, orders, quoteOf }: View, { market, side }: Holding): Part {
  const position = positionIn(account, market.id, side)
  const quote = quoteOf(market.id)
  const own = orders.filter((order) => order.positionSide === side)
  const { orderMargin } = marketMargin(account, market, own, quote)
  const risk = positionRisk(account, market, position, quote)
  const isolated = position.marginMode === 'isolated' && position.quantity !== 0n
  return {
    position,
    ...risk,
    orderMargin,
    isolatedMargin: isolated ? money(position.margin + risk.unrealized) : '0',
    isolatedWallet: isolated ? money(position.margin) : '0',
  }
}

/** The account with its assets and the positions it has (`/fapi/v3/account`). */
export function formatAccountV3(view: View) {
  const positions = activeHoldings(view).map((holding) => {
    const { market, side } = holding
    const part = partOf(view, holding)
    return {
      symbol: market.symbol,
      positionSide: positionSideText(side),
      positionAmt: formatFixed(part.position.quantity, market.quantityPrecision),
      unrealizedProfit: money(part.unrealized),
      isolatedMargin: part.isolatedMargin,
      notional: moneyOrZero(part.notional),
      isolatedWallet: part.isolatedWallet,
      initialMargin: moneyOrZero(part.positionMargin + part.orderMargin),
      maintMargin: moneyOrZero(part.maintenance),
      updateTime: part.position.updatedAt,
    }
  })
  return { ...totals(marginOf(view, 'USDT')), assets: assetRows(view), positions }
}

/** The account with its assets and a position in every market (`/fapi/v2/account`). */
export function formatAccountV2(view: View) {
  const assets = assetRows(view).map((row) => ({ ...row, marginAvailable: true }))
  const rights = { feeTier: 0, feeBurn: true, canTrade: true, canDeposit: true, canWithdraw: true }
  const multiAssetsMargin = view.account.settings.terms?.multiAssets ?? false
  const modes = { updateTime: 0, multiAssetsMargin, tradeGroupId: -1 }
  const holdings = marketsOf(VENUE).flatMap((market) => holdingsOf(view, market))
  const positions = holdings.map((holding) => accountPositionV2(view, holding))
  return { ...rights, ...modes, ...totals(marginOf(view, 'USDT')), assets, positions }
}

function accountPositionV2(view: View, holding: Holding) {
  const { market, side } = holding
  const part = partOf(view, holding)
  const { position } = part
  const leverage = leverageOf(view.account, market.id)
  return {
    symbol: market.symbol,
    initialMargin: moneyOrZero(part.positionMargin + part.orderMargin),
    maintMargin: moneyOrZero(part.maintenance),
    unrealizedProfit: money(part.unrealized),
    positionInitialMargin: moneyOrZero(part.positionMargin),
    openOrderInitialMargin: moneyOrZero(part.orderMargin),
    leverage: String(leverage),
    isolated: marginModeOf(view.account, market.id) === 'isolated',
    entryPrice: pricePerUnit(market, position.cost, position.quantity),
    breakEvenPrice: pricePerUnit(market, position.cost + position.carried, position.quantity),
    maxNotional: maxNotional(market, leverage),
    bidNotional: '0',
    askNotional: '0',
    positionSide: positionSideText(side),
    positionAmt: formatFixed(position.quantity, market.quantityPrecision),
    notional: moneyOrZero(part.notional),
    isolatedWallet: part.isolatedWallet,
    updateTime: position.updatedAt,
  }
}

/** The balance of each asset (`/fapi/v2/balance` and `/fapi/v3/balance`). */
export function formatBalances(view: View, alias: string) {
  return assetRows(view).map((row) => ({
    accountAlias: alias,
    asset: row.asset,
    balance: row.walletBalance,
    crossWalletBalance: row.crossWalletBalance,
    crossUnPnl: row.crossUnPnl,
    availableBalance: row.availableBalance,
    maxWithdrawAmount: row.maxWithdrawAmount,
    marginAvailable: true,
    updateTime: row.updateTime,
  }))
}

function riskOf(view: View, holding: Holding) {
  const { market, side } = holding
  const part = partOf(view, holding)
  const { position } = part
  const quote = view.quoteOf(market.id)
  const shown = {
    symbol: market.symbol,
    positionSide: positionSideText(side),
    positionAmt: formatFixed(position.quantity, market.quantityPrecision),
    entryPrice: pricePerUnit(market, position.cost, position.quantity),
    breakEvenPrice: pricePerUnit(market, position.cost + position.carried, position.quantity),
    markPrice: money(quote.mark),
    unRealizedProfit: money(part.unrealized),
    liquidationPrice: moneyOrZero(liquidationPrice(market, position, marginOf(view, market.quote), quote)),
    isolatedMargin: part.isolatedMargin,
    notional: moneyOrZero(part.notional),
  }
  return { shown, part, updateTime: position.updatedAt }
}

/** A position with its risk (`/fapi/v3/positionRisk`). */
export function formatRiskV3(view: View, holding: Holding) {
  const { shown, part, updateTime } = riskOf(view, holding)
  return {
    ...shown,
    marginAsset: holding.market.quote,
    isolatedWallet: part.isolatedWallet,
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
export function formatRiskV2(view: View, holding: Holding) {
  const { shown, part, updateTime } = riskOf(view, holding)
  const { market } = holding
  const leverage = leverageOf(view.account, market.id)
  return {
    ...shown,
    leverage: String(leverage),
    maxNotionalValue: maxNotional(market, leverage),
    marginType: marginModeOf(view.account, market.id),
    isAutoAddMargin: 'false',
    isolatedWallet: part.isolatedWallet,
    updateTime,
  }
}
