import { formatFixed, power } from '../../domain/fixed.ts'
import { type Market, VALUE_SCALE } from '../../domain/market.ts'
import type { Level, Quote } from '../../domain/quote.ts'
import type { Usage } from '../binance/usage.ts'
import { priceText, quantityText, valueText } from './format-order.ts'
import { MAX_NOTIONAL, MAX_TRAILING_BIPS, MIN_TRAILING_BIPS, ORDER_TYPES } from './read-order.ts'
import { type Candle, joined, type Printed, type Tape } from './tape.ts'

/** Lists of orders that may be open in one market for one account at a time. */
export const MAX_ORDER_LISTS = 20

const DAY_MS = 86_400_000

/** A side of a market that a quote names: the best levels of the book. */
export type Book = Readonly<{ bids: readonly Level[]; asks: readonly Level[] }>

/** The rules of the venue and of these markets. */
export function formatExchangeInfo(markets: readonly Market[], usage: Usage, now: number) {
  return {
    timezone: 'UTC',
    serverTime: now,
    // A venue without limits says so; what it counts all the same binds nobody.
    rateLimits: usage.isEnforced ? formatLimits(usage) : [],
    exchangeFilters: [],
    symbols: markets.map(formatSymbol),
  }
}

function formatLimits({ limits: { weight, orders }, isPerAccount }: Usage) {
  const per = isPerAccount ? { per: 'ACCOUNT' } : {}
  return [
    { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: weight, ...per },
    ...orders.map(({ interval, intervalNum, limit }) => ({
      rateLimitType: 'ORDERS',
      interval,
      intervalNum,
      limit,
    })),
  ]
}

function formatSymbol(market: Market) {
  return {
    symbol: market.symbol,
    status: 'TRADING',
    baseAsset: market.base,
    baseAssetPrecision: 8,
    quoteAsset: market.quote,
    quotePrecision: 8,
    quoteAssetPrecision: 8,
    baseCommissionPrecision: 8,
    quoteCommissionPrecision: 8,
    orderTypes: ORDER_TYPES,
    icebergAllowed: false,
    ocoAllowed: true,
    otoAllowed: false,
    opoAllowed: false,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: true,
    cancelReplaceAllowed: true,
    amendAllowed: false,
    pegInstructionsAllowed: false,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: formatFilters(market),
    permissions: [],
    permissionSets: [['SPOT']],
    defaultSelfTradePreventionMode: 'EXPIRE_MAKER',
    allowedSelfTradePreventionModes: ['EXPIRE_MAKER'],
  }
}

function formatFilters(market: Market) {
  const price = (value: bigint) => priceText(market, value)
  const quantity = (value: bigint) => quantityText(market, value)
  const { minPrice, maxPrice, tick, minQuantity, maxQuantity, step, maxMarketQuantity } = market
  const none = quantity(0n)
  return [
    {
      filterType: 'PRICE_FILTER',
      minPrice: price(minPrice),
      maxPrice: price(maxPrice),
      tickSize: price(tick),
    },
    {
      filterType: 'LOT_SIZE',
      minQty: quantity(minQuantity),
      maxQty: quantity(maxQuantity),
      stepSize: quantity(step),
    },
    { filterType: 'ICEBERG_PARTS', limit: 10 },
    { filterType: 'MARKET_LOT_SIZE', minQty: none, maxQty: quantity(maxMarketQuantity), stepSize: none },
    TRAILING_DELTA,
    formatBand(market),
    {
      filterType: 'NOTIONAL',
      minNotional: valueText(market.minNotional),
      applyMinToMarket: true,
      maxNotional: valueText(MAX_NOTIONAL),
      applyMaxToMarket: false,
      avgPriceMins: 5,
    },
    { filterType: 'MAX_NUM_ORDERS', maxNumOrders: market.maxOrders },
    { filterType: 'MAX_NUM_ORDER_LISTS', maxNumOrderLists: MAX_ORDER_LISTS },
    { filterType: 'MAX_NUM_ALGO_ORDERS', maxNumAlgoOrders: market.maxConditionalOrders },
    { filterType: 'MAX_NUM_ORDER_AMENDS', maxNumOrderAmends: 10 },
  ]
}

const TRAILING_DELTA = {
  filterType: 'TRAILING_DELTA',
  minTrailingAboveDelta: MIN_TRAILING_BIPS,
  maxTrailingAboveDelta: MAX_TRAILING_BIPS,
  minTrailingBelowDelta: MIN_TRAILING_BIPS,
  maxTrailingBelowDelta: MAX_TRAILING_BIPS,
}

function formatBand({ band }: Market) {
  const [up, down] = [times(10_000n + band.up), times(10_000n - band.down)]
  return {
    filterType: 'PERCENT_PRICE_BY_SIDE',
    bidMultiplierUp: up,
    bidMultiplierDown: down,
    askMultiplierUp: up,
    askMultiplierDown: down,
    avgPriceMins: 5,
  }
}

