import { setTimeout as sleep } from 'node:timers/promises'
import { steadyNow } from '@tripline/kit/time/clock'
import { type Dispatcher, errors } from 'undici'
import { WithheldError } from './fence.ts'
import { HeldBackError } from './refusal.ts'
import type { SharedConnections } from './shared-connections.ts'
import { DeadlineError, withDeadline } from './with-deadline.ts'

/**
 * For how long a signature may wait for a free connection: venues refuse what was signed for a moment long past. Each further
 * one may wait longer, as long as venues take it for certain: the client writes a turn of the event loop later, and what a late
 * process sends would never be fresh.
 */
const freshMs = 500
const mostFreshMs = 1500
const connectAgainMs = 250

/** Thrown right before a request is written whose signature is old; nothing of it was sent. */
class StaleError extends Error {
  constructor() {
    super('signed too long ago')
    this.name = 'StaleError'
  }
}

/** Thrown where a request met no connection, and none could be made; nothing of it was sent. */
class UnconnectedError extends Error {
  override readonly cause: NodeJS.ErrnoException

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message)
    this.name = 'UnconnectedError'
    this.cause = cause
  }
}

/** The answer to a request, whatever its status. */
export interface Answer {
  status: number
  headers: Headers
  text: string
}

export type Headers = Record<string, string | string[] | undefined>

/** A request that is signed in the moment in which it is written to its connection. */
export interface FreshRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  origin: string
  /** Signs the request for the present moment. */
  sign: () => { path: string; body?: string; headers: Record<string, string> }
  /** Asked right before the first byte. */
  isPermitted: () => boolean
  timeoutMs: number
}

/**
 * Returns the answer to a request that may wait for a free connection; where one is free, it is dispatched before this
 * returns. It is signed anew where that took long, and never written once it is not permitted any more, or its time is over.
 * A change for which no connection can be made tries again in its time; a question fails with the cause. Calls back once it
 * is on the wire. Throws a `WithheldError` where it was not permitted, and a `HeldBackError` where there was no connection
 * for it in its time: nothing was sent then.
 */
export async function sendFresh(
  connections: SharedConnections,
  request: FreshRequest,
  onSent: () => void,
): Promise<Answer> {
  const { timeoutMs } = request
  const whole: Whole = { isOver: false, isWritten: false }
  try {
    return await withDeadline(untilWritten(connections, request, whole, onSent), timeoutMs)
  } catch (error) {
    if (!(error instanceof DeadlineError) || whole.isWritten) throw error
    const { hindrance } = whole
    const state = hindrance === undefined ? 'became free' : 'could be made'
    const cause = hindrance?.code === undefined ? '' : ` (${hindrance.code})`
    throw new HeldBackError(`no connection to the exchange ${state} within ${timeoutMs} ms${cause}`)
  } finally {
    whole.isOver = true
  }
}

/** The progress of a request, all its attempts together. */
interface Whole {
  isOver: boolean
  isWritten: boolean
  /** The last attempt ended with this, since no connection could be made; its code names no address. */
  hindrance?: NodeJS.ErrnoException | undefined
}

async function untilWritten(
  { dispatcher, onQueued }: SharedConnections,
  request: FreshRequest,
  whole: Whole,
  onSent: () => void,
): Promise<Answer> {
  let queuedAt = steadyNow()
  let mostAgeMs = freshMs
  while (!whole.isOver) {
    const signedAt = steadyNow()
    const mayWrite = (): void => {
      if (whole.isOver || !request.isPermitted()) throw new WithheldError()
      if (steadyNow() - signedAt > mostAgeMs) throw new StaleError()
      whole.isWritten = true
      onQueued?.(steadyNow() - queuedAt, request.origin)
    }
    try {
      return await exchange(dispatcher, request, mayWrite, onSent)
    } catch (error) {
      whole.hindrance = error instanceof UnconnectedError ? error.cause : undefined
      if (error instanceof UnconnectedError) {
        if (request.method === 'GET') throw error.cause
        await sleep(connectAgainMs)
        // Until then it waited for the exchange, and for no connection that others had.
        queuedAt = steadyNow()
      } else if (error instanceof StaleError) mostAgeMs = Math.min(mostFreshMs, mostAgeMs + freshMs)
      else throw error
    }
  }
  throw new WithheldError()
}

/**
 * Dispatches a request. If `mayWrite` throws, the client fails it with that, writes nothing and keeps the connection.
 */
function exchange(
  dispatcher: Dispatcher,
  { method, origin, sign, timeoutMs }: FreshRequest,
  mayWrite: () => void,
  onSent: () => void,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const answer: Answer = { status: 0, headers: {}, text: '' }
  const chunks: Buffer[] = []
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  let hasBegun = false
  dispatcher.dispatch(
    { origin, method, ...sign(), ...limits },
    {
      onRequestStart: () => {
        hasBegun = true
        mayWrite()
        // Head and body are written in the turn that begins the request.
        queueMicrotask(onSent)
      },
      onResponseStart: (_controller, status, headers) => void Object.assign(answer, { status, headers }),
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve({ ...answer, text: Buffer.concat(chunks).toString('utf8') }),
      onResponseError: (_controller, error) =>
        reject(hasBegun || isOurs(error) ? error : new UnconnectedError(error)),
    },
  )
  return promise
}

/** True where the client itself is closed, or refuses the request as it is. */
function isOurs(error: Error): boolean {
  return [errors.ClientClosedError, errors.ClientDestroyedError, errors.InvalidArgumentError].some(
    (kind) => error instanceof kind,
  )
}

/** True for a status of success. */
export function isDone(status: number): boolean {
  return status >= 200 && status < 300
}
