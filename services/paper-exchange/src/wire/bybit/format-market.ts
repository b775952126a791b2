import type { Bracket } from '../../domain/bracket.ts'
import { divideRounded, formatFixed, formatTrimmed, power } from '../../domain/fixed.ts'
import { FUNDING_HOURS, nextFunding, RATE_SCALE } from '../../domain/funding.ts'
import { type Market, VALUE_SCALE } from '../../domain/market.ts'
import type { Level, Quote } from '../../domain/quote.ts'
import { digitsOf, uuidOf } from './ids.ts'
import type { PublicTrade } from './tape.ts'

/** Both sides of a book, best first. */
export type Depth = Readonly<{ bids: readonly Level[]; asks: readonly Level[] }>

const LAUNCHED_AT = '1585526400000'

/** A price of the market as the venue writes it. */
export function priceText(market: Market, price: bigint): string {
  return formatFixed(price, market.pricePrecision)
}

/** A quantity of the market as the venue writes it. */
export function quantityText(market: Market, quantity: bigint): string {
  return formatFixed(quantity, market.quantityPrecision)
}

/** A mark or index price, which has eight places, as the venue writes it. */
export function markText(market: Market, fine: bigint): string {
  const places = VALUE_SCALE - market.pricePrecision
  return formatFixed(divideRounded(fine, power(places)), market.pricePrecision)
}

/** Everything the venue says of a market (`/v5/market/instruments-info`). */
export function formatInstrument(market: Market) {
  return market.kind === 'spot' ? formatSpot(market) : formatLinear(market)
}

function formatSpot(market: Market) {
  const quantity = (value: bigint) => formatTrimmed(value, market.quantityPrecision)
  return {
    symbol: market.symbol,
    baseCoin: market.base,
    quoteCoin: market.quote,
    innovation: '0',
    status: 'Trading',
    marginTrading: 'none',
    stTag: '0',
    lotSizeFilter: {
      basePrecision: quantity(market.step),
      quotePrecision: formatTrimmed(1n, VALUE_SCALE),
      minOrderQty: quantity(market.minQuantity),
      maxOrderQty: quantity(market.maxQuantity),
      minOrderAmt: formatTrimmed(market.minNotional, VALUE_SCALE),
      maxOrderAmt: '4000000',
      maxLimitOrderQty: quantity(market.maxQuantity),
      maxMarketOrderQty: quantity(market.maxMarketQuantity),
      postOnlyMaxLimitOrderSize: quantity(market.maxQuantity),
    },
    priceFilter: { tickSize: formatTrimmed(market.tick, market.pricePrecision) },
    riskParameters: riskParameters(market),
  }
}

function linearFilters(market: Market) {
  const quantity = (value: bigint) => formatTrimmed(value, market.quantityPrecision)
  const maxLeverage = `${market.brackets[0]?.leverage ?? 1}.00`
  return {
    leverageFilter: { minLeverage: '1', maxLeverage, leverageStep: '1' },
    priceFilter: {
      minPrice: priceText(market, market.minPrice),
      maxPrice: priceText(market, market.maxPrice),
      tickSize: priceText(market, market.tick),
    },
    lotSizeFilter: {
      maxOrderQty: quantity(market.maxQuantity),
      minOrderQty: quantity(market.minQuantity),
      qtyStep: quantity(market.step),
      postOnlyMaxOrderQty: quantity(market.maxQuantity),
      maxMktOrderQty: quantity(market.maxMarketQuantity),
      minNotionalValue: formatTrimmed(market.minNotional, VALUE_SCALE),
    },
  }
}

function formatLinear(market: Market) {
  return {
    symbol: market.symbol,
    contractType: 'LinearPerpetual',
    status: 'Trading',
    baseCoin: market.base,
    quoteCoin: market.quote,
    launchTime: LAUNCHED_AT,
    deliveryTime: '0',
    deliveryFeeRate: '',
    priceScale: String(market.pricePrecision),
    ...linearFilters(market),
    unifiedMarginTrade: true,
    fundingInterval: FUNDING_HOURS * 60,
    settleCoin: market.quote,
    copyTrading: 'none',
    upperFundingRate: '0.005',
    lowerFundingRate: '-0.005',
    isPreListing: false,
    preListingInfo: null,
    riskParameters: riskParameters(market),
    displayName: '',
  }
}

