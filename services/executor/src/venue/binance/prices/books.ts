import { z } from 'zod'
import type { Source } from '../../read/drift.ts'
import { Decimal, readText } from '../../read/read-fields.ts'
import { isVerified } from '../../socket/live-socket.ts'
import type { PushedTopics } from '../../socket/pushed-topics.ts'

/** The best bids and asks of markets that are reported without asking, for those that are followed. */
export interface Books {
  /** Has those of a symbol reported for some minutes from now on. */
  follow: (symbol: string) => void
  /** The best bid and ask now; undefined where they are to be asked for. */
  book: (symbol: string) => { bid: string; ask: string } | undefined
  stop: () => void
}

/** Books of which none is reported. */
export const noBooks: Books = {
  follow: () => undefined,
  book: () => undefined,
  stop: () => undefined,
}

const Book = z.object({ data: z.object({ b: Decimal, a: Decimal }) })

/** The books among topics; both end together. */
export function booksOf(topics: PushedTopics, venue: Source['venue']): Books {
  return {
    follow: (symbol) => topics.follow(topicOf(symbol)),
    book: (symbol) => {
      const pushed = topics.latest(topicOf(symbol))
      // It is reported whenever it changes.
      if (pushed === undefined || !isVerified(topics.verifiedUntil())) return undefined
      const book = readText({ venue, call: 'ws.bookTicker' }, Book, pushed.text)?.data
      return book && { bid: book.b, ask: book.a }
    },
    stop: topics.stop,
  }
}

function topicOf(symbol: string): string {
  return `${symbol.toLowerCase()}@bookTicker`
}
