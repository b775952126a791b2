import { receiveWindowMs } from '../../domain/order/doubt.ts'
import type { Share } from '../account/shared.ts'
import { createFence, type Fence, WithheldError } from '../http/fence.ts'
import { onVenueClock } from '../http/on-venue-clock.ts'
import { withDeadline } from '../http/with-deadline.ts'
import type { VenueOptions } from '../venue.ts'
import { bansAddress, blamesClock, keyFaults, saysSocketRestarts, slowsAccount } from './codes.ts'
import { ban, type Endpoint } from './endpoint.ts'
import { type AccountSocket, createAccountSocket } from './order-socket.ts'
import { type Posted, postJson } from './post-json.ts'
import { createRateLimiters, type RateLimiter, type RateLimiters } from './rate-limiter.ts'
import { refusalIn } from './refusal.ts'
import { createSigner, type Signer } from './signer.ts'

/** The path for new orders. */
export const createPath = '/v5/order/create'

/** The time that the venue may take to answer a read. */
export const readDeadlineMs = 5000
// Longer than the receive window: an answer that comes later is the exception, and is looked up.
const postDeadlineMs = 4000

/** The venue's word for a family of markets. */
export type Category = 'linear' | 'spot'

interface PostOptions {
  onSent?: () => void
  /** Asked in the moment of signing, besides the lease. */
  permit?: (() => boolean) | undefined
  /** When (monotonic) the list was asked for that this was decided on. */
  seenAt?: number | undefined
  /** It is an exit: of an order that goes over HTTP, which only then counts to what the venue allows our address. */
  isExit?: boolean
}

/** Sends the requests of one account: limited, with a deadline, and once. */
export interface RestClient {
  category: Category
  endpoint: Endpoint
  signer: Signer
  /** Waits until one more post of this path may go out; throws a `RefusalError` while the venue refuses us. */
  enter: (path: string, isUrgent: boolean) => Promise<void>
  /** The same for a cancel: one of many lets the requests of others pass. */
  enterCancel: (path: string) => Promise<void>
  /**
   * Signs and posts at once; returns the result, or throws: a `WithheldError` where the account's lease is not held, or it
   * is not permitted besides. Calls back when the request is on the wire.
   */
  post: (path: string, fields: object, more?: PostOptions) => Promise<unknown>
  /** The answer to a question; what an order, an exit or a cancel hangs on is urgent. */
  request: <Answer>(asked: () => Promise<Answer>, isUrgent?: boolean) => Promise<Answer>
  /** The same for a question on the outcome of an order: this leaves some room to exits. */
  requestForOrder: <Answer>(asked: () => Promise<Answer>) => Promise<Answer>
  /** The socket over which orders are placed while it is good. */
  orderSocket: AccountSocket | undefined
  /** Ends the socket; what is on its way still goes out. */
  stop: () => void
}

// A second, and more: what is sent evenly does not arrive so.
const postSpanMs = 1150
// A regular account's limits a second; each answer says what they are for this account.
const postLimits: Readonly<Record<Category, number>> = { linear: 10, spot: 20 }

