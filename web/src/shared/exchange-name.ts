import { exchangeMarketNames } from '@tripline/proto/exchange-market-names'

// Exchanges without bots yet are in no execution.
const comingSoon = { binance_futures_coin: 'Binance COIN-M' }

const names: Record<string, string> = { ...exchangeMarketNames, ...comingSoon }

/** The exchanges that executions can be of, with their names. */
export const exchangeNames = Object.entries(exchangeMarketNames).map(([value, name]) => ({ value, name }))

/** The name of an exchange and its market for a person; an unknown one as it is written. */
export function exchangeName(exchange: string): string {
  return names[exchange] ?? exchange
}
