import { exchangeMarketNames } from '@tripline/proto/exchange-market-names'
import { siteWord } from './site-word.ts'

// Exchanges without bots yet are in no execution.
const comingSoon = { binance_futures_coin: 'Binance COIN-M' }

const names: Record<string, string> = { ...exchangeMarketNames, ...comingSoon }

/** The exchanges that executions can be of, with their names; OKX where it is switched on. */
export function exchangeNames(): { value: string; name: string }[] {
  const isOkxOn = siteWord('okx') === 'on'
  const all = Object.entries(exchangeMarketNames).map(([value, name]) => ({ value, name }))
  return isOkxOn ? all : all.filter(({ value }) => !value.startsWith('okx'))
}

/** The name of an exchange and its market for a person; an unknown one as it is written. */
export function exchangeName(exchange: string): string {
  return names[exchange] ?? exchange
}
