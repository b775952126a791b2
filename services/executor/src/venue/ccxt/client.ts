import { AsyncLocalStorage } from 'node:async_hooks'
import type { Exchange } from 'ccxt'
import { endpointAt, type PricedEndpoint } from '../endpoint.ts'
import { createFence } from '../http/fence.ts'
import { libraryBeside } from '../http/library-client.ts'
import { onVenueClock } from '../http/on-venue-clock.ts'
import { RefusalError, refusalIn } from '../http/refusal.ts'
import { sendFresh } from '../http/send-fresh.ts'
import { parseBody } from '../read/parse-json.ts'
import type { VenueOptions } from '../venue.ts'
import type { CcxtDialect, CcxtUsage, Verdict } from './dialect.ts'

// Longer than the receive window: an answer that comes later is the exception, and is looked up.
const deadlineMs = 4000
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
  endpoint: PricedEndpoint<CcxtUsage, { stop: () => void }>
  /**
   * Does what one call of the library does. Each request is sent once; throws a `RefusalError` for a no, and a
   * `WithheldError` where one that changes something was not permitted when it was to be written.
   */
  ask: <Answer>(call: (library: Exchange) => Promise<Answer>, sending?: Sending) => Promise<Answer>
  /** True where the venue's no says this; false for other errors. */
  says: (error: unknown, verdict: Verdict) => boolean
}

/** Opens a client of one account, with the markets of its parent or its own. */
export async function openClient(options: VenueOptions, dialect: CcxtDialect): Promise<CcxtClient> {
  const { baseUrl, credentials, connections, network } = options
  const endpoint: CcxtClient['endpoint'] = await endpointAt(connections, baseUrl, dialect.endpoint)
  const fence = createFence(options, endpoint.leaptAt)
  const context = new AsyncLocalStorage<Sending>()
  const says = (error: unknown, verdict: Verdict): boolean => {
    const refusal = refusalIn(error)
    return refusal !== undefined && dialect.saysOf(refusal).has(verdict)
  }
  const fetch: Exchange['fetch'] = async (url, method, headers, body) => {
    endpoint.refuseWhileBanned()
    const { origin, pathname, search } = new URL(url)
    const { onSent = () => undefined, permit, seenAt } = context.getStore() ?? {}
    const more = dialect.headersOf(pathname, network, endpoint.now())
    const signed = { path: pathname + search, headers: { ...headers, ...more }, ...(body && { body }) }
    const asked = method === 'GET' ? 'GET' : 'POST'
    const isPermitted = (): boolean => asked === 'GET' || (fence.permits(seenAt) && permit?.() !== false)
    const request = { method: asked, origin, sign: () => signed, isPermitted, timeoutMs: deadlineMs } as const
    const { status, text } = await sendFresh(connections.dispatcher, request, onSent)
    const answer = parseBody(text)
    const refusal = dialect.refusalIn(status, answer)
    if (refusal !== undefined) throw new RefusalError(refusal)
    return answer
  }
  const library = await libraryOf(options, dialect)
  Object.assign(library, { fetch, nonce: endpoint.now, password: credentials.passphrase ?? 'nobody' })
  if (library.markets === undefined) await library.loadMarkets()
  return {
    library,
    endpoint,
    says,
    ask: async (call, sending = {}) => {
      const clock = { endpoint, blamesClock: (error: unknown) => says(error, 'clock'), fence }
      try {
        return await onVenueClock(
          clock,
          async () => await context.run(sending, async () => await call(library)),
        )
      } catch (error) {
        if (says(error, 'key')) options.onKeyRefused?.()
        if (says(error, 'busy')) endpoint.usage.restsUntil = performance.now() + restMs
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
