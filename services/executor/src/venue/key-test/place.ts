import type { ExchangeMarket } from '@tripline/proto/exchange'
import type { Credentials } from '@tripline/proto/user-config'

/** A network of an exchange; Paper has one only, which is both. */
export type Network = 'mainnet' | 'testnet'

/** Where a market's requests go, without a slash at the end. */
export type AddressOf = (market: ExchangeMarket, network: Network) => string

/** A key and where it is to be tried. */
export interface Place {
  credentials: Credentials
  market: ExchangeMarket
  network: Network
  addressOf: AddressOf
}

const usual: Partial<Record<ExchangeMarket, Record<Network, string>>> = {
  binance_futures_usdt: { mainnet: 'https://fapi.binance.com', testnet: 'https://demo-fapi.binance.com' },
  binance_spot: { mainnet: 'https://api.binance.com', testnet: 'https://testnet.binance.vision' },
  bybit: { mainnet: 'https://api.bybit.com', testnet: 'https://api-testnet.bybit.com' },
  bybit_spot: { mainnet: 'https://api.bybit.com', testnet: 'https://api-testnet.bybit.com' },
}

/** The exchanges' own addresses; Paper's markets are at the paper exchange. */
export function usualAddresses(paperUrl: string): AddressOf {
  return (market, network) =>
    usual[market]?.[network] ?? `${paperUrl}/${market === 'paper_spot' ? 'binance' : 'binance-futures'}`
}

/** The network that the key is not said to be of. */
export function otherNetwork(network: Network): Network {
  return network === 'mainnet' ? 'testnet' : 'mainnet'
}
