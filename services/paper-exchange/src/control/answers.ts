import { z } from 'zod'
import type { Account } from '../domain/account.ts'
import { formatFixed, formatTrimmed, parseFixed } from '../domain/fixed.ts'
import { type Market, marketOf, VALUE_SCALE } from '../domain/market.ts'
import type { Order } from '../domain/order.ts'
import { type Entry, openOrdersOf } from '../store/ledger.ts'

const Amount = z.string().transform((text, context) => {
  const value = parseFixed(text, VALUE_SCALE)
  if (value !== undefined) return value
  context.addIssue(`"${text}" is not a decimal of at most ${VALUE_SCALE} places`)
  return z.NEVER
})

/** What opens an account; 10,000 USDT unless it says otherwise. */
export const NewAccount = z.strictObject({
  balances: z.record(z.string().regex(/^[A-Z0-9]{1,20}$/), Amount).default({ USDT: 1_000_000_000_000n }),
})

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
