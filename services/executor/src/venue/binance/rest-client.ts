import { receiveWindowMs } from '../../domain/order/doubt.ts'
import { createFence, WithheldError } from '../http/fence.ts'
import { onVenueClock } from '../http/on-venue-clock.ts'
import { withDeadline } from '../http/with-deadline.ts'
import type { VenueOptions } from '../venue.ts'
import { clockDiffers, keyFaults } from './codes.ts'
import type { Endpoint } from './endpoint.ts'
import { HeldBackError, type Limits, refuseWhileBanned, type Urgency } from './limits.ts'
import type { SocketSender } from './order-socket.ts'
import { refusalIn } from './refusal.ts'
import { type FormRequest, sendForm } from './send-form.ts'
import { createSigner } from './signer.ts'

/** The time that the venue may take to answer a read. */
export const readDeadlineMs = 5000
// Longer than the receive window: an answer that comes later is the exception, and is looked up.
const orderDeadlineMs = 4000

/** A signed request for something to be done, which is withheld where the account's lease is not held. */
export interface SignedRequest {
  method: Exclude<FormRequest['method'], 'GET'>
  path: string
  fields: Record<string, string>
  /** Asked in the moment of signing, besides the lease; without it that alone decides. */
  permit?: (() => boolean) | undefined
  /** When (monotonic) the list was asked for that this was decided on. */
  seenAt?: number | undefined
  onSent?: () => void
}

/** Sends the requests of one account; all of them end in time. */
export interface RestClient {
  /**
   * Sends a signed request on our own fast way and answers the JSON; throws a `RefusalError` for the venue's no, and a
   * `WithheldError` where it may not be signed, a `HeldBackError` for one cancel of too many.
   */
  send: (signedRequest: SignedRequest) => Promise<unknown>
  /** Gets a signed path on the same way, as a question to be asked: the library computes for it several times as long. */
  get: (path: string, fields: Record<string, string>) => Promise<unknown>
  /** Asks the venue something, unless little is left of what the venue allows. */
  request: Requester
  /** Asks what an exit, a cancel or an order in doubt hangs on: as long as the venue takes requests of ours at all. */
  requestUrgently: Requester
}

/** Sends a request to the venue. */
export type Requester = (question: () => Promise<unknown>) => Promise<unknown>

/** Requests that go over a socket while one is good: the urgent ones, by the socket's names for them. */
const socketMethods = new Map([
  ['POST /api/v3/order', 'order.place'],
  ['POST /fapi/v1/order', 'order.place'],
  ['POST /fapi/v1/algoOrder', 'algoOrder.place'],
])

/** The REST client of an account. */
export function createRestClient(
  options: VenueOptions,
  endpoint: Pick<Endpoint, 'now' | 'measureClock' | 'leaptAt' | 'usage'>,
  limits: Limits,
  viaSocket?: SocketSender | undefined,
): RestClient {
  const { baseUrl, credentials, connections } = options
  const urls = new Map<string, URL>()
  const urlOf = (path: string): URL => {
    const url = urls.get(path) ?? new URL(baseUrl + path)
    urls.set(path, url)
    return url
  }
  const sign = createSigner(credentials, receiveWindowMs)
  const fence = createFence(options, endpoint.leaptAt)
  const sendOnce = ({ method, path, fields, permit, seenAt, onSent }: SignedRequest): Promise<unknown> => {
    refuseWhileBanned(endpoint.usage)
    // Taken before the lease is asked: the venue refuses what stood still in between for long.
    const signedAt = endpoint.now()
    const isPermitted = (): boolean => fence.permits(seenAt) && permit?.() !== false
    if (!isPermitted()) throw new WithheldError()
    const socketMethod = socketMethods.get(`${method} ${path}`)
    const overSocket =
      socketMethod && viaSocket?.(socketMethod, fields, signedAt, onSent ?? (() => undefined))
    // Only what was certainly not sent goes out over HTTP instead.
    if (overSocket) return overSocket
    const form = () => sign(fields, endpoint.now())
    const request = { method, url: urlOf(path), form, isPermitted, timeoutMs: orderDeadlineMs }
    return sendForm(connections.dispatcher, request, limits.heed, onSent)
  }
  const requesterOf =
    (urgency: Urgency): Requester =>
    async (question) => {
      const objection = limits.objectionTo(urgency)
      if (objection !== undefined) throw new HeldBackError(objection)
      const leave = limits.enter()
      try {
        return await heedingKey(options, () =>
          onVenueClock({ endpoint, blamesClock: isClockBlamed }, () =>
            withDeadline(question(), readDeadlineMs),
          ),
        )
      } finally {
        leave()
      }
    }
  return {
    send: async (signedRequest) => {
      const leave = signedRequest.method === 'DELETE' ? limits.enterCancel() : undefined
      try {
        return await heedingKey(options, () =>
          onVenueClock({ endpoint, blamesClock: isClockBlamed, fence }, () => sendOnce(signedRequest)),
        )
      } finally {
        leave?.()
      }
    },
    get: async (path, fields) => {
      const form = () => sign(fields, endpoint.now())
      const request = { method: 'GET', url: urlOf(path), form, timeoutMs: readDeadlineMs } as const
      return await sendForm(connections.dispatcher, request, limits.heed)
    },
    request: requesterOf('read'),
    requestUrgently: requesterOf('exit'),
  }
}

/** Passes on that the venue does not take the key. */
async function heedingKey(
  { onKeyRefused }: Pick<VenueOptions, 'onKeyRefused'>,
  attempt: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await attempt()
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal !== undefined && keyFaults.has(refusal.code)) onKeyRefused?.()
    throw error
  }
}

function isClockBlamed(error: unknown): boolean {
  return clockDiffers.includes(refusalIn(error)?.code ?? 0)
}
