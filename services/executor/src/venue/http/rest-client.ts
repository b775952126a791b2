import type { Endpoint } from '../endpoint.ts'
import type { VenueOptions } from '../venue.ts'
import { createFence, type Fence, WithheldError } from './fence.ts'
import { onVenueClock } from './on-venue-clock.ts'
import { type Codes, refusalIn } from './refusal.ts'
import { type Answer, sendFresh } from './send-fresh.ts'

/** The time that the venue may take to answer a read. */
export const readDeadlineMs = 5000
// Longer than the receive window: an answer that comes later is the exception, and is looked up.
const changeDeadlineMs = 4000

/**
 * The urgency of a request: questions leave room for entries and for what finds out about orders, and these for what shrinks
 * risk.
 */
export type Urgency = 'read' | 'entry' | 'lookUp' | 'exit' | 'cancel'

/** Returns the urgency of a question on which an exit may depend. */
export function urgencyOf(isUrgent = false): Urgency {
  return isUrgent ? 'exit' : 'read'
}

/** A request to the venue. */
export interface VenueRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  fields: Readonly<Record<string, string | number | boolean>>
  /** Without it the request counts as no order, question or cancel. */
  urgency?: Urgency | undefined
}

/** A request for something to be done, which is withheld where the account's lease is not held. */
export interface ChangeRequest extends VenueRequest {
  /** Asked in the moment of signing, besides the lease; without it that alone decides. */
  permit?: (() => boolean) | undefined
  /** When (monotonic) the list was asked for that this was decided on. */
  seenAt?: number | undefined
  onSent?: () => void
}

/** A venue's own way with the requests of one account. */
export interface RestDialect {
  codes: Codes
  /** Signs a request for a moment of the venue's clock. */
  sign: (request: VenueRequest, at: number) => SignedRequest
  /** Reads an answer, and what it says of limits; throws a `RefusalError` for anything but success. */
  read: (answer: Answer, request: VenueRequest) => unknown
  /** Lets a request begin, at once or in its turn; throws where it is not to be sent. Returns a callback for its answer. */
  enter: (request: VenueRequest) => Promise<void> | (() => void) | undefined
  /** Settles when one that no socket took may go out over HTTP; undefined where that is now. */
  enterHttp?: (request: VenueRequest) => Promise<void> | undefined
  /** Sends a request over a socket; undefined, and nothing was sent, where none is good. */
  overSocket?: (request: VenueRequest, signedAt: number, onSent: () => void) => Promise<unknown> | undefined
  /** The venue's number for a socket that did not take a request since it restarts: another way may. */
  socketRestarts?: number
}

/** The signature of a request, and where it stands. */
export interface SignedRequest {
  query?: string
  body?: string
  headers: Record<string, string>
}

/** Sends the requests of one account; all of them end in time. */
export interface RestClient {
  /** Asks for a path; a question that is refused for the moment that it was signed for is asked again. */
  get: (path: string, fields?: VenueRequest['fields'], urgency?: Urgency) => Promise<unknown>
  /** The same for what is no question and changes nothing that the lease is for. */
  ask: (request: VenueRequest) => Promise<unknown>
  /**
   * Sends a change and returns the venue's result; throws a `RefusalError` for the venue's no, and a `WithheldError` where
   * it may not be signed, a `HeldBackError` where too little is left of what the venue allows.
   */
  send: (request: ChangeRequest) => Promise<unknown>
}

const nobody = (): void => undefined

/** The REST client of an account. */
export function createRestClient(
  options: Pick<VenueOptions, 'baseUrl' | 'connections' | 'tenure' | 'onKeyRefused'>,
  endpoint: Pick<Endpoint, 'now' | 'measureClock' | 'leaptAt' | 'refuseWhileBanned'>,
  dialect: RestDialect,
): RestClient {
  const { connections } = options
  const { origin, pathname } = new URL(options.baseUrl)
  const base = pathname.replace(/\/$/, '')
  const fence = createFence(options, endpoint.leaptAt)
  const overHttp = async (
    request: VenueRequest,
    timeoutMs: number,
    isPermitted = (): boolean => true,
    onSent = nobody,
  ): Promise<unknown> => {
    const { method } = request
    const sign = () => {
      const { query, ...signed } = dialect.sign(request, endpoint.now())
      const path = base + request.path
      return { path: query ? `${path}?${query}` : path, ...signed }
    }
    const fresh = { method, origin, sign, isPermitted, timeoutMs }
    return dialect.read(await sendFresh(connections, fresh, onSent), request)
  }
  const sendOnce = (request: ChangeRequest): Promise<unknown> => {
    const { permit, seenAt, onSent = nobody } = request
    endpoint.refuseWhileBanned()
    // Taken before the lease is asked: the venue refuses what stood still in between for long.
    const signedAt = endpoint.now()
    const isPermitted = (): boolean => fence.permits(seenAt) && permit?.() !== false
    if (!isPermitted()) throw new WithheldError()
    const overSocket = dialect.overSocket?.(request, signedAt, onSent)
    // Only what was certainly not sent goes out over HTTP instead.
    if (overSocket !== undefined) return overSocket
    const send = (): Promise<unknown> => overHttp(request, changeDeadlineMs, isPermitted, onSent)
    const entered = dialect.enterHttp?.(request)
    return entered === undefined ? send() : entered.then(send)
  }
  const sendBesidesSocket = async (request: ChangeRequest): Promise<unknown> => {
    try {
      return await sendOnce(request)
    } catch (error) {
      const code = refusalIn(error)?.code
      // It takes nothing more, so the second attempt goes another way.
      if (code === undefined || code !== dialect.socketRestarts) throw error
      return await sendOnce(request)
    }
  }
  const attempt = dialect.socketRestarts === undefined ? sendOnce : sendBesidesSocket
  const learner = { endpoint, codes: dialect.codes, onKeyRefused: options.onKeyRefused }
  const fenced = { ...learner, fence }
  const ask: RestClient['ask'] = (request) =>
    entered(dialect, request, () => learning(learner, () => overHttp(request, readDeadlineMs)))
  return {
    ask,
    get: (path, fields = {}, urgency = 'read') => ask({ method: 'GET', path, fields, urgency }),
    send: (request) => entered(dialect, request, () => learning(fenced, () => attempt(request))),
  }
}

/** Attempts what was let out, and says when it is answered. */
async function entered(
  { enter }: RestDialect,
  request: VenueRequest,
  attempt: () => Promise<unknown>,
): Promise<unknown> {
  const entering = enter(request)
  if (entering instanceof Promise) await entering
  try {
    return await attempt()
  } finally {
    if (typeof entering === 'function') entering()
  }
}

interface Learner extends Pick<VenueOptions, 'onKeyRefused'> {
  endpoint: Pick<Endpoint, 'measureClock'>
  codes: Codes
  fence?: Fence
}

/** Attempts something by the venue's clock, and passes on what a refusal says of that, or of the key. */
async function learning(
  { endpoint, codes, fence, onKeyRefused }: Learner,
  attempt: () => Promise<unknown>,
): Promise<unknown> {
  const isClockBlamed = (error: unknown): boolean => {
    const refusal = refusalIn(error)
    return refusal !== undefined && codes.blamesClock(refusal)
  }
  try {
    return await onVenueClock({ endpoint, blamesClock: isClockBlamed, ...(fence && { fence }) }, attempt)
  } catch (error) {
    if (codes.keyFaults.has(refusalIn(error)?.code ?? 0)) onKeyRefused?.()
    if (isClockBlamed(error)) {
      fence?.doubt()
      void endpoint.measureClock()
    }
    throw error
  }
}
