import type { Exchange } from 'ccxt'
import type { Market } from '../../domain/order/market.ts'

/**
 * A client of the library for one more account of a venue, which has everything but its credentials and options of the
 * parent. To build one anew is 5 to 10 ms of computing, which hundreds of accounts wait for after a takeover. Only its
 * plain methods, such as `request`, speak for the account: those that are named after paths are bound to the parent.
 */
export function libraryBeside<Client extends Exchange>(
  parent: Client,
  { apiKey, secret }: { apiKey: string; secret: string },
): Client {
  const client: Client = Object.create(parent)
  return Object.assign(client, { apiKey, secret, options: { ...parent.options } })
}

/** The markets of a client, by the venue's spelling. */
export type Markets = Map<string, Market>

// Clients that share what the library read share the markets that were read from it.
const known = new WeakMap<object, Markets>()

/** The markets of a client, the same ones for all clients of one parent; one that cannot be read hides none of the others. */
export function marketsOf({ markets }: Exchange, read: (listed: unknown) => Market): Markets {
  if (markets === undefined) return new Map()
  const before = known.get(markets)
  if (before !== undefined) return before
  const all: Markets = new Map()
  for (const listed of Object.values(markets)) {
    try {
      const market = read(listed?.info)
      all.set(market.symbol, market)
    } catch {}
  }
  known.set(markets, all)
  return all
}