function riskParameters({ band }: Market) {
  return { priceLimitRatioX: formatTrimmed(band.up, 4), priceLimitRatioY: formatTrimmed(band.down, 4) }
}

/** A rate of funding. */
export function fundingRateText(rate: bigint): string {
  return formatTrimmed(rate, RATE_SCALE)
}

/** Returns a market's prices now (`/v5/market/tickers`). The past is taken to have been like the present. */
export function formatTicker(market: Market, quote: Quote, depth: Depth, now: number) {
  const last = priceText(market, quote.last)
  const shared = {
    symbol: market.symbol,
    bid1Price: priceText(market, quote.bid),
    bid1Size: quantityText(market, depth.bids[0]?.quantity ?? 0n),
    ask1Price: priceText(market, quote.ask),
    ask1Size: quantityText(market, depth.asks[0]?.quantity ?? 0n),
    lastPrice: last,
    prevPrice24h: last,
    price24hPcnt: '0',
    highPrice24h: last,
    lowPrice24h: last,
    turnover24h: '0',
    volume24h: '0',
  }
  if (market.kind === 'spot') return { ...shared, usdIndexPrice: markText(market, quote.index) }
  return {
    ...shared,
    prevPrice1h: last,
    indexPrice: markText(market, quote.index),
    markPrice: markText(market, quote.mark),
    openInterest: '0',
    openInterestValue: '0',
    fundingRate: fundingRateText(quote.fundingRate),
    nextFundingTime: String(nextFunding(now)),
    predictedDeliveryPrice: '',
    basisRate: '',
    deliveryFeeRate: '',
    deliveryTime: '0',
    basis: '',
    fundingIntervalHour: String(FUNDING_HOURS),
    fundingCap: '0.005',
  }
}

/** The book to a depth, `u` counting its changes. */
export function formatBook(market: Market, depth: Depth, levels: number, update: number) {
  const rows = (side: readonly Level[]) =>
    side
      .slice(0, levels)
      .map(({ price, quantity }) => [priceText(market, price), quantityText(market, quantity)] as const)
  return { s: market.symbol, b: rows(depth.bids), a: rows(depth.asks), u: update, seq: update }
}

/** A trade as everybody sees it (`/v5/market/recent-trade`). */
export function formatTrade(market: Market, { id, price, quantity, takerSide, at }: PublicTrade) {
  return {
    execId: market.kind === 'spot' ? digitsOf('fill', id) : uuidOf('fill', id),
    symbol: market.symbol,
    price: priceText(market, price),
    size: quantityText(market, quantity),
    side: takerSide === 'buy' ? 'Buy' : 'Sell',
    time: String(at),
    isBlockTrade: false,
    isRPITrade: false,
    seq: String(id),
  }
}

/** The risk tiers of a market (`/v5/market/risk-limit`). */
export function formatRiskLimits(market: Market) {
  return market.brackets.map((bracket, index) => formatTier(market, bracket, index))
}

function formatTier({ symbol }: Market, bracket: Bracket, index: number) {
  const initial = divideRounded(10_000n, BigInt(bracket.leverage))
  return {
    id: index + 1,
    symbol,
    riskLimitValue: formatTrimmed(bracket.cap, VALUE_SCALE),
    maintenanceMargin: formatTrimmed(bracket.maintenance, 4),
    initialMargin: formatTrimmed(initial, 4),
    isLowestRisk: index === 0 ? 1 : 0,
    maxLeverage: `${bracket.leverage}.00`,
    mmDeduction: formatTrimmed(bracket.deduction, VALUE_SCALE),
  }
}
