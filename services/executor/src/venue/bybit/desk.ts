import { receiveWindowMs } from '../../domain/doubt.ts'
import { createFence, type Fence, WithheldError } from '../fence.ts'
import { createSharing, type Share } from '../shared-at.ts'
import type { VenueOptions } from '../venue.ts'
import { withDeadline } from '../with-deadline.ts'
import { bansAddress, blamesClock, keyFaults, saysSocketRestarts, slowsAccount } from './codes.ts'
import { type AccountSocket, createAccountSocket } from './order-socket.ts'
import { createPaces, type Pace, type Paces } from './pace.ts'
import { type Posted, postJson } from './post-json.ts'
import { refusalIn } from './refusal.ts'
import { createSigner, type Signer } from './signer.ts'
import type { Site } from './site.ts'

/** Where an order is posted to. */
export const createPath = '/v5/order/create'

/** How long the venue may take to tell something. */
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

/** Where the requests of one account go out: paced, with a deadline, and sent once. */
export interface Desk {
  category: Category
  site: Site
  signer: Signer
  /** Waits until one more post of this path may go out; throws a `RefusalError` while the venue does not hear us. */
  enter: (path: string, isUrgent: boolean) => Promise<void>
  /** The same for a cancel: one of many lets the requests of others pass. */
  enterCancel: (path: string) => Promise<void>
  /**
   * Signs and posts at once; answers the result, or throws: a `WithheldError` where the account's lease is not held, or it
   * is not permitted besides. Calls back when the request is on the wire.
   */
  post: (path: string, fields: object, more?: PostOptions) => Promise<unknown>
  /** The answer to a question; what an order, an exit or a cancel hangs on is urgent. */
  ask: <Answer>(asked: () => Promise<Answer>, isUrgent?: boolean) => Promise<Answer>
  /** The same where it is asked what became of an order: this leaves some room to exits. */
  askOfOrder: <Answer>(asked: () => Promise<Answer>) => Promise<Answer>
  /** The socket over which orders are placed while it is good. */
  orderSocket: AccountSocket | undefined
  /** Ends the socket; what is on its way still goes out. */
  stop: () => void
}

// A second, and more: what is sent evenly does not arrive so.
const postSpanMs = 1150
// A regular account's limits a second; each answer says what they are for this account.
const postLimits: Readonly<Record<Category, number>> = { linear: 10, spot: 20 }

