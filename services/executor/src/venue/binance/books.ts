import type { Log } from '@tripline/kit/log'
import { z } from 'zod'
import { isProven } from '../live-socket.ts'
import { parseJson } from '../parse-json.ts'
import { Decimal } from '../read-fields.ts'
import { openTopics } from './topics.ts'

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

/** Follows books at an address of combined streams; nothing is opened before somebody follows one. */
export function openBooks(address: string, log: Log): Books {
  const topics = openTopics(address, 'book stream', log)
  return {
    follow: (symbol) => topics.follow(topicOf(symbol)),
    book: (symbol) => {
      const told = topics.told(topicOf(symbol))
      // It is told whenever it changes.
      if (told === undefined || !isProven(topics.provenAt())) return undefined
      const book = Book.safeParse(parseJson(told.text)).data?.data
      return book && { bid: book.b, ask: book.a }
    },
    stop: topics.stop,
  }
}

function topicOf(symbol: string): string {
  return `${symbol.toLowerCase()}@bookTicker`
}
