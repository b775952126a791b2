import {
  type Account,
  balanceOf,
  leverageOf,
  type Position,
  positionIn,
  positionModeOf,
  positionsIn,
} from './account.ts'
import { absolute, larger, smaller } from './fixed.ts'
import { lockOf } from './lock.ts'
import { bracketFor, type Market, type MarketId, marketOf, valueAt, valueAtMark } from './market.ts'
import { type Order, type PositionSide, remaining, signed } from './order.ts'
import type { Quote } from './quote.ts'

/** Returns a market's prices now. */
export type QuoteOf = (market: MarketId) => Quote

/** The worth of a position, its profit, and the margin that it binds and must keep. */
export type PositionRisk = Readonly<{
  notional: bigint
  unrealized: bigint
  positionMargin: bigint
  maintenance: bigint
}>

/** The margin that a market binds of an account: of its positions and of its open orders, and profit not yet taken. */
export type MarketMargin = PositionRisk & Readonly<{ orderMargin: bigint }>

/** The same over all linear markets of a coin, with the wallet and what is free to use. */
export type AccountMargin = Readonly<{
  wallet: bigint
  /** The money that open spot orders will pay. */
  locked: bigint
  unrealized: bigint
  positionMargin: bigint
  orderMargin: bigint
  maintenance: bigint
  /** Set aside for isolated positions; part of positionMargin and of the wallet. */
  isolated: bigint
  crossUnrealized: bigint
  crossMaintenance: bigint
  /** Below zero where the account owes more margin than it has. */
  free: bigint
}>

/** The risk of one position at these prices. */
export function positionRisk(
  account: Account,
  market: Market,
  position: Position,
  quote: Quote,
): PositionRisk {
  const notional = valueAtMark(market, position.quantity, quote.mark)
  const held = absolute(notional)
  const isolated = position.marginMode === 'isolated'
  return {
    notional,
    unrealized: notional - position.cost,
    positionMargin: isolated ? position.margin : held / BigInt(leverageOf(account, market.id)),
    maintenance: maintenanceOf(market, held),
  }
}

function maintenanceOf(market: Market, held: bigint): bigint {
  if (held === 0n) return 0n
  const bracket = bracketFor(market, held)
  return larger(0n, (held * bracket.maintenance) / 10_000n - bracket.deduction)
}

const NONE: PositionRisk = { notional: 0n, unrealized: 0n, positionMargin: 0n, maintenance: 0n }

function plus(a: PositionRisk, b: PositionRisk): PositionRisk {
  return {
    notional: a.notional + b.notional,
    unrealized: a.unrealized + b.unrealized,
    positionMargin: a.positionMargin + b.positionMargin,
    maintenance: a.maintenance + b.maintenance,
  }
}

/** The margin one linear market binds, over all its positions. */
export function marketMargin(
  account: Account,
  market: Market,
  orders: readonly Order[],
  quote: Quote,
): MarketMargin {
  const risks = positionsIn(account, market.id).map((one) => positionRisk(account, market, one, quote))
  return { ...risks.reduce(plus, NONE), orderMargin: orderMarginOf(account, market, orders, quote) }
}

function orderMarginOf(account: Account, market: Market, orders: readonly Order[], quote: Quote): bigint {
  const here = orders.filter((order) => order.market === market.id && order.status === 'open')
  if (here.length === 0) return 0n
  const sides: readonly PositionSide[] =
    positionModeOf(account, market) === 'hedge' ? ['long', 'short'] : ['net']
  return sides.reduce((sum, side) => sum + sideMargin(account, market, side, here, quote), 0n)
}

// Open orders count on the side where they would make the position largest.
function sideMargin(
  account: Account,
  market: Market,
  side: PositionSide,
  orders: readonly Order[],
  quote: Quote,
): bigint {
  const notional = valueAtMark(market, positionIn(account, market.id, side).quantity, quote.mark)
  let [bought, sold] = [notional, notional]
  for (const order of orders) {
    if (order.positionSide !== side || isReducing(order)) continue
    const value = valueAt(market, signed(order.side, remaining(order)), order.price)
    if (value > 0n) bought += value
    else sold += value
  }
  const held = absolute(notional)
  const exposure = larger(held, larger(absolute(bought), absolute(sold)))
  return (exposure - held) / BigInt(leverageOf(account, market.id))
}

