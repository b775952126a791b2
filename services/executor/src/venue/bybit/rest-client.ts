import { z } from 'zod'
import { receiveWindowMs } from '../../domain/order/doubt.ts'
import { RefusalError, type VenueRefusal } from '../http/refusal.ts'
import { createRestClient, type RestClient as RestClientOf, type RestDialect } from '../http/rest-client.ts'
import { type Answer, isDone } from '../http/send-fresh.ts'
import { createRateLimiters, type RateLimiters } from '../limits/rate-limiter.ts'
import { parseJson } from '../read/parse-json.ts'
import type { VenueOptions } from '../venue.ts'
import { bansAddress, bybitCodes, slowsAccount, socketRestarts } from './codes.ts'
import { ban, type Endpoint } from './endpoint.ts'
import { readEnvelope } from './envelope.ts'
import { type AccountSocket, createAccountSocket } from './order-socket.ts'
import { createSigner, type Signer } from './signer.ts'

/** The path for new orders. */
export const createPath = '/v5/order/create'

/** The venue's word for a family of markets. */
export type Category = 'linear' | 'spot'

/** Sends the requests of one account in one category of markets. */
export interface RestClient extends RestClientOf {
  category: Category
  endpoint: Endpoint
  signer: Signer
  /** The socket over which orders are placed while it is good. */
  orderSocket: AccountSocket | undefined
  /** Ends the socket; requests on their way still go out. */
  stop: () => void
}

// A second, and more: requests that are sent evenly do not arrive so.
const postSpanMs = 1150
// A regular account's limits a second; each answer says what they are for this account.
const postLimits: Readonly<Record<Category, number>> = { linear: 10, spot: 20 }

/** The REST client of an account in one category of markets. */
export function openRestClient(options: VenueOptions, category: Category, endpoint: Endpoint): RestClient {
  const { credentials, userId } = options
  const signer = createSigner(credentials, receiveWindowMs)
  const orderSocket = createAccountSocket(options, endpoint, signer)
  const limit = { most: postLimits[category], spanMs: postSpanMs, reservedForUrgent: 2 }
  // The venue counts what all clients of an account post in a category together.
  const joined = endpoint.usage.postLimiters(`${credentials.apiKey} ${category}`, () =>
    createRateLimiters(limit),
  )
  const parts = { endpoint, signer, orderSocket, limiters: joined.get(), userId }
  return {
    ...createRestClient(options, endpoint, restDialect(parts)),
    ...{ category, endpoint, signer, orderSocket },
    stop: () => {
      joined.leave()
      orderSocket?.stop()
    },
  }
}

interface Parts extends Pick<RestClient, 'endpoint' | 'signer' | 'orderSocket'> {
  limiters: RateLimiters
  userId: VenueOptions['userId']
}

const WithLimit = z.object({ header: z.object({ 'X-Bapi-Limit': z.coerce.number() }) })

function restDialect({ endpoint, signer, orderSocket, limiters, userId }: Parts): RestDialect {
  const { usage, refuseWhileBanned } = endpoint
  /** Counts a request to what the venue allows our address. */
  const enterAddress: NonNullable<RestDialect['enterHttp']> = async ({ urgency }) => {
    if (urgency === 'cancel') return await usage.limiter.enterCancel(userId)
    if (urgency === 'entry' || urgency === 'lookUp') return await usage.limiter.enterOrder(userId)
    return await usage.limiter.enter(urgency === 'exit', userId)
  }
  // A refusal's verdict on us counts from the next request on.
  const refusing = (refusal: VenueRefusal, path: string): RefusalError => {
    if (bansAddress(refusal)) ban(usage)
    if (slowsAccount(refusal)) {
      limiters.at(path).exhaust()
      usage.accounts.note(0)
    }
    return new RefusalError(refusal)
  }
  const resultIn = (answer: unknown, status: number, path: string, limit: number): unknown => {
    const { code, words, result } = readEnvelope(answer)
    if (code !== 0) throw refusing({ status, code, text: words }, path)
    if (limit > 0) limiters.at(path).allow(limit)
    return result
  }
  return {
    codes: bybitCodes,
    sign: ({ method, path, fields }, at) => {
      if (method !== 'GET') return signer.body(fields, at)
      return isPublic(path) ? { query: queryOf(fields), headers: {} } : signer.query(queryOf(fields), at)
    },
    read: ({ status, headers, text }, { method, path }) => {
      if (!isDone(status)) throw refusing(refusalOf(status, text), path)
      const answer = parseJson(text)
      const result = resultIn(answer, status, path, Number(headers['x-bapi-limit']))
      return method === 'GET' ? answer : result
    },
    enter: async (request) => {
      refuseWhileBanned()
      if (request.method !== 'GET') {
        const limiter = limiters.at(request.path)
        await limiter.enter(request.urgency === 'exit' || request.urgency === 'cancel')
        usage.accounts.note(limiter.left())
      }
      if (request.path !== createPath) await enterAddress(request)
      refuseWhileBanned()
    },
    // The venue limits what comes to its HTTP address (https://bybit-exchange.github.io/docs/v5/rate-limit, "HTTP IP limit"),
    // and of sockets how many are opened.
    enterHttp: (request) =>
      request.path === createPath ? enterAddress(request)?.then(refuseWhileBanned) : undefined,
    overSocket: ({ path, fields }, signedAt, onSent) =>
      path === createPath
        ? orderSocket
            ?.create(fields, signedAt, onSent)
            ?.then((answer) =>
              resultIn(answer, 200, path, WithLimit.safeParse(answer).data?.header['X-Bapi-Limit'] ?? 0),
            )
        : undefined,
    socketRestarts,
  }
}

function isPublic(path: string): boolean {
  return path.startsWith('/v5/market/')
}

// Cursors of the venue are encoded already.
function queryOf(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

// With a status from the venue, an answer that cannot be read leaves the outcome of the request open.
function refusalOf(status: number, text: Answer['text']): VenueRefusal {
  try {
    const { code, words } = readEnvelope(parseJson(text))
    return { status, code, text: words }
  } catch {
    return { status, code: 0, text: `answered with status ${status}` }
  }
}
