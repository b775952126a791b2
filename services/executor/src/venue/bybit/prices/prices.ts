import type { Log } from '@tripline/kit/telemetry/log'
import { z } from 'zod'
import type { Share } from '../../account/shared.ts'
import { type MarketPrices, noPrices } from '../../prices/market-prices.ts'
import { Decimal, readText, wordOf } from '../../read/read-fields.ts'
import { isVerified } from '../../socket/live-socket.ts'
import { openPushedTopics } from '../../socket/pushed-topics.ts'
import type { VenueOptions } from '../../venue.ts'
import { sourceOf } from '../answers.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Category } from '../rest-client.ts'

// The first level of a book that stands still is reported again every 3 s ("Orderbook" of Bybit's v5 websocket documentation):
// what is older was not reported on.
const mostBookAgeMs = 4000
// A ticker reports what changed ("Ticker", there): a mark that is not reported stays what it was, as long as the connection shows
// that it is there. One that stands still for longer is asked for, in case that its topic is reported no more.
const mostMarkAgeMs = 60_000

const Level = z.tuple([Decimal]).rest(z.unknown())
// The first level is always reported whole ("Orderbook" of Bybit's v5 websocket documentation).
const Book = z.object({
  type: wordOf('type', new Set(['snapshot'])),
  data: z.object({ b: z.array(Level), a: z.array(Level) }),
})
const Mark = z.object({ data: z.object({ markPrice: Decimal }) })

const bookOf = (symbol: string): string => `orderbook.1.${symbol}`
const tickerOf = (symbol: string): string => `tickers.${symbol}`

/** The prices of a category, which accounts at an address share. */
export function pricesOf(
  category: Category,
  { prices }: Endpoint,
  { pricesUrl, log }: Pick<VenueOptions, 'pricesUrl' | 'log'>,
): Share<MarketPrices> {
  if (pricesUrl === undefined) return { get: () => noPrices, leave: () => undefined }
  const address = `${pricesUrl}/v5/public/${category}`
  return prices(address, () => openPrices(address, category, log))
}

/** Follows prices of a category at an address; nothing is opened before one is followed. Spot has no mark. */
export function openPrices(address: string, category: Category, log: Log): MarketPrices {
  // All on one connection: a report of one topic shows that the others would report their changes.
  const topics = openPushedTopics({
    address,
    name: 'price stream',
    log,
    messageOf: (op, args) => JSON.stringify({ op, args }),
    topicOf,
    isUpdate: (text) => !isTicker(text) || text.includes('"markPrice"'),
    ping: { text: '{"op":"ping"}', isPong: (text) => text.includes('"pong"') },
  })
  const followMark = (symbol: string): void => {
    if (category === 'linear') topics.follow(tickerOf(symbol))
  }
  const lately = (topic: string, mostAgeMs: number): string | undefined => {
    const pushed = topics.latest(topic)
    if (pushed === undefined || !isVerified(topics.verifiedUntil())) return undefined
    return performance.now() - pushed.at > mostAgeMs ? undefined : pushed.text
  }
  return {
    follow: (symbol) => {
      topics.follow(bookOf(symbol))
      followMark(symbol)
    },
    followMark,
    book: (symbol) => {
      const text = lately(bookOf(symbol), mostBookAgeMs)
      return text === undefined ? undefined : readBook(category, text)
    },
    mark: (symbol) => {
      const text = lately(tickerOf(symbol), mostMarkAgeMs)
      return text === undefined
        ? undefined
        : readText(sourceOf('linear', 'ws.tickers'), Mark, text)?.data.markPrice
    },
    stop: topics.stop,
  }
}

/** The best prices of a book; undefined where one side is empty, or is reported in part. */
function readBook(category: Category, text: string): { bid: string; ask: string } | undefined {
  const { type, data } = readText(sourceOf(category, 'ws.orderbook'), Book, text) ?? {}
  const [bid, ask] = type === 'snapshot' ? [data?.b[0], data?.a[0]] : []
  return bid && ask && { bid: bid[0], ask: ask[0] }
}

const beforeTopic = '{"topic":"'

function topicOf(text: string): string | undefined {
  if (!text.startsWith(beforeTopic)) return undefined
  return text.slice(beforeTopic.length, text.indexOf('"', beforeTopic.length))
}

// A ticker is reported whole at first, and then what changed of it.
function isTicker(text: string): boolean {
  return text.startsWith(`${beforeTopic}tickers.`)
}
