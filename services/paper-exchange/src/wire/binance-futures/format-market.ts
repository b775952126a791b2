import { divideRounded, formatFixed, formatTrimmed, larger, smaller } from '../../domain/fixed.ts'
import { nextFunding, RATE_SCALE } from '../../domain/funding.ts'
import { type Market, marketsOf, VALUE_SCALE, valueAt } from '../../domain/market.ts'
import type { Level, Quote } from '../../domain/quote.ts'
import type { Usage } from '../binance/usage.ts'
import { listingOf } from './catalogue.ts'
import type { Trade } from './tape.ts'

const ORDER_TYPES = [
  'LIMIT',
  'MARKET',
  'STOP',
  'STOP_MARKET',
  'TAKE_PROFIT',
  'TAKE_PROFIT_MARKET',
  'TRAILING_STOP_MARKET',
]
const NEVER_DELIVERED = 4133404800000
const DAY_MS = 86_400_000

/** Everything the venue says of its markets (`/fapi/v1/exchangeInfo`). */
export function formatExchangeInfo(usage: Usage, now: number) {
  return {
    timezone: 'UTC',
    serverTime: now,
    futuresType: 'U_MARGINED',
    // A venue without limits says so; what it counts all the same binds nobody.
    rateLimits: usage.isEnforced ? formatLimits(usage) : [],
    exchangeFilters: [],
    assets: [{ asset: 'USDT', marginAvailable: true, autoAssetExchange: '-10000' }],
    symbols: marketsOf('binance-futures').map(formatSymbol),
  }
}

// The venue names the minute's orders before those of ten seconds.
function formatLimits({ limits: { weight, orders }, isPerAccount }: Usage) {
  const weights = {
    rateLimitType: 'REQUEST_WEIGHT',
    interval: 'MINUTE',
    intervalNum: 1,
    limit: weight,
    ...(isPerAccount && { per: 'ACCOUNT' }),
  }
  const counts = orders.map(({ interval, intervalNum, limit }) => ({
    rateLimitType: 'ORDERS',
    interval,
    intervalNum,
    limit,
  }))
  return [weights, ...counts.reverse()]
}

function formatSymbol(market: Market) {
  const { onboardedAt, sector } = listingOf(market)
  return {
    symbol: market.symbol,
    pair: market.symbol,
    contractType: 'PERPETUAL',
    deliveryDate: NEVER_DELIVERED,
    onboardDate: onboardedAt,
    status: 'TRADING',
    maintMarginPercent: '2.5000',
    requiredMarginPercent: '5.0000',
    baseAsset: market.base,
    quoteAsset: market.quote,
    marginAsset: market.quote,
    pricePrecision: market.pricePrecision,
    quantityPrecision: market.quantityPrecision,
    baseAssetPrecision: 8,
    quotePrecision: 8,
    underlyingType: 'COIN',
    underlyingSubType: [sector],
    triggerProtect: '0.0500',
    liquidationFee: formatFixed(market.liquidationFee, 6),
    marketTakeBound: '0.05',
    maxMoveOrderLimit: 10000,
    filters: filtersOf(market),
    orderTypes: ORDER_TYPES,
    timeInForce: ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'],
  }
}

function filtersOf(market: Market) {
  const price = (value: bigint) => formatFixed(value, market.pricePrecision)
  const quantity = (value: bigint) => formatTrimmed(value, market.quantityPrecision)
  const lot = { minQty: quantity(market.minQuantity), stepSize: quantity(market.step) }
  return [
    {
      filterType: 'PRICE_FILTER',
      minPrice: price(market.minPrice),
      maxPrice: formatTrimmed(market.maxPrice, market.pricePrecision),
      tickSize: price(market.tick),
    },
    { filterType: 'LOT_SIZE', ...lot, maxQty: quantity(market.maxQuantity) },
    { filterType: 'MARKET_LOT_SIZE', ...lot, maxQty: quantity(market.maxMarketQuantity) },
    { filterType: 'MAX_NUM_ORDERS', limit: market.maxOrders },
    { filterType: 'MIN_NOTIONAL', notional: formatTrimmed(market.minNotional, VALUE_SCALE) },
    {
      filterType: 'PERCENT_PRICE',
      multiplierUp: formatFixed(10_000n + market.band.up, 4),
      multiplierDown: formatFixed(10_000n - market.band.down, 4),
      multiplierDecimal: '4',
    },
  ]
}

/** A market at one moment with everything that is needed to print it. */
export type MarketView = Readonly<{
  market: Market
  quote: Quote
  bids: readonly Level[]
  asks: readonly Level[]
  trades: readonly Trade[]
  updateId: number
  now: number
}>

function priceText({ market }: Pick<MarketView, 'market'>, value: bigint): string {
  return formatFixed(value, market.pricePrecision)
}

function quantityText({ market }: Pick<MarketView, 'market'>, value: bigint): string {
  return formatFixed(value, market.quantityPrecision)
}

