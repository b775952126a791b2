/** How exchanges are called, by the word for exchange and market that executions carry. */
const names: Record<string, string> = {
  bybit: 'ByBit Futures',
  bybit_spot: 'ByBit Spot',
  binance_futures_usdt: 'Binance Futures',
  binance_spot: 'Binance Spot',
  binance_futures_coin: 'Binance COIN-M',
  okx: 'OKX',
  paper_futures: 'Paper Futures',
  paper_spot: 'Paper Spot',
}

/** The name of an exchange and its market for a person; an unknown one as it is written. */
export function exchangeName(exchange: string): string {
  return names[exchange] ?? exchange
}
