import { type Market, marketOf } from '../../domain/market.ts'
import type { Order } from '../../domain/order.ts'

// Ids of a few symbols have 19 digits, more than a double holds, and are JSON integers all the same (captures of
// 2025-12).
const longSymbols = ['ETHUSDT']
const longFrom = 8_389_766_000_000_000_000n

// The types of the language do not know it yet.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => object }

/** The id of an order as text. */
export function idText({ symbol }: Market, id: number): string {
  return longSymbols.includes(symbol) ? `${longFrom + BigInt(id)}` : `${id}`
}

/** The id of an order as answers and events show it: a whole number, however long. */
export function shownId(market: Market, id: number): number | object {
  return longSymbols.includes(market.symbol) ? rawJSON(idText(market, id)) : id
}

/** The id by which the journal knows an order. */
export function journalId(order: Order): string {
  return idText(marketOf(order.market), order.id)
}

/** The order that is meant by an id as a request says it. */
export function idMeant(text: string): number {
  const id = BigInt(text)
  return Number(id >= longFrom ? id - longFrom : id)
}
