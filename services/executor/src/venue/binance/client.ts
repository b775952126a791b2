import type { Exchange } from 'ccxt'
import { receiveWindowMs } from '../../domain/doubt.ts'
import type { VenueConnections } from '../dispatcher.ts'
import { readDeadlineMs } from './ask.ts'

/** The settings of a library client: its limiter delays every order, even on an idle client, and it repeats nothing. */
export const clientSettings = { enableRateLimit: false, timeout: readDeadlineMs } as const

/** The options of a library client of Binance. */
export const clientOptions = {
  fetchCurrencies: false,
  fetchMargins: false,
  recvWindow: receiveWindowMs,
  maxRetriesOnFailure: 0,
} as const

/** Makes a library client ready: on the shared connections, with its parent's markets or its own. */
export async function readyClient<Client extends Exchange>(
  client: Client,
  { dispatcher }: VenueConnections,
  parent: Exchange | undefined,
): Promise<Client> {
  await client.loadFetchImplementation()
  client.fetchDispatcher = dispatcher
  if (parent === undefined) await client.loadMarkets()
  else client.setMarketsFromExchange(parent)
  return client
}
