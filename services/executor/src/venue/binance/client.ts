import type { Exchange } from 'ccxt'
import { receiveWindowMs } from '../../domain/order/doubt.ts'
import { readDeadlineMs } from '../http/rest-client.ts'
import { parseBody } from '../read/parse-json.ts'
import type { VenueOptions } from '../venue.ts'
import type { Endpoint } from './endpoint.ts'
import { marketAt, readLimitTable } from './limit-table.ts'
import { type Limits, refuseWhileBanned } from './limits.ts'

/** The settings of a library client: its limiter delays every order, even on an idle client, and it repeats nothing. */
export const clientSettings = { enableRateLimit: false, timeout: readDeadlineMs } as const

/** The options of a library client of Binance. */
export const clientOptions = {
  fetchCurrencies: false,
  fetchMargins: false,
  recvWindow: receiveWindowMs,
  maxRetriesOnFailure: 0,
} as const

/**
 * A library client for the markets: its parent, or one that is built on the shared connections and the venue's clock, whose
 * answers report the limits of what is left.
 */
export async function openLibrary(
  build: () => Promise<Exchange>,
  { connections, parent }: Pick<VenueOptions, 'connections' | 'parent'>,
  endpoint: Endpoint,
  limits: Limits,
): Promise<Exchange> {
  if (parent !== undefined) return parent
  const client = await build()
  heedIn(client, endpoint, limits)
  await client.loadFetchImplementation()
  client.fetchDispatcher = connections.dispatcher
  client.nonce = endpoint.now
  // The library's own turns every number of a body into text where one of them is beyond 2^53, as many ids are.
  client.parseJson = parseBody
  refuseWhileBanned(endpoint.usage)
  await client.loadMarkets()
  return client
}

/** Takes in what the client's answers say of the venue's limits. */
function heedIn(client: Exchange, endpoint: Endpoint, limits: Limits): void {
  const readBody = client.onRestResponse.bind(client)
  client.onRestResponse = (status, statusText, url, method, headers, text, ...rest) => {
    const lowered = Object.entries(headers as Record<string, string>).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ])
    // The library drops what the venue says of its limits where it lists its markets.
    if (url.includes('/exchangeInfo'))
      endpoint.usage.table = readLimitTable(text, marketAt(url)) ?? endpoint.usage.table
    limits.heed({ status, headers: Object.fromEntries(lowered), text })
    return readBody(status, statusText, url, method, headers, text, ...rest)
  }
}