/** Best bid and ask with what may be had of them. */
export function formatBookTicker(view: MarketView) {
  const { market, quote, bids, asks, updateId, now } = view
  return {
    symbol: market.symbol,
    bidPrice: priceText(view, bids[0]?.price ?? quote.bid),
    bidQty: quantityText(view, bids[0]?.quantity ?? 0n),
    askPrice: priceText(view, asks[0]?.price ?? quote.ask),
    askQty: quantityText(view, asks[0]?.quantity ?? 0n),
    time: now,
    lastUpdateId: updateId,
  }
}

/** Levels of a side as price and quantity. */
export function formatLevels(view: Pick<MarketView, 'market'>, levels: readonly Level[]): [string, string][] {
  return levels.map(({ price, quantity }) => [priceText(view, price), quantityText(view, quantity)])
}

/** The book to a depth (`/fapi/v1/depth`). */
export function formatDepth(view: MarketView, limit: number) {
  return {
    lastUpdateId: view.updateId,
    E: view.now,
    T: view.now,
    bids: formatLevels(view, view.bids.slice(0, limit)),
    asks: formatLevels(view, view.asks.slice(0, limit)),
  }
}

/** The last price (`/fapi/v1/ticker/price`). */
export function formatPriceTicker(view: MarketView) {
  return { symbol: view.market.symbol, price: priceText(view, view.quote.last), time: view.now }
}

/** Returns a market's figures of the last day. The day opened at the market's first price. */
export function statsOf({ market, quote, trades, now }: MarketView) {
  const recent = trades.filter(({ at }) => at > now - DAY_MS)
  const open = recent.length < trades.length ? (recent[0]?.price ?? quote.last) : market.bid
  const prices = [open, quote.last, ...recent.map(({ price }) => price)]
  const value = recent.reduce((sum, { price, quantity }) => sum + valueAt(market, quantity, price), 0n)
  return {
    open,
    high: prices.reduce(larger),
    low: prices.reduce(smaller),
    volume: recent.reduce((sum, { quantity }) => sum + quantity, 0n),
    value,
    recent,
  }
}

/** The day of a market (`/fapi/v1/ticker/24hr`). */
export function formatDayTicker(view: MarketView) {
  const { market, quote, now } = view
  const { open, high, low, volume, value, recent } = statsOf(view)
  const change = quote.last - open
  return {
    symbol: market.symbol,
    priceChange: priceText(view, change),
    priceChangePercent: formatFixed(divideRounded(change * 100_000n, open), 3),
    weightedAvgPrice: priceText(view, meanPrice(view.market, value, volume) ?? quote.last),
    lastPrice: priceText(view, quote.last),
    lastQty: quantityText(view, recent.at(-1)?.quantity ?? market.minQuantity),
    openPrice: priceText(view, open),
    highPrice: priceText(view, high),
    lowPrice: priceText(view, low),
    volume: quantityText(view, volume),
    quoteVolume: formatFixed(value / 1_000_000n, 2),
    openTime: now - DAY_MS,
    closeTime: now,
    firstId: recent[0]?.id ?? 0,
    lastId: recent.at(-1)?.id ?? 0,
    count: recent.length,
  }
}

/** The mean price of so much for so much, or undefined where nothing was traded. */
export function meanPrice(market: Market, value: bigint, volume: bigint): bigint | undefined {
  const perUnit = valueAt(market, volume, 1n)
  return perUnit === 0n ? undefined : value / perUnit
}

/** A rate of funding. */
export function rateText(rate: bigint): string {
  return formatFixed(rate, RATE_SCALE)
}

/** Mark and index price with the funding (`/fapi/v1/premiumIndex`). */
export function formatPremiumIndex({ market, quote, now }: MarketView) {
  return {
    symbol: market.symbol,
    markPrice: formatFixed(quote.mark, VALUE_SCALE),
    indexPrice: formatFixed(quote.index, VALUE_SCALE),
    estimatedSettlePrice: formatFixed(quote.index, VALUE_SCALE),
    lastFundingRate: rateText(quote.fundingRate),
    interestRate: '0.00010000',
    nextFundingTime: nextFunding(now),
    time: now,
  }
}

/** A trade as everybody sees it (`/fapi/v1/trades`). */
export function formatPublicTrade(view: MarketView, { id, price, quantity, takerSide, at }: Trade) {
  const { market } = view
  return {
    id,
    price: priceText(view, price),
    qty: quantityText(view, quantity),
    quoteQty: formatFixed(valueAt(market, quantity, price) / 1_000_000n, 2),
    time: at,
    isBuyerMaker: takerSide === 'sell',
    isRPITrade: false,
  }
}

/** The same in short (`/fapi/v1/aggTrades`). */
export function formatAggregate(view: MarketView, { id, price, quantity, takerSide, at }: Trade) {
  return {
    a: id,
    p: priceText(view, price),
    q: quantityText(view, quantity),
    f: id,
    l: id,
    T: at,
    m: takerSide === 'sell',
  }
}
