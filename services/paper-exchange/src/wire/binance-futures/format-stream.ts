import { divideRounded, formatFixed } from '../../domain/fixed.ts'
import { nextFunding } from '../../domain/funding.ts'
import { VALUE_SCALE } from '../../domain/market.ts'
import type { Fill, Order } from '../../domain/order.ts'
import type { Level } from '../../domain/quote.ts'
import { formatCandles } from './candles.ts'
import { formatLevels, type MarketView, meanPrice, rateText, statsOf } from './format-market.ts'
import { averagePrice, statusText } from './format-order.ts'
import type { Trade } from './tape.ts'

const priceText = ({ market }: MarketView, value: bigint): string => formatFixed(value, market.pricePrecision)
const quantityText = ({ market }: MarketView, value: bigint): string =>
  formatFixed(value, market.quantityPrecision)

/** Best bid and ask with what may be had of them. */
export function bookTickerFrame(view: MarketView) {
  const { market, bids, asks, quote, updateId, now } = view
  return {
    e: 'bookTicker',
    u: updateId,
    s: market.symbol,
    b: priceText(view, bids[0]?.price ?? quote.bid),
    B: quantityText(view, bids[0]?.quantity ?? 0n),
    a: priceText(view, asks[0]?.price ?? quote.ask),
    A: quantityText(view, asks[0]?.quantity ?? 0n),
    T: now,
    E: now,
  }
}

/** Mark and index price. */
export function markPriceFrame({ market, quote, now }: MarketView) {
  return {
    e: 'markPriceUpdate',
    E: now,
    s: market.symbol,
    p: formatFixed(quote.mark, VALUE_SCALE),
    ap: formatFixed(quote.mark, VALUE_SCALE),
    P: formatFixed(quote.index, VALUE_SCALE),
    i: formatFixed(quote.index, VALUE_SCALE),
    r: rateText(quote.fundingRate),
    T: nextFunding(now),
  }
}

/** A trade with what its taker took at one price. */
export function aggTradeFrame(view: MarketView, { id, price, quantity, takerSide, at }: Trade) {
  return {
    e: 'aggTrade',
    E: view.now,
    a: id,
    s: view.market.symbol,
    p: priceText(view, price),
    q: quantityText(view, quantity),
    nq: quantityText(view, quantity),
    f: id,
    l: id,
    T: at,
    m: takerSide === 'sell',
  }
}

/** A trade. */
export function tradeFrame(view: MarketView, { id, price, quantity, takerSide, at }: Trade) {
  return {
    e: 'trade',
    E: view.now,
    T: at,
    s: view.market.symbol,
    t: id,
    p: priceText(view, price),
    q: quantityText(view, quantity),
    X: 'MARKET',
    m: takerSide === 'sell',
  }
}

/** The day of a market. */
export function tickerFrame(view: MarketView) {
  const { market, quote, now } = view
  const { open, high, low, volume, value, recent } = statsOf(view)
  const change = quote.last - open
  return {
    e: '24hrTicker',
    E: now,
    s: market.symbol,
    p: priceText(view, change),
    P: formatFixed(divideRounded(change * 100_000n, open), 3),
    w: priceText(view, meanPrice(market, value, volume) ?? quote.last),
    c: priceText(view, quote.last),
    Q: quantityText(view, recent.at(-1)?.quantity ?? market.minQuantity),
    o: priceText(view, open),
    h: priceText(view, high),
    l: priceText(view, low),
    v: quantityText(view, volume),
    q: formatFixed(value / 1_000_000n, 2),
    O: now - 86_400_000,
    C: now,
    F: recent[0]?.id ?? 0,
    L: recent.at(-1)?.id ?? 0,
    n: recent.length,
  }
}

/** The same in short. */
export function miniTickerFrame(view: MarketView) {
  const { E, s, c, o, h, l, v, q } = tickerFrame(view)
  return { e: '24hrMiniTicker', E, s, c, o, h, l, v, q }
}

/** A change of the book, or its best levels: from which state to which, and the levels with what they hold now. */
export function depthFrame(
  view: MarketView,
  before: number,
  { bids, asks }: Readonly<{ bids: readonly Level[]; asks: readonly Level[] }>,
) {
  return {
    e: 'depthUpdate',
    E: view.now,
    T: view.now,
    s: view.market.symbol,
    U: before + 1,
    u: view.updateId,
    pu: before,
    b: formatLevels(view, bids),
    a: formatLevels(view, asks),
  }
}

/** The candle that is under way. */
export function klineFrame(view: MarketView, interval: string) {
  const params = new Map([
    ['interval', interval],
    ['limit', '1'],
  ])
  const [candle] = formatCandles(view, params)
  const [t, o, h, l, c, v, T, q, n, V, Q] = Array.isArray(candle) ? candle : []
  const { symbol } = view.market
  const ids = { f: view.trades[0]?.id ?? -1, L: view.trades.at(-1)?.id ?? -1 }
  const k = { t, T, s: symbol, i: interval, ...ids, o, c, h, l, v, n, x: false, q, V, Q, B: '0' }
  return { e: 'kline', E: view.now, s: symbol, k }
}

/** A position that was closed because its margin ran out. */
export function forceOrderFrame(view: MarketView, order: Order, fill: Fill) {
  const o = {
    s: view.market.symbol,
    S: order.side.toUpperCase(),
    o: order.type.toUpperCase(),
    f: 'IOC',
    q: quantityText(view, order.quantity),
    p: priceText(view, fill.price),
    ap: averagePrice(view.market, order),
    X: statusText(order),
    l: quantityText(view, fill.quantity),
    z: quantityText(view, order.filled),
    T: fill.at,
  }
  return { e: 'forceOrder', E: view.now, o }
}
