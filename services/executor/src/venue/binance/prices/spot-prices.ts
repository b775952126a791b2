import type { Log } from '@tripline/kit/telemetry/log'
import { z } from 'zod'
import { Decimal, readText } from '../../read/read-fields.ts'
import { type Books, booksOf, noBooks } from './books.ts'
import { openTopics } from './topics.ts'

/** Prices of spot markets that are reported without asking, for those that are followed. */
export interface SpotPrices extends Books {
  /** The reference price now; null where a market has none, and undefined where it is not reported. */
  reference: (symbol: string) => string | null | undefined
}

/** Prices of which none is reported. */
export const noSpotPrices: SpotPrices = { ...noBooks, reference: () => undefined }

// A reference price is reported each second ("Reference Price Streams" of the spot documentation, 2026-03-09).
const referenceMs = 3000

const source = { venue: 'binance-spot', call: 'ws.referencePrice' } as const
const Reference = z.object({ data: z.object({ r: Decimal.nullable() }) })

/** Follows prices at an address of combined streams; nothing is opened before one is followed. */
export function openSpotPrices(address: string, log: Log): SpotPrices {
  const books = booksOf(openTopics(address, 'book stream', log), 'binance-spot')
  const references = openTopics(address, 'reference stream', log)
  return {
    book: books.book,
    follow: (symbol) => {
      books.follow(symbol)
      references.follow(topicOf(symbol))
    },
    reference: (symbol) => {
      const pushed = references.latest(topicOf(symbol))
      if (pushed === undefined || performance.now() - pushed.at > referenceMs) return undefined
      return readText(source, Reference, pushed.text)?.data.r
    },
    stop: () => {
      books.stop()
      references.stop()
    },
  }
}

function topicOf(symbol: string): string {
  return `${symbol.toLowerCase()}@referencePrice`
}
