import type { Exchange } from 'ccxt'
import { receiveWindowMs } from '../../domain/order/doubt.ts'
import { libraryBeside } from '../http/library-client.ts'
import { parseBody } from '../read/parse-json.ts'
import type { VenueOptions } from '../venue.ts'
import { bansAddress } from './codes.ts'
import { ban, type Endpoint } from './endpoint.ts'
import { refusalIn } from './refusal.ts'
import { type Category, readDeadlineMs } from './rest-client.ts'

/** A library client for reads: beside its parent, or on the shared connections and the endpoint's clock with markets of its own. */
export async function openLibrary(
  options: VenueOptions,
  category: Category,
  endpoint: Endpoint,
): Promise<Exchange> {
  const { parent, credentials } = options
  return parent === undefined
    ? await openParent(options, category, endpoint)
    : libraryBeside(parent, credentials)
}

async function openParent(options: VenueOptions, category: Category, endpoint: Endpoint): Promise<Exchange> {
  // On first use only: the library takes a third of a second to load.
  const ccxt = await import('ccxt')
  const { baseUrl, credentials, connections } = options
  const api = { spot: baseUrl, futures: baseUrl, v2: baseUrl, public: baseUrl, private: baseUrl }
  const client = new ccxt.bybit({
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

async function loadMarkets(client: Exchange, endpoint: Endpoint): Promise<void> {
  endpoint.refuseWhileBanned()
  try {
    await client.loadMarkets()
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal !== undefined && bansAddress(refusal)) ban(endpoint.usage)
    throw error
  }
}
