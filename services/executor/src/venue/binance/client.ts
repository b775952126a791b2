import type { Exchange } from 'ccxt'
import { receiveWindowMs } from '../../domain/order/doubt.ts'
import { type EndpointDialect, endpointAt, type PricedEndpoint } from '../endpoint.ts'
import { type Markets, marketsOf } from '../http/library-client.ts'
import type { Codes } from '../http/refusal.ts'
import { createRestClient, type RestClient, readDeadlineMs } from '../http/rest-client.ts'
import { parseBody } from '../read/parse-json.ts'
import type { VenueOptions } from '../venue.ts'
import type { Endpoint } from './endpoint.ts'
import { marketAt, readLimitTable } from './limit-table.ts'
import { type AddressUsage, createLimits, type Limits } from './limits.ts'
import { createSocketSender } from './order-socket.ts'
import { readMarket } from './read-market.ts'
import { restDialect } from './rest-dialect.ts'

/** The settings of a library client: its limiter delays every order, even on an idle client, and it repeats nothing. */
export const clientSettings = { enableRateLimit: false, timeout: readDeadlineMs } as const

/** The options of a library client of Binance. */
export const clientOptions = {
  fetchCurrencies: false,
  fetchMargins: false,
  recvWindow: receiveWindowMs,
  maxRetriesOnFailure: 0,
} as const

/** One account at a market of Binance, as far as all of its markets are opened alike. */
export interface AccountParts<Prices extends { stop: () => void }> {
  options: VenueOptions
  endpoint: PricedEndpoint<AddressUsage, Prices>
  codes: Codes
  limits: Limits
  library: Exchange
  markets: Markets
  restClient: RestClient
}

/** A market's own way to be opened. */
interface MarketWays {
  dialect: EndpointDialect<AddressUsage>
  codes: Codes
  kind: Parameters<typeof readMarket>[1]
  /** The path of its socket for orders. */
  socketPath: string
  build: (options: VenueOptions) => Promise<Exchange>
}

/** Opens one account at a market. */
export async function openParts<Prices extends { stop: () => void }>(
  options: VenueOptions,
  { dialect, codes, kind, socketPath, build }: MarketWays,
): Promise<AccountParts<Prices>> {
  const { connections, baseUrl, credentials, userId } = options
  const endpoint = await endpointAt<AddressUsage, Prices>(connections, baseUrl, dialect)
  const limits = createLimits(endpoint.usage, endpoint.now, userId)
  const library = await openLibrary(async () => await build(options), options, endpoint, limits)
  const viaSocket = createSocketSender(options, socketPath, endpoint, limits)
  const ownDialect = restDialect(credentials, codes, limits, viaSocket)
  return {
    ...{ options, endpoint, codes, limits, library },
    markets: marketsOf(library, (listed) => readMarket(listed, kind)),
    restClient: createRestClient(options, endpoint, ownDialect),
  }
}

/**
 * A library client for the markets: its parent, or one that is built on the shared connections and the venue's clock, whose
 * answers report the limits of what is left.
 */
async function openLibrary(
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
  endpoint.refuseWhileBanned()
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
