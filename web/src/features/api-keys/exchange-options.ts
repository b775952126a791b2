/** A choice of the form; one that cannot be taken yet says why. */
export interface Option {
  value: string
  name: string
  note?: string
  disabledBecause?: string
}

interface ExchangeOption extends Option {
  markets: readonly [Option, ...Option[]]
}

const comingSoon = { disabledBecause: 'Coming soon' }

/** The markets of bots, in the order of the form; the first of each exchange is the usual one. */
export const exchangeOptions: readonly ExchangeOption[] = [
  {
    value: 'bybit',
    name: 'ByBit',
    markets: [
      { value: 'futures', name: 'Futures (Linear)' },
      { value: 'spot', name: 'Spot' },
    ],
  },
  {
    value: 'binance',
    name: 'Binance',
    markets: [
      { value: 'futures_usdt', name: 'USDⓈ-M Futures', note: 'testnet only' },
      { value: 'spot', name: 'Spot', note: 'mainnet and testnet' },
      { value: 'futures_coin', name: 'COIN-M Futures', ...comingSoon },
    ],
  },
  {
    value: 'okx',
    name: 'OKX',
    ...comingSoon,
    markets: [
      { value: 'futures', name: 'Futures', ...comingSoon },
      { value: 'spot', name: 'Spot', ...comingSoon },
    ],
  },
  {
    value: 'paper',
    name: 'Paper',
    note: 'play money',
    markets: [
      { value: 'futures', name: 'Futures (USDT)' },
      { value: 'spot', name: 'Spot' },
    ],
  },
]

/** The markets of an exchange. */
export function marketsOf(exchange: string): readonly Option[] {
  return exchangeOptions.find(({ value }) => value === exchange)?.markets ?? []
}

/** The market that an exchange begins with. */
export function firstMarket(exchange: string): string {
  return marketsOf(exchange)[0]?.value ?? 'futures'
}

/** True for a market that is reached on the testnet only, as the product's specification has it. */
export function isTestnetOnly(exchange: string, market: string): boolean {
  return exchange === 'binance' && market === 'futures_usdt'
}
