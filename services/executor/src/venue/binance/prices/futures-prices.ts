import type { Log } from '@tripline/kit/telemetry/log'
import { z } from 'zod'
import type { MarketPrices } from '../../prices/market-prices.ts'
import { Decimal, readText } from '../../read/read-fields.ts'
import { booksOf } from './books.ts'
import { openTopics } from './topics.ts'

// A mark is reported once a second.
const markMs = 1500

const source = { venue: 'binance-futures', call: 'ws.markPrice' } as const
const Mark = z.object({ data: z.object({ p: Decimal }) })

/** Follows prices at an address; nothing is opened before one is followed. */
export function openFuturesPrices(streamUrl: string, log: Log): MarketPrices {
  const books = booksOf(openTopics(`${streamUrl}/public/stream`, 'book stream', log), source.venue)
  const marks = openTopics(`${streamUrl}/market/stream`, 'mark stream', log)
  const followMark = (symbol: string): void => marks.follow(topicOf(symbol))
  return {
    follow: (symbol) => {
      books.follow(symbol)
      followMark(symbol)
    },
    followMark,
    book: books.book,
    mark: (symbol) => {
      const pushed = marks.latest(topicOf(symbol))
      if (pushed === undefined || performance.now() - pushed.at > markMs) return undefined
      return readText(source, Mark, pushed.text)?.data.p
    },
    stop: () => {
      books.stop()
      marks.stop()
    },
  }
}

function topicOf(symbol: string): string {
  return `${symbol.toLowerCase()}@markPrice@1s`
}
