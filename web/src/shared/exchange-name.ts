/** Every exchange and market, by the word that executions carry. */
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

// What no bot can trade yet no execution can have.
const comingSoon = ['binance_futures_coin', 'okx']

/** The exchanges that executions can be of, with their names. */
export const exchangeNames = Object.entries(names)
  .filter(([value]) => !comingSoon.includes(value))
  .map(([value, name]) => ({ value, name }))

/** The name of an exchange and its market for a person; an unknown one as it is written. */
export function exchangeName(exchange: string): string {
  return names[exchange] ?? exchange
}
