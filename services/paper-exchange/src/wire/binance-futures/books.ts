import type { MarketId } from '../../domain/market.ts'
import type { Level } from '../../domain/quote.ts'
import type { MarketView } from './format-market.ts'

/** The book of a market as a stream last sent it. */
export type Book = Readonly<{
  bids: readonly Level[]
  asks: readonly Level[]
  updateId: number
  /** The best of both sides: two books of the same top look alike to a book ticker. */
  top: string
}>

/** The books that a stream sent last, by market. */
export type Books = Map<MarketId, Book>

/** Keeps the book as the last one that was sent. */
export function remember(books: Books, { market, bids, asks, updateId }: MarketView): Book {
  const top = [bids[0], asks[0]].map((level) => `${level?.price} ${level?.quantity}`).join(' ')
  const book = { bids, asks, updateId, top }
  books.set(market.id, book)
  return book
}

/** The levels that hold something else now; what is gone holds nothing. */
export function changedLevels(before: readonly Level[], after: readonly Level[]): Level[] {
  const previous = new Map(before.map(({ price, quantity }) => [price, quantity]))
  const levels = after.filter(({ price, quantity }) => previous.get(price) !== quantity)
  const left = new Set(after.map(({ price }) => price))
  const gone = before.filter(({ price }) => !left.has(price)).map(({ price }) => ({ price, quantity: 0n }))
  return [...levels, ...gone]
}