/** The desk of an account in one category of markets. */
export function openDesk(options: VenueOptions, category: Category, site: Site): Desk {
  const { baseUrl, credentials, connections, userId, onKeyRefused } = options
  const signer = createSigner(credentials, receiveWindowMs)
  const orderSocket = createAccountSocket(options, site, signer)
  const fence = createFence(options, site.leaptAt)
  const joined = joinPaces(options, category)
  const paces = joined.get()
  const enterAt = async (path: string, isUrgent: boolean, ofAddress: () => Promise<void>): Promise<void> => {
    site.refuseWhileBanned()
    const pace = paces.at(path)
    await pace.enter(isUrgent)
    site.accounts.note(pace.left())
    await ofAddress()
    site.refuseWhileBanned()
  }
  const answered = async <Answer>(asked: () => Promise<Answer>, entered: Promise<void>): Promise<Answer> => {
    await entered
    site.refuseWhileBanned()
    return await learning({ site, onKeyRefused }, async () =>
      onTheVenuesClock(site, async () => await withDeadline(asked(), readDeadlineMs)),
    )
  }
  /**
   * Waits until an order may go out over HTTP. Over its socket it may at once: the venue limits what comes to its HTTP
   * address (https://bybit-exchange.github.io/docs/v5/rate-limit, "HTTP IP limit"), and of sockets how many are opened.
   */
  const enterOrder = async (isExit: boolean): Promise<void> => {
    if (orderSocket?.isGood() === true) return
    await (isExit ? site.pace.enter(true, userId) : site.pace.enterOrder(userId))
    site.refuseWhileBanned()
  }
  return {
    category,
    site,
    signer,
    enter: async (path, isUrgent) =>
      await enterAt(path, isUrgent, async () => {
        if (path !== createPath) await site.pace.enter(isUrgent, userId)
      }),
    enterCancel: async (path) => await enterAt(path, true, async () => await site.pace.enterCancel(userId)),
    post: async (path, fields, { onSent = () => undefined, permit, seenAt, isExit = false } = {}) => {
      const url = new URL(baseUrl + path)
      const attempt = async (): Promise<unknown> => {
        if (path === createPath) await enterOrder(isExit)
        // Taken before the lease is asked: the venue refuses what stood still in between for long.
        const signedAt = site.now()
        const isPermitted = (): boolean => fence.permits(seenAt) && permit?.() !== false
        if (!isPermitted()) throw new WithheldError()
        const overSocket = path === createPath ? orderSocket?.create(fields, signedAt, onSent) : undefined
        // Only what was certainly not sent goes out over HTTP instead.
        if (overSocket !== undefined) return resultOf(await overSocket, paces.at(path))
        const sign = () => signer.body(fields, site.now())
        const request = { url, sign, isPermitted, timeoutMs: postDeadlineMs }
        return resultOf(await postJson(connections.dispatcher, request, onSent), paces.at(path))
      }
      return await learning({ site, fence, pace: paces.at(path), onKeyRefused }, async () =>
        onTheVenuesClock(site, async () => await besidesSocket(attempt), fence),
      )
    },
    ask: async (asked, isUrgent = false) => {
      site.refuseWhileBanned()
      return await answered(asked, site.pace.enter(isUrgent, userId))
    },
    askOfOrder: async (asked) => {
      site.refuseWhileBanned()
      return await answered(asked, site.pace.enterOrder(userId))
    },
    orderSocket,
    stop: () => {
      joined.leave()
      orderSocket?.stop()
    },
  }
}

const sharePaces = createSharing<Paces>()

/** The venue counts what all clients of an account post in a category together. */
function joinPaces({ connections, baseUrl, credentials }: VenueOptions, category: Category): Share<Paces> {
  const limit = { most: postLimits[category], spanMs: postSpanMs, keptForUrgent: 2 }
  return sharePaces(connections, `${baseUrl} ${credentials.apiKey} ${category}`, () => createPaces(limit))
}

function resultOf({ result, limit }: Posted, pace: Pace): unknown {
  if (limit !== undefined) pace.allow(limit)
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

/**
 * Repeats once, signed anew, a request that was refused for the moment it was signed for: nothing of it was done. One that
 * changes something is signed only by a lease that was renewed since, as this process may have stood still for long.
 */
async function onTheVenuesClock<Answer>(
  site: Site,
  attempt: () => Promise<Answer>,
  fence?: Fence,
): Promise<Answer> {
  try {
    return await attempt()
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal === undefined || !blamesClock(refusal)) throw error
    fence?.doubt()
    await site.measureClock()
    await fence?.proven()
    return await attempt()
  }
}

interface Learner extends Pick<VenueOptions, 'onKeyRefused'> {
  site: Site
  fence?: Fence
  pace?: Pace
}

// What a refusal says of us is heeded from the next request on.
async function learning<Value>(
  { site, fence, pace, onKeyRefused }: Learner,
  request: () => Promise<Value>,
): Promise<Value> {
  try {
    return await request()
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal !== undefined) {
      if (blamesClock(refusal)) {
        fence?.doubt()
        site.measureClock().catch(() => undefined)
      }
      if (bansAddress(refusal)) site.ban()
      if (keyFaults.has(refusal.code)) onKeyRefused?.()
      if (slowsAccount(refusal)) {
        pace?.exhaust()
        site.accounts.note(0)
      }
    }
    throw error
  }
}