function times(tenThousandths: bigint): string {
  const text = formatFixed(tenThousandths, 4).replace(/0+$/, '')
  return text.endsWith('.') ? text.slice(0, -1) : text
}

/** The best prices and what may be had of them. */
export function formatBookTicker(market: Market, { bids, asks }: Book) {
  const [bid, ask] = [bids[0], asks[0]]
  return {
    symbol: market.symbol,
    bidPrice: priceText(market, bid?.price ?? 0n),
    bidQty: quantityText(market, bid?.quantity ?? 0n),
    askPrice: priceText(market, ask?.price ?? 0n),
    askQty: quantityText(market, ask?.quantity ?? 0n),
  }
}

/** Levels as the venue writes them. */
export function formatLevels(market: Market, levels: readonly Level[]): [price: string, quantity: string][] {
  return levels.map(({ price, quantity }) => [priceText(market, price), quantityText(market, quantity)])
}

/** A market's figures of the last day. */
export type Day = Readonly<{ candle: Candle; from: number; to: number; firstId: number; lastId: number }>

/** The last day of a market; since the exchange started where that is shorter. */
export function dayOf(market: Market, tape: Tape, quote: Quote, now: number): Day {
  const from = now - DAY_MS
  const minutes = tape.minutes(market.id).filter((minute) => minute.from >= from)
  const [firstTrade, lastTrade] = [tape.trades(market.id)[0], tape.trades(market.id).at(-1)]
  const { last } = quote
  const still = { from, high: last, low: last, close: last, volume: 0n, value: 0n, count: 0 }
  const candle = minutes.reduce(joined, { ...still, open: minutes[0]?.open ?? last })
  return {
    candle: { ...candle, close: last },
    from,
    to: now,
    firstId: firstTrade?.id ?? -1,
    lastId: lastTrade?.id ?? -1,
  }
}

/** The change of a day, absolute and in percent, and its average price, as texts. */
export function changeOf(market: Market, { candle }: Day) {
  const { open, close, value, volume } = candle
  const percent = open === 0n ? 0n : ((close - open) * 100_000n) / open
  const average =
    volume === 0n
      ? close
      : value / (volume * power(VALUE_SCALE - market.pricePrecision - market.quantityPrecision))
  return {
    change: priceText(market, close - open),
    percent: formatFixed(percent, 3),
    average: priceText(market, average),
  }
}

/** The last day and the best prices of a market. */
export function formatDayTicker(market: Market, day: Day, book: Book) {
  const { change, percent, average } = changeOf(market, day)
  const { symbol, ...best } = formatBookTicker(market, book)
  return {
    symbol,
    priceChange: change,
    priceChangePercent: percent,
    weightedAvgPrice: average,
    prevClosePrice: priceText(market, day.candle.open),
    lastPrice: priceText(market, day.candle.close),
    lastQty: quantityText(market, 0n),
    ...best,
    ...formatSpan(market, day),
  }
}

/** The last day of a market without what follows from it. */
export function formatMiniTicker(market: Market, day: Day) {
  return { symbol: market.symbol, lastPrice: priceText(market, day.candle.close), ...formatSpan(market, day) }
}

function formatSpan(market: Market, { candle, from, to, firstId, lastId }: Day) {
  return {
    openPrice: priceText(market, candle.open),
    highPrice: priceText(market, candle.high),
    lowPrice: priceText(market, candle.low),
    volume: quantityText(market, candle.volume),
    quoteVolume: valueText(candle.value),
    openTime: from,
    closeTime: to,
    firstId,
    lastId,
    count: candle.count,
  }
}

/** A trade as anybody sees it. */
export function formatPrinted(market: Market, { id, price, quantity, at, buyerIsMaker }: Printed) {
  return {
    id,
    price: priceText(market, price),
    qty: quantityText(market, quantity),
    quoteQty: valueText(
      price * quantity * power(VALUE_SCALE - market.pricePrecision - market.quantityPrecision),
    ),
    time: at,
    isBuyerMaker: buyerIsMaker,
    isBestMatch: true,
  }
}

/** A trade as an aggregate of trades, of which it is the only one. */
export function formatAggregate(market: Market, { id, price, quantity, at, buyerIsMaker }: Printed) {
  return {
    a: id,
    p: priceText(market, price),
    q: quantityText(market, quantity),
    f: id,
    l: id,
    T: at,
    m: buyerIsMaker,
    M: true,
  }
}

/** A candle as a row of the venue's. */
export function formatCandle(market: Market, candle: Candle, lengthMs: number) {
  return [
    candle.from,
    priceText(market, candle.open),
    priceText(market, candle.high),
    priceText(market, candle.low),
    priceText(market, candle.close),
    quantityText(market, candle.volume),
    candle.from + lengthMs - 1,
    valueText(candle.value),
    candle.count,
    quantityText(market, 0n),
    valueText(0n),
    '0',
  ]
}
