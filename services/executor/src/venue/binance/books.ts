import { z } from 'zod'
import type { Source } from '../drift.ts'
import { isProven } from '../live-socket.ts'
import { Decimal, readText } from '../read-fields.ts'
import type { ToldTopics } from '../told-topics.ts'

/** The best bids and asks of markets that are told without asking, for those that somebody follows. */
export interface Books {
  /** Has those of a symbol told for some minutes from now on. */
  follow: (symbol: string) => void
  /** The best bid and ask now; undefined where they are to be asked for. */
  book: (symbol: string) => { bid: string; ask: string } | undefined
  stop: () => void
}

/** Books of which none is told. */
export const noBooks: Books = {
  follow: () => undefined,
  book: () => undefined,
  stop: () => undefined,
}

const Book = z.object({ data: z.object({ b: Decimal, a: Decimal }) })

/** The books among topics; both end together. */
export function booksOf(topics: ToldTopics, venue: Source['venue']): Books {
  return {
    follow: (symbol) => topics.follow(topicOf(symbol)),
    book: (symbol) => {
      const told = topics.told(topicOf(symbol))
      // It is told whenever it changes.
      if (told === undefined || !isProven(topics.provenAt())) return undefined
      const book = readText({ venue, call: 'ws.bookTicker' }, Book, told.text)?.data
      return book && { bid: book.b, ask: book.a }
    },
    stop: topics.stop,
  }
}

function topicOf(symbol: string): string {
  return `${symbol.toLowerCase()}@bookTicker`
}
