import { formatFixed } from '../../domain/fixed.ts'
import { finePrice, type Market, VALUE_SCALE } from '../../domain/market.ts'
import { categoryIn, marketNamed, marketsIn, tradedCategoryIn } from './category.ts'
import { paramsError } from './errors.ts'
import { choiceIn, type Fields, limitIn, requiredIn, textIn, wholeIn } from './fields.ts'
import {
  formatBook,
  formatInstrument,
  formatRiskLimits,
  formatTicker,
  formatTrade,
  markText,
  priceText,
} from './format-market.ts'
import { pageOf } from './page.ts'
import { open, type PublicCall, type Route } from './route.ts'

const MAX_INSTRUMENTS = 1_000

function time({ venueNow }: PublicCall) {
  const second = Math.floor(venueNow / 1_000)
  return { timeSecond: String(second), timeNano: `${venueNow}000000` }
}

// The symbols a request is about: the one it names, the base coin's, or all of the category.
function chosen(fields: Fields): readonly Market[] {
  const category = categoryIn(fields)
  const symbol = textIn(fields, 'symbol')
  const base = textIn(fields, 'baseCoin')
  const listed = marketsIn(category)
  if (symbol !== undefined) return listed.length === 0 ? [] : [marketNamed(category, symbol)]
  return base === undefined ? listed : listed.filter((market) => market.base === base)
}

function instruments({ fields }: PublicCall) {
  const category = categoryIn(fields)
  const status = textIn(fields, 'status') ?? 'Trading'
  const markets = status === 'Trading' ? chosen(fields) : []
  if (category === 'spot') return { category, list: markets.map(formatInstrument) }
  const limit = limitIn(fields, MAX_INSTRUMENTS, 500)
  const page = pageOf(markets, limit, textIn(fields, 'cursor'), (market) => market.symbol)
  return { category, list: page.rows.map(formatInstrument), nextPageCursor: page.next }
}

function tickers({ fields, exchange, venueNow }: PublicCall) {
  const list = chosen(fields).map((market) =>
    formatTicker(market, exchange.quotes.of(market.id), exchange.quotes.depth(market.id), venueNow),
  )
  return { category: categoryIn(fields), list }
}

function orderbook({ fields, exchange, venueNow }: PublicCall) {
  const category = tradedCategoryIn(fields)
  const market = marketNamed(category, textIn(fields, 'symbol'))
  const levels = limitIn(fields, category === 'spot' ? 200 : 500, category === 'spot' ? 1 : 25)
  const book = formatBook(market, exchange.quotes.depth(market.id), levels, Math.floor(venueNow))
  return { ...book, ts: venueNow, cts: venueNow }
}

function recentTrades({ fields, tape }: PublicCall) {
  const category = tradedCategoryIn(fields)
  const market = marketNamed(category, textIn(fields, 'symbol'))
  const limit = limitIn(fields, category === 'spot' ? 60 : 1_000, category === 'spot' ? 60 : 500)
  const list = tape.of(market.id).slice(0, limit)
  return { category, list: list.map((trade) => formatTrade(market, trade)) }
}

const MINUTE_MS = 60_000
const INTERVALS: Readonly<Record<string, number>> = {
  '1': MINUTE_MS,
  '3': 3 * MINUTE_MS,
  '5': 5 * MINUTE_MS,
  '15': 15 * MINUTE_MS,
  '30': 30 * MINUTE_MS,
  '60': 60 * MINUTE_MS,
  '120': 120 * MINUTE_MS,
  '240': 240 * MINUTE_MS,
  '360': 360 * MINUTE_MS,
  '720': 720 * MINUTE_MS,
  D: 1_440 * MINUTE_MS,
  W: 10_080 * MINUTE_MS,
  M: 43_200 * MINUTE_MS,
}

// When each candle of the span begins, newest first. The exchange keeps no past prices: every candle is the present one.
function candleTimes(fields: Fields, now: number): number[] {
  const lengthMs = INTERVALS[requiredIn(fields, 'interval')]
  if (lengthMs === undefined) throw paramsError('interval')
  const limit = limitIn(fields, 1_000, 200)
  const end = Math.min(wholeIn(fields, 'end') ?? now, now)
  const start = wholeIn(fields, 'start') ?? 0
  const newest = end - (end % lengthMs)
  return Array.from({ length: limit }, (_, index) => newest - index * lengthMs).filter((at) => at >= start)
}

function candles({ fields, exchange, venueNow }: PublicCall) {
  const category = tradedCategoryIn(fields)
  const market = marketNamed(category, textIn(fields, 'symbol'))
  const last = priceText(market, exchange.quotes.of(market.id).last)
  const list = candleTimes(fields, venueNow).map((at) => [String(at), last, last, last, last, '0', '0'])
  return { category, symbol: market.symbol, list }
}

function markCandles(source: 'mark' | 'index') {
  return ({ fields, exchange, venueNow }: PublicCall) => {
    const category = tradedCategoryIn(fields)
    const market = marketNamed(category, textIn(fields, 'symbol'))
    const price = markText(market, exchange.quotes.of(market.id)[source])
    const list = candleTimes(fields, venueNow).map((at) => [String(at), price, price, price, price])
    return { category, symbol: market.symbol, list }
  }
}

function fundingHistory({ fields }: PublicCall) {
  const category = choiceIn(fields, 'category', ['linear', 'inverse'])
  if (category === undefined) throw paramsError('category')
  if (category === 'linear') marketNamed(category, textIn(fields, 'symbol'))
  return { category, list: [] }
}

function riskLimits({ fields }: PublicCall) {
  const category = choiceIn(fields, 'category', ['linear', 'inverse'])
  if (category === undefined) throw paramsError('category')
  const page = pageOf(chosen(fields), 15, textIn(fields, 'cursor'), (market) => market.symbol)
  return { category, list: page.rows.flatMap(formatRiskLimits), nextPageCursor: page.next }
}

function priceLimits({ fields, exchange, venueNow }: PublicCall) {
  const market = marketNamed(tradedCategoryIn(fields), textIn(fields, 'symbol'))
  const quote = exchange.quotes.of(market.id)
  const base = market.kind === 'spot' ? finePrice(market, quote.last) : quote.mark
  const limit = (parts: bigint) => formatFixed((base * parts) / 10_000n, VALUE_SCALE)
  return {
    symbol: market.symbol,
    buyLmt: limit(10_000n + market.band.up),
    sellLmt: limit(10_000n - market.band.down),
    ts: String(venueNow),
  }
}

/** Routes of public data. */
export const marketRoutes: ReadonlyArray<readonly [string, Route]> = [
  ['GET /v5/market/time', open(time)],
  ['GET /v5/market/instruments-info', open(instruments)],
  ['GET /v5/market/tickers', open(tickers)],
  ['GET /v5/market/orderbook', open(orderbook)],
  ['GET /v5/market/recent-trade', open(recentTrades)],
  ['GET /v5/market/kline', open(candles)],
  ['GET /v5/market/mark-price-kline', open(markCandles('mark'))],
  ['GET /v5/market/index-price-kline', open(markCandles('index'))],
  ['GET /v5/market/funding/history', open(fundingHistory)],
  ['GET /v5/market/risk-limit', open(riskLimits)],
  ['GET /v5/market/price-limit', open(priceLimits)],
]
