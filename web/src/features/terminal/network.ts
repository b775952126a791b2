import type { KeyView } from '@tripline/proto/http/key'

/** The kind of money that a bot trades with. */
export type Network = 'paper' | 'testnet' | 'mainnet'

/** The network of a bot: play money, the exchange's test network, or the exchange itself. */
export function networkOf({ exchange, is_testnet }: Pick<KeyView, 'exchange' | 'is_testnet'>): Network {
  if (exchange === 'paper') return 'paper'
  return is_testnet ? 'testnet' : 'mainnet'
}
