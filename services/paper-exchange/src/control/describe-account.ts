import type { Account } from '../domain/account.ts'
import { formatFixed, formatTrimmed } from '../domain/fixed.ts'
import { type Market, marketOf, VALUE_SCALE } from '../domain/market.ts'
import type { Order } from '../domain/order.ts'
import { type Entry, openOrdersOf } from '../store/ledger.ts'

/** The account as a person reads it. */
export function describeEntry(entry: Entry) {
  return {
    apiKey: entry.apiKey,
    balances: describeBalances(entry.account),
    positions: describePositions(entry.account),
    openOrders: openOrdersOf(entry).map(describeOrder),
  }
}

function describeBalances({ balances }: Account) {
  return Object.fromEntries([...balances].map(([asset, value]) => [asset, formatTrimmed(value, VALUE_SCALE)]))
}

function describePositions({ positions }: Account) {
  return [...positions].map(([symbol, { quantity, cost, updatedAt }]) => ({
    symbol,
    quantity: formatTrimmed(quantity, marketOf(symbol).quantityPrecision),
    cost: formatTrimmed(cost, VALUE_SCALE),
    updatedAt,
  }))
}

function describeOrder(order: Order) {
  const market: Market = marketOf(order.symbol)
  return {
    venueOrderId: String(order.id),
    clientOrderId: order.clientOrderId,
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    quantity: formatFixed(order.quantity, market.quantityPrecision),
    filled: formatFixed(order.filled, market.quantityPrecision),
    price: formatFixed(order.price, market.pricePrecision),
    reduceOnly: order.reduceOnly,
  }
}
