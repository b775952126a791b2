import type { ExchangeMarket } from './exchange.ts'

/** Each exchange and market as people read it. */
export const exchangeMarketNames: Readonly<Record<ExchangeMarket, string>> = {
  bybit: 'ByBit Futures',
  bybit_spot: 'ByBit Spot',
  binance_futures_usdt: 'Binance Futures',
  binance_spot: 'Binance Spot',
  okx: 'OKX',
  okx_spot: 'OKX Spot',
  paper_futures: 'Paper Futures',
  paper_spot: 'Paper Spot',
}
