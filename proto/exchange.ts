import { z } from 'zod'

/** The venue family a bot trades on, as the form offers it. */
export const Exchange = z.enum(['bybit', 'binance', 'okx', 'paper'])
export type Exchange = z.infer<typeof Exchange>

/** The market of a bot; Binance says `futures_usdt` where the others say `futures`. */
export const MarketType = z.enum(['futures', 'futures_usdt', 'spot'])
export type MarketType = z.infer<typeof MarketType>

/** Exchange and market in one word, as executions carry it. */
export const ExchangeMarket = z.enum([
  'bybit',
  'bybit_spot',
  'binance_futures_usdt',
  'binance_spot',
  'okx',
  'okx_spot',
  'paper_futures',
  'paper_spot',
])
export type ExchangeMarket = z.infer<typeof ExchangeMarket>

const marketsOf = {
  bybit: { futures: 'bybit', spot: 'bybit_spot' },
  binance: { futures_usdt: 'binance_futures_usdt', spot: 'binance_spot' },
  okx: { futures: 'okx', spot: 'okx_spot' },
  paper: { futures: 'paper_futures', spot: 'paper_spot' },
} as const satisfies Record<Exchange, Partial<Record<MarketType, ExchangeMarket>>>

/** The combined word for an exchange and its market, or undefined where the exchange has no such market. */
export function exchangeMarketOf(exchange: Exchange, marketType: MarketType): ExchangeMarket | undefined {
  const markets: Partial<Record<MarketType, ExchangeMarket>> = marketsOf[exchange]
  return markets[marketType]
}

/**
 * True where accounts may sign by RSA keys of their own: Bybit ("Create API Key" of its documentation has them).
 * Requests to Binance, and to a server that speaks its protocol, are signed by HMAC alone.
 */
export function takesPrivateKeys(exchange: Exchange): boolean {
  return exchange === 'bybit'
}

/** True where accounts sign with a passphrase besides: OKX ("Making Requests" of its documentation, 2026-06). */
export function takesPassphrase(exchange: Exchange): boolean {
  return exchange === 'okx'
}
