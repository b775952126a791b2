import { type Account, balanceOf, DEFAULT_LEVERAGE, type Position, positionIn } from './account.ts'
import { absolute, larger, smaller } from './fixed.ts'
import { bracketFor, type Market, marketOf, valueAt, valueAtMark } from './market.ts'
import { type Order, signed } from './order.ts'
import type { Quote } from './quote.ts'

/** Tells what a market costs now. */
export type QuoteOf = (symbol: string) => Quote

/** What a market binds of an account: margin of its position and of its open orders, profit not yet taken. */
export type MarketMargin = Readonly<{
  notional: bigint
  unrealized: bigint
  positionMargin: bigint
  orderMargin: bigint
  maintenance: bigint
}>

/** The same over all markets, with the wallet and what is free to use. */
export type AccountMargin = Readonly<{
  wallet: bigint
  unrealized: bigint
  positionMargin: bigint
  orderMargin: bigint
  maintenance: bigint
  /** Below zero where the account owes more margin than it has. */
  free: bigint
}>

/** The margin one market binds. Open orders count on the side where they would make the position largest. */
export function marketMargin(
  market: Market,
  position: Position,
  orders: readonly Order[],
  quote: Quote,
): MarketMargin {
  const notional = valueAtMark(market, position.quantity, quote.mark)
  let bought = notional
  let sold = notional
  for (const order of orders) {
    if (order.symbol !== market.symbol || order.reduceOnly) continue
    const value = valueAt(market, signed(order.side, order.quantity - order.filled), order.price)
    if (value > 0n) bought += value
    else sold += value
  }
  const held = absolute(notional)
  const exposure = larger(held, larger(absolute(bought), absolute(sold)))
  const bracket = bracketFor(market, held)
  const positionMargin = held / BigInt(DEFAULT_LEVERAGE)
  return {
    notional,
    unrealized: notional - position.cost,
    positionMargin,
    orderMargin: exposure / BigInt(DEFAULT_LEVERAGE) - positionMargin,
    maintenance: larger(0n, (held * bracket.maintenance) / 10_000n - bracket.deduction),
  }
}

/** The margin of the whole account in the quote coin. */
export function accountMargin(account: Account, orders: readonly Order[], quoteOf: QuoteOf): AccountMargin {
  const wallet = balanceOf(account, 'USDT')
  let [unrealized, positionMargin, orderMargin, maintenance] = [0n, 0n, 0n, 0n]
  for (const symbol of new Set([...account.positions.keys(), ...orders.map((order) => order.symbol)])) {
    const market = marketOf(symbol)
    const part = marketMargin(market, positionIn(account, symbol), orders, quoteOf(symbol))
    unrealized += part.unrealized
    positionMargin += part.positionMargin
    orderMargin += part.orderMargin
    maintenance += part.maintenance
  }
  const free = wallet + unrealized - positionMargin - orderMargin
  return { wallet, unrealized, positionMargin, orderMargin, maintenance, free }
}

/** The mark price, with eight places, at which the position could no longer keep its margin; zero where there is none. */
export function liquidationPrice(
  market: Market,
  position: Position,
  margin: AccountMargin,
  quote: Quote,
): bigint {
  if (position.quantity === 0n) return 0n
  const held = absolute(valueAtMark(market, position.quantity, quote.mark))
  const bracket = bracketFor(market, held)
  const own = marketMargin(market, position, [], quote)
  const others = margin.wallet + margin.unrealized - own.unrealized - (margin.maintenance - own.maintenance)
  const side = position.quantity > 0n ? 1n : -1n
  const perLot = absolute(position.quantity) * (bracket.maintenance - side * 10_000n)
  const price =
    ((others + bracket.deduction - position.cost) * 10_000n * 10n ** BigInt(market.quantityPrecision)) /
    perLot
  return larger(0n, price)
}

/** What may be used for new orders: never below zero. */
export function availableOf(margin: AccountMargin): bigint {
  return larger(0n, margin.free)
}

/** What may leave the account: profit not yet taken may not. */
export function withdrawableOf(margin: AccountMargin): bigint {
  return larger(0n, smaller(margin.free, margin.free - margin.unrealized))
}
