import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import { openFuturesPrices } from '../../src/venue/binance/prices/futures-prices.ts'
import { openSpotPrices } from '../../src/venue/binance/prices/spot-prices.ts'
import { openPrices } from '../../src/venue/bybit/prices/prices.ts'
import { onDrift } from '../../src/venue/read/drift.ts'
import type { Finding, Recording } from './recording.ts'
import type { VenueStandIn } from './venue-stand-in.ts'

/** Prices that are reported, by what a recording calls them; undefined where none is known. */
interface PriceTopics {
  follow: (symbol: string) => void
  of: Readonly<Record<string, (symbol: string) => unknown>>
  stop: () => void
}

/** The way to follow a market's prices, with the paths and topics of their streams. */
interface Way {
  open: (address: string) => PriceTopics
  paths: Readonly<Record<string, string>>
  frame: (call: string, symbol: string, text: string) => string
  /** A frame that can be read in any case. */
  sample: Readonly<Record<string, string>>
}

const log = testLog('prices')
const linear = '/v5/public/linear'

const ways: Readonly<Partial<Record<Recording['venue'], Way>>> = {
  'binance-spot': {
    open: (address) => {
      const { book, reference, ...prices } = openSpotPrices(`${address}/stream`, log)
      return { ...prices, of: { 'prices.book': book, 'prices.reference': reference } }
    },
    paths: { 'prices.book': '/stream', 'prices.reference': '/stream' },
    frame: combined,
    sample: { 'prices.book': '{"b":"1","a":"2"}', 'prices.reference': '{"r":"1"}' },
  },
  'binance-futures': {
    open: (address) => byTopic(openFuturesPrices(address, log)),
    paths: { 'prices.book': '/public/stream', 'prices.mark': '/market/stream' },
    frame: combined,
    sample: { 'prices.book': '{"b":"1","a":"2"}', 'prices.mark': '{"p":"1"}' },
  },
  'bybit-linear': {
    open: (address) => byTopic(openPrices(`${address}${linear}`, 'linear', log)),
    paths: { 'prices.book': linear, 'prices.mark': linear },
    frame: (call, symbol, text) => {
      const { topic: _recorded, ...frame } = JSON.parse(text)
      return JSON.stringify({ topic: `${topicsAtBybit[call]}.${symbol}`, ...frame })
    },
    sample: {
      'prices.book': '{"topic":"","type":"snapshot","data":{"b":[["1","1"]],"a":[["2","1"]]}}',
      'prices.mark': '{"topic":"","type":"snapshot","data":{"markPrice":"1"}}',
    },
  },
}

const topicsAtBybit: Readonly<Record<string, string>> = {
  'prices.book': 'orderbook.1',
  'prices.mark': 'tickers',
}
const topicsAtBinance: Readonly<Record<string, string>> = {
  'prices.book': 'bookTicker',
  'prices.mark': 'markPrice@1s',
  'prices.reference': 'referencePrice',
}

// A recording of a raw stream lacks the frame of a combined one.
function combined(call: string, symbol: string, text: string): string {
  const { data } = JSON.parse(text) as { data?: unknown }
  const inner = data === undefined ? text : /"data":\s*(\{.*\})\s*\}$/s.exec(text.trim())?.[1]
  return `{"stream":"${symbol.toLowerCase()}@${topicsAtBinance[call]}","data":${inner}}`
}

function byTopic({ book, mark, ...prices }: ReturnType<typeof openFuturesPrices>): PriceTopics {
  return { ...prices, of: { 'prices.book': book, 'prices.mark': mark } }
}

/** Replays the reports of public streams on prices. */
export interface PriceReplayer {
  replay: (call: string, text: string) => Promise<Finding>
  stop: () => void
}

// So many topics are followed over one connection at most.
const mostSymbols = 60

/** Replays prices of a market at a stand-in. */
export function priceReplayer(endpoint: VenueStandIn, market: Recording['venue']): PriceReplayer {
  let prices: PriceTopics | undefined
  let symbols = 0
  const stop = (): void => {
    prices?.stop()
    prices = undefined
  }
  return {
    replay: async (call, text) => {
      const { open, paths, frame, sample } = ways[market] ?? {}
      const path = paths?.[call]
      const good = sample?.[call]
      if (open === undefined || path === undefined || frame === undefined || good === undefined)
        return { isRead: false, value: `${market} reports no ${call}` }
      endpoint.talk(path, pong)
      if (symbols % mostSymbols === 0) stop()
      prices ??= open(endpoint.url.replace('http', 'ws'))
      const [symbol, mark] = [`A${++symbols}USDT`, `B${symbols}USDT`]
      const { follow, of } = prices
      follow(symbol)
      follow(mark)
      // The connection may not be there yet, and reports come over it in order.
      await waitFor(() => {
        endpoint.push(path, frame(call, symbol, text))
        endpoint.push(path, frame(call, mark, good))
        return of[call]?.(mark) !== undefined
      })
      // A side of a book may be empty, and a change may be of something else: what is noted alone was unreadable.
      let isUnreadable = false
      const stopListening = onDrift(() => {
        isUnreadable = true
      })
      const value = of[call]?.(symbol)
      stopListening()
      return { isRead: !isUnreadable, value }
    },
    stop,
  }
}

function pong(said: string): string | undefined {
  return said.includes('"ping"') ? '{"success":true,"ret_msg":"pong","op":"ping"}' : undefined
}
