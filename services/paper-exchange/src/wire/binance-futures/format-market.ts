import { MAX_OPEN_ORDERS } from '../../domain/filter.ts'
import { divideRounded, formatFixed, formatTrimmed, power } from '../../domain/fixed.ts'
import { type Bracket, MARKETS, type Market, VALUE_SCALE } from '../../domain/market.ts'
import type { Quote } from '../../domain/quote.ts'

const RATE_LIMITS = [
  { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 2400 },
  { rateLimitType: 'ORDERS', interval: 'MINUTE', intervalNum: 1, limit: 1200 },
  { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 300 },
]

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
const FUNDING_MS = 28_800_000

/** Everything the venue says of its markets (`/fapi/v1/exchangeInfo`). */
export function formatExchangeInfo(now: number) {
  return {
    timezone: 'UTC',
    serverTime: now,
    futuresType: 'U_MARGINED',
    rateLimits: RATE_LIMITS,
    exchangeFilters: [],
    assets: [{ asset: 'USDT', marginAvailable: true, autoAssetExchange: '-10000' }],
    symbols: MARKETS.map(formatSymbol),
  }
}

function formatSymbol(market: Market) {
  return {
    symbol: market.symbol,
    pair: market.symbol,
    contractType: 'PERPETUAL',
    deliveryDate: NEVER_DELIVERED,
    onboardDate: market.onboardedAt,
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
    underlyingSubType: [market.kind],
    triggerProtect: '0.0500',
    liquidationFee: market.liquidationFee,
    marketTakeBound: '0.05',
    maxMoveOrderLimit: 10000,
    filters: filtersOf(market),
    orderTypes: ORDER_TYPES,
    timeInForce: ['GTC', 'IOC', 'FOK', 'GTX'],
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
    { filterType: 'MAX_NUM_ORDERS', limit: MAX_OPEN_ORDERS },
    { filterType: 'MAX_NUM_ALGO_ORDERS', limit: 10 },
    { filterType: 'MIN_NOTIONAL', notional: formatTrimmed(market.minNotional, VALUE_SCALE) },
    {
      filterType: 'PERCENT_PRICE',
      multiplierUp: formatFixed(10_000n + market.priceBand, 4),
      multiplierDown: formatFixed(10_000n - market.priceBand, 4),
      multiplierDecimal: '4',
    },
  ]
}

/** Best bid and ask; the depth behind them has no end here, so the quantities are the largest order. */
export function formatBookTicker(market: Market, quote: Quote, now: number) {
  const depth = formatFixed(market.maxQuantity, market.quantityPrecision)
  return {
    symbol: market.symbol,
    bidPrice: formatFixed(quote.bid, market.pricePrecision),
    bidQty: depth,
    askPrice: formatFixed(quote.ask, market.pricePrecision),
    askQty: depth,
    time: now,
    lastUpdateId: now,
  }
}

// Prices move only when somebody pins them, so the last price is the middle of the quote on the tick below.
function lastPrice(market: Market, quote: Quote): bigint {
  const middle = (quote.bid + quote.ask) / 2n
  return middle - (middle % market.tick)
}

/** The last price (`/fapi/v1/ticker/price`). */
export function formatPriceTicker(market: Market, quote: Quote, now: number) {
  return {
    symbol: market.symbol,
    price: formatFixed(lastPrice(market, quote), market.pricePrecision),
    time: now,
  }
}

/** The day: it opened at the market's own price, and nobody else trades here. */
export function formatDayTicker(market: Market, quote: Quote, now: number) {
  const last = lastPrice(market, quote)
  const open = (market.bid + market.ask) / 2n
  const price = (value: bigint) => formatFixed(value, market.pricePrecision)
  return {
    symbol: market.symbol,
    priceChange: price(last - open),
    priceChangePercent: formatFixed(divideRounded((last - open) * 100_000n, open), 3),
    weightedAvgPrice: price(last),
    lastPrice: price(last),
    lastQty: formatFixed(market.minQuantity, market.quantityPrecision),
    openPrice: price(open),
    highPrice: price(last > open ? last : open),
    lowPrice: price(last < open ? last : open),
    volume: formatFixed(0n, market.quantityPrecision),
    quoteVolume: '0.00',
    openTime: now - DAY_MS,
    closeTime: now,
    firstId: 0,
    lastId: 0,
    count: 0,
  }
}

/** Mark and index price with the funding (`/fapi/v1/premiumIndex`). */
export function formatPremiumIndex(market: Market, quote: Quote, now: number) {
  return {
    symbol: market.symbol,
    markPrice: formatFixed(quote.mark, VALUE_SCALE),
    indexPrice: formatFixed(quote.index, VALUE_SCALE),
    estimatedSettlePrice: formatFixed(quote.index, VALUE_SCALE),
    lastFundingRate: '0.00010000',
    interestRate: '0.00010000',
    nextFundingTime: now - (now % FUNDING_MS) + FUNDING_MS,
    time: now,
  }
}

/** The brackets of a market; the venue prints them as numbers. */
export function formatBrackets(market: Market) {
  return { symbol: market.symbol, brackets: market.brackets.map(formatBracket) }
}

function formatBracket({ leverage, floor, cap, maintenance, deduction }: Bracket, index: number) {
  return {
    bracket: index + 1,
    initialLeverage: leverage,
    notionalCap: wholeNumber(cap),
    notionalFloor: wholeNumber(floor),
    maintMarginRatio: Number(maintenance) / 10_000,
    cum: wholeNumber(deduction),
  }
}

function wholeNumber(value: bigint): number {
  return Number(value / power(VALUE_SCALE))
}
