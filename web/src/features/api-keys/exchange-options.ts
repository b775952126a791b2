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

const okx: ExchangeOption = {
  value: 'okx',
  name: 'OKX',
  note: 'beta: tried on documentation and paper',
  markets: [
    { value: 'futures', name: 'USDT Swaps' },
    { value: 'spot', name: 'Spot' },
  ],
}

/** The exchanges of an installation: OKX can be chosen where it is switched on. */
export function offeredExchanges(isOkxOn: boolean): readonly ExchangeOption[] {
  return isOkxOn ? exchangeOptions.map((one) => (one.value === okx.value ? okx : one)) : exchangeOptions
}

/** The markets of an exchange, as these offer it. */
export function marketsOf(exchange: string, offered = exchangeOptions): readonly Option[] {
  return offered.find(({ value }) => value === exchange)?.markets ?? []
}

/** The market that an exchange begins with. */
export function firstMarket(exchange: string): string {
  return marketsOf(exchange)[0]?.value ?? 'futures'
}

/** True for a market that is reached on the testnet only, as the product's specification has it. */
export function isTestnetOnly(exchange: string, market: string): boolean {
  return exchange === 'binance' && market === 'futures_usdt'
}
