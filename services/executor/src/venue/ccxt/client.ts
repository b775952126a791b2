import { AsyncLocalStorage } from 'node:async_hooks'
import type { Exchange } from 'ccxt'
import { type AddressUsage, endpointAt, type PricedEndpoint } from '../endpoint.ts'
import { createFence } from '../http/fence.ts'
import { libraryBeside } from '../http/library-client.ts'
import { onVenueClock } from '../http/on-venue-clock.ts'
import { RefusalError, refusalIn, type VenueRefusal } from '../http/refusal.ts'
import { sendFresh } from '../http/send-fresh.ts'
import { parseBody } from '../read/parse-json.ts'
import type { VenueOptions } from '../venue.ts'
import type { CcxtDialect } from './dialect.ts'

// Longer than the receive window: an answer that comes later is the exception, and is looked up.
const deadlineMs = 4000
// Venues count the requests of a user in a span of 2 s.
const restMs = 2000

interface Sending {
  onSent?: () => void
  /** Asked right before the first byte, besides the lease. */
  permit?: (() => boolean) | undefined
  /** When (monotonic) the list was asked for that this was decided on. */
  seenAt?: number | undefined
}

/** One account of a venue: the library signs and reads, and we send. */
export interface CcxtClient {
  library: Exchange
  endpoint: PricedEndpoint<AddressUsage, { stop: () => void }>
  /**
   * Does what one call of the library does. Each request is sent once; throws a `RefusalError` for a no, and a
   * `WithheldError` where one that changes something was not permitted when it was to be written.
   */
  ask: <Answer>(call: (library: Exchange) => Promise<Answer>, sending?: Sending) => Promise<Answer>
}

/** Opens a client of one account, with the markets of its parent or its own. */
export async function openClient(options: VenueOptions, dialect: CcxtDialect): Promise<CcxtClient> {
  const { baseUrl, credentials, connections, network } = options
  const { codes } = dialect
  const endpoint: CcxtClient['endpoint'] = await endpointAt(connections, baseUrl, dialect.endpoint)
  const fence = createFence(options, endpoint.leaptAt)
  const context = new AsyncLocalStorage<Sending>()
  // After a request too many the account sends none for a while: others of the address are not concerned.
  let rest: { until: number; refusal: VenueRefusal } | undefined
  const fetch: Exchange['fetch'] = async (url, method, headers, body) => {
    if (rest !== undefined && performance.now() < rest.until) throw new RefusalError(rest.refusal)
    const { origin, pathname, search } = new URL(url)
    const { onSent = () => undefined, permit, seenAt } = context.getStore() ?? {}
    const more = dialect.headersOf(pathname, network, endpoint.now())
    const signed = { path: pathname + search, headers: { ...headers, ...more }, ...(body && { body }) }
    const asked = method === 'GET' ? 'GET' : 'POST'
    const isPermitted = (): boolean => asked === 'GET' || (fence.permits(seenAt) && permit?.() !== false)
    const request = { method: asked, origin, sign: () => signed, isPermitted, timeoutMs: deadlineMs } as const
    const { status, text } = await sendFresh(connections, request, onSent)
    const answer = parseBody(text)
    const refusal = dialect.refusalIn(status, answer)
    if (refusal === undefined) return answer
    if (codes.isBusy(refusal)) {
      rest = { until: performance.now() + restMs, refusal }
      endpoint.usage.accounts.note(0)
    }
    throw new RefusalError(refusal)
  }
  const library = await libraryOf(options, dialect)
  Object.assign(library, { fetch, nonce: endpoint.now, password: credentials.passphrase ?? 'nobody' })
  if (library.markets === undefined) await library.loadMarkets()
  return {
    library,
    endpoint,
    ask: async (call, sending = {}) => {
      const blamesClock = (error: unknown): boolean => {
        const refusal = refusalIn(error)
        return refusal !== undefined && codes.blamesClock(refusal)
      }
      const attempt = async () => await context.run(sending, async () => await call(library))
      try {
        return await onVenueClock({ endpoint, blamesClock, fence }, attempt)
      } catch (error) {
        if (codes.keyFaults.has(refusalIn(error)?.code ?? 0)) options.onKeyRefused?.()
        throw error
      }
    },
  }
}

async function libraryOf(
  { baseUrl, credentials, parent }: VenueOptions,
  dialect: CcxtDialect,
): Promise<Exchange> {
  const { apiKey, secret } = credentials
  // Its own limiter delays every request, and its numbers would be floats.
  const settings = {
    apiKey,
    secret,
    enableRateLimit: false,
    number: String,
    urls: { api: { rest: baseUrl } },
  }
  if (parent === undefined) return await dialect.openLibrary(settings)
  const library = libraryBeside(parent, credentials)
  // The methods that are named after paths are bound to where they were defined.
  library.defineRestApi(library.api, 'request')
  return library
}