/** Whether the order can only shrink a position: by its word, or because it sells a long one or buys a short one. */
export function isReducing(
  order: Pick<Order, 'side' | 'positionSide' | 'reduceOnly' | 'closePosition'>,
): boolean {
  if (order.reduceOnly || order.closePosition) return true
  return order.positionSide === 'net' ? false : (order.positionSide === 'long') === (order.side === 'sell')
}

/** The margin of the whole account in one coin. */
export function accountMargin(
  account: Account,
  orders: readonly Order[],
  quoteOf: QuoteOf,
  asset = 'USDT',
): AccountMargin {
  const wallet = balanceOf(account, asset)
  const locked = lockedBy(orders, asset)
  let [orderMargin, isolated, crossUnrealized, crossMaintenance] = [0n, 0n, 0n, 0n]
  let all = NONE
  for (const position of account.positions.values()) {
    const market = marketOf(position.market)
    if (market.quote !== asset) continue
    const risk = positionRisk(account, market, position, quoteOf(market.id))
    all = plus(all, risk)
    if (position.marginMode === 'isolated') isolated += position.margin
    else {
      crossUnrealized += risk.unrealized
      crossMaintenance += risk.maintenance
    }
  }
  for (const market of linearMarkets(orders, asset)) {
    orderMargin += orderMarginOf(account, market, orders, quoteOf(market.id))
  }
  const { unrealized, positionMargin, maintenance } = all
  const free = wallet - locked + crossUnrealized - positionMargin - orderMargin
  const parts = { wallet, locked, unrealized, positionMargin, orderMargin, maintenance }
  return { ...parts, isolated, crossUnrealized, crossMaintenance, free }
}

function lockedBy(orders: readonly Order[], asset: string): bigint {
  let locked = 0n
  for (const order of orders) {
    const lock = lockOf(order)
    if (lock?.asset === asset) locked += lock.amount
  }
  return locked
}

function linearMarkets(orders: readonly Order[], asset: string): Set<Market> {
  const markets = new Set<Market>()
  for (const order of orders) {
    const market = marketOf(order.market)
    if (order.status === 'open' && market.kind === 'linear' && market.quote === asset) markets.add(market)
  }
  return markets
}

/** The mark price, with eight places, at which the position could no longer keep its margin; zero where there is none. */
export function liquidationPrice(
  market: Market,
  position: Position,
  margin: AccountMargin,
  quote: Quote,
): bigint {
  if (position.quantity === 0n) return 0n
  const notional = valueAtMark(market, position.quantity, quote.mark)
  const held = absolute(notional)
  const bracket = bracketFor(market, held)
  const others = meansFor(position, margin, notional - position.cost, maintenanceOf(market, held))
  const side = position.quantity > 0n ? 1n : -1n
  const perLot = absolute(position.quantity) * (bracket.maintenance - side * 10_000n)
  const scale = 10_000n * 10n ** BigInt(market.quantityPrecision)
  return larger(0n, ((others + bracket.deduction - position.cost) * scale) / perLot)
}

// Returns the money behind a position apart from its own profit.
function meansFor(
  position: Position,
  margin: AccountMargin,
  unrealized: bigint,
  maintenance: bigint,
): bigint {
  if (position.marginMode === 'isolated') return position.margin
  const others = margin.crossUnrealized - unrealized - (margin.crossMaintenance - maintenance)
  return margin.wallet - margin.isolated + others
}

/** Returns the money for new orders: never below zero. */
export function availableOf(margin: AccountMargin): bigint {
  return larger(0n, margin.free)
}

/** Returns the money that may leave the account or buy coins: profit not yet taken may not. */
export function withdrawableOf(margin: AccountMargin): bigint {
  return larger(0n, smaller(margin.free, margin.free - margin.crossUnrealized))
}