/** The REST client of an account in one category of markets. */
export function openRestClient(options: VenueOptions, category: Category, endpoint: Endpoint): RestClient {
  const { baseUrl, credentials, connections, userId, onKeyRefused } = options
  const signer = createSigner(credentials, receiveWindowMs)
  const orderSocket = createAccountSocket(options, endpoint, signer)
  const fence = createFence(options, endpoint.leaptAt)
  const joined = joinRateLimiters(options, category, endpoint)
  const limiters = joined.get()
  const enterAt = async (path: string, isUrgent: boolean, ofAddress: () => Promise<void>): Promise<void> => {
    endpoint.refuseWhileBanned()
    const limiter = limiters.at(path)
    await limiter.enter(isUrgent)
    endpoint.usage.accounts.note(limiter.left())
    await ofAddress()
    endpoint.refuseWhileBanned()
  }
  const answered = async <Answer>(asked: () => Promise<Answer>, entered: Promise<void>): Promise<Answer> => {
    await entered
    endpoint.refuseWhileBanned()
    return await learning({ endpoint, onKeyRefused }, async () =>
      onVenueClock(
        { endpoint, blamesClock: isClockBlamed },
        async () => await withDeadline(asked(), readDeadlineMs),
      ),
    )
  }
  /**
   * Waits until an order may go out over HTTP. Over its socket it may at once: the venue limits what comes to its HTTP
   * address (https://bybit-exchange.github.io/docs/v5/rate-limit, "HTTP IP limit"), and of sockets how many are opened.
   */
  const enterOrder = async (isExit: boolean): Promise<void> => {
    if (orderSocket?.isGood() === true) return
    await (isExit ? endpoint.usage.limiter.enter(true, userId) : endpoint.usage.limiter.enterOrder(userId))
    endpoint.refuseWhileBanned()
  }
  return {
    category,
    endpoint,
    signer,
    enter: async (path, isUrgent) =>
      await enterAt(path, isUrgent, async () => {
        if (path !== createPath) await endpoint.usage.limiter.enter(isUrgent, userId)
      }),
    enterCancel: async (path) =>
      await enterAt(path, true, async () => await endpoint.usage.limiter.enterCancel(userId)),
    post: async (path, fields, { onSent = () => undefined, permit, seenAt, isExit = false } = {}) => {
      const url = new URL(baseUrl + path)
      const attempt = async (): Promise<unknown> => {
        if (path === createPath) await enterOrder(isExit)
        // Taken before the lease is asked: the venue refuses what stood still in between for long.
        const signedAt = endpoint.now()
        const isPermitted = (): boolean => fence.permits(seenAt) && permit?.() !== false
        if (!isPermitted()) throw new WithheldError()
        const overSocket = path === createPath ? orderSocket?.create(fields, signedAt, onSent) : undefined
        // Only what was certainly not sent goes out over HTTP instead.
        if (overSocket !== undefined) return resultOf(await overSocket, limiters.at(path))
        const sign = () => signer.body(fields, endpoint.now())
        const request = { url, sign, isPermitted, timeoutMs: postDeadlineMs }
        return resultOf(await postJson(connections.dispatcher, request, onSent), limiters.at(path))
      }
      return await learning({ endpoint, fence, limiter: limiters.at(path), onKeyRefused }, async () =>
        onVenueClock(
          { endpoint, blamesClock: isClockBlamed, fence },
          async () => await besidesSocket(attempt),
        ),
      )
    },
    request: async (asked, isUrgent = false) => {
      endpoint.refuseWhileBanned()
      return await answered(asked, endpoint.usage.limiter.enter(isUrgent, userId))
    },
    requestForOrder: async (asked) => {
      endpoint.refuseWhileBanned()
      return await answered(asked, endpoint.usage.limiter.enterOrder(userId))
    },
    orderSocket,
    stop: () => {
      joined.leave()
      orderSocket?.stop()
    },
  }
}

/** The venue counts what all clients of an account post in a category together. */
function joinRateLimiters(
  { credentials }: VenueOptions,
  category: Category,
  { usage }: Endpoint,
): Share<RateLimiters> {
  const limit = { most: postLimits[category], spanMs: postSpanMs, keptForUrgent: 2 }
  return usage.postLimiters(`${credentials.apiKey} ${category}`, () => createRateLimiters(limit))
}

function resultOf({ result, limit }: Posted, limiter: RateLimiter): unknown {
  if (limit !== undefined) limiter.allow(limit)
  return result
}

// A socket that is about to restart takes nothing more, so the second attempt goes another way.
async function besidesSocket(attempt: () => Promise<unknown>): Promise<unknown> {
  try {
    return await attempt()
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal === undefined || !saysSocketRestarts(refusal)) throw error
    return await attempt()
  }
}

function isClockBlamed(error: unknown): boolean {
  const refusal = refusalIn(error)
  return refusal !== undefined && blamesClock(refusal)
}

interface Learner extends Pick<VenueOptions, 'onKeyRefused'> {
  endpoint: Endpoint
  fence?: Fence
  limiter?: RateLimiter
}

// A refusal's verdict on us counts from the next request on.
async function learning<Value>(
  { endpoint, fence, limiter, onKeyRefused }: Learner,
  request: () => Promise<Value>,
): Promise<Value> {
  try {
    return await request()
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal !== undefined) {
      if (blamesClock(refusal)) {
        fence?.doubt()
        void endpoint.measureClock()
      }
      if (bansAddress(refusal)) ban(endpoint.usage)
      if (keyFaults.has(refusal.code)) onKeyRefused?.()
      if (slowsAccount(refusal)) {
        limiter?.exhaust()
        endpoint.usage.accounts.note(0)
      }
    }
    throw error
  }
}
