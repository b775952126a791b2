import type { Exchange } from 'ccxt'
import { receiveWindowMs } from '../../domain/order/doubt.ts'
import { loadExchange } from '../http/load-exchange.ts'
import { readDeadlineMs } from '../http/rest-client.ts'
import { parseBody } from '../read/parse-json.ts'
import type { VenueOptions } from '../venue.ts'
import { ban, type Endpoint } from './endpoint.ts'
import type { Category } from './rest-client.ts'

/** A library client for the markets: its parent, or one that is built on the shared connections and the endpoint's clock. */
export async function openLibrary(
  options: VenueOptions,
  category: Category,
  endpoint: Endpoint,
): Promise<Exchange> {
  if (options.parent !== undefined) return options.parent
  const Bybit = await loadExchange('bybit')
  const { baseUrl, credentials, connections } = options
  const api = { spot: baseUrl, futures: baseUrl, v2: baseUrl, public: baseUrl, private: baseUrl }
  const client = new Bybit({
    ...credentials,
    // Its limiter delays every request, even on an idle client, and its coins need a request of their own.
    ...{ enableRateLimit: false, timeout: readDeadlineMs, has: { fetchCurrencies: false } },
    urls: { api } as unknown as Record<string, string>,
    options: {
      fetchMarkets: { types: [category] },
      recvWindow: receiveWindowMs,
      maxRetriesOnFailure: 0,
      // Given, so that it does not ask what the account is before its first call.
      ...{ enableUnifiedAccount: true, enableUnifiedMargin: false, unifiedMarginStatus: 6 },
    },
  })
  client.nonce = () => endpoint.now()
  client.parseJson = parseBody
  await client.loadFetchImplementation()
  client.fetchDispatcher = connections.dispatcher
  await loadMarkets(client, endpoint)
  return client
}

// The library puts the status behind the address where the body is no JSON of the venue.
const banned = /"retCode":\s*10018\b|^bybit GET \S+ 403 /

async function loadMarkets(client: Exchange, endpoint: Endpoint): Promise<void> {
  endpoint.refuseWhileBanned()
  try {
    await client.loadMarkets()
  } catch (error) {
    if (error instanceof Error && banned.test(error.message)) ban(endpoint.usage)
    throw error
  }
}
