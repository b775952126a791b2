import type { ExchangeMarket } from '@tripline/proto/exchange'
import type { Credentials } from '@tripline/proto/user-config'
import type { Network } from '../addresses.ts'

/** Returns the address of a market's requests, without a slash at the end. */
export type AddressOf = (market: ExchangeMarket, network: Network) => string

/** A key and where it is to be tried. */
export interface KeyTrial {
  credentials: Credentials
  market: ExchangeMarket
  network: Network
  addressOf: AddressOf
}

/** The network that the key is not said to be of. */
export function otherNetwork(network: Network): Network {
  return network === 'mainnet' ? 'testnet' : 'mainnet'
}
