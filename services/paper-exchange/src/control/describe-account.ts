import { leverageOf, type Position } from '../domain/account.ts'
import { divideRounded, formatFixed, formatTrimmed, power } from '../domain/fixed.ts'
import { type Market, marketOf, VALUE_SCALE, valueAtMark } from '../domain/market.ts'
import { type Fill, isAlgo, type Order } from '../domain/order.ts'
import type { Exchange } from '../exchange.ts'
import { type Entry, openOrdersOf } from '../store/ledger.ts'
import { journalId } from '../wire/binance-futures/shown-id.ts'

/** The account as a person reads it: all numbers are texts. */
export function describeEntry({ quotes }: Pick<Exchange, 'quotes'>, entry: Entry) {
  const { apiKey, account, openedAt } = entry
  return {
    apiKey,
    openedAt,
    balances: describeBalances(entry),
    positions: [...account.positions.values()].map((position) => describePosition(quotes, entry, position)),
    openOrders: openOrdersOf(entry).map(describeOrder),
  }
}

/** An account as it is read from outside. */
export type AccountView = ReturnType<typeof describeEntry>

/** Returns the account's balance of each coin. */
export function describeBalances({ account }: Pick<Entry, 'account'>): Record<string, string> {
  return Object.fromEntries(
    [...account.balances].map(([asset, value]) => [asset, formatTrimmed(value, VALUE_SCALE)]),
  )
}

function describePosition(quotes: Exchange['quotes'], { account }: Entry, position: Position) {
  const { quantity, cost, updatedAt, side, marginMode } = position
  const market = marketOf(position.market)
  const { mark } = quotes.of(market.id)
  const entryPrice = quantity === 0n ? 0n : divideRounded(cost * power(market.quantityPrecision), quantity)
  return {
    venue: market.venue,
    symbol: market.symbol,
    side,
    quantity: formatTrimmed(quantity, market.quantityPrecision),
    cost: formatTrimmed(cost, VALUE_SCALE),
    entryPrice: formatTrimmed(entryPrice, VALUE_SCALE),
    markPrice: formatTrimmed(mark, VALUE_SCALE),
    unrealized: formatTrimmed(valueAtMark(market, quantity, mark) - cost, VALUE_SCALE),
    leverage: leverageOf(account, market.id),
    marginMode,
    updatedAt,
  }
}

function describeOrder(order: Order) {
  const market = marketOf(order.market)
  return {
    venue: market.venue,
    venueOrderId: market.venue === 'binance-futures' && !isAlgo(order) ? journalId(order) : String(order.id),
    clientOrderId: order.clientOrderId,
    symbol: market.symbol,
    side: order.side,
    type: order.type,
    status: order.status,
    quantity: formatFixed(order.quantity, market.quantityPrecision),
    filled: formatFixed(order.filled, market.quantityPrecision),
    price: formatFixed(order.price, market.pricePrecision),
    triggerPrice: order.trigger ? formatFixed(order.trigger.price, market.pricePrecision) : null,
    reduceOnly: order.reduceOnly,
    createdAt: order.createdAt,
  }
}

/** The latest fills of the account, newest first. */
export function describeFills({ fillsByMarket }: Entry, limit: number) {
  const latest = [...fillsByMarket.values()].flatMap((fills) => fills.slice(-limit))
  return latest
    .toSorted((a, b) => b.id - a.id)
    .slice(0, limit)
    .map((fill) => describeFill(marketOf(fill.market), fill))
}

/** A fill as it is read from outside. */
export type FillView = ReturnType<typeof describeFill>

function describeFill(market: Market, fill: Fill) {
  return {
    venue: market.venue,
    symbol: market.symbol,
    side: fill.side,
    quantity: formatFixed(fill.quantity, market.quantityPrecision),
    price: formatFixed(fill.price, market.pricePrecision),
    fee: formatTrimmed(fill.fee, VALUE_SCALE),
    feeAsset: fill.feeAsset,
    realized: formatTrimmed(fill.realized, VALUE_SCALE),
    at: fill.at,
  }
}
