import { steadyNow } from '@tripline/kit/time/clock'
import type { Dispatcher } from 'undici'
import { WithheldError } from './fence.ts'
import { HeldBackError } from './refusal.ts'
import type { SharedConnections } from './shared-connections.ts'
import { DeadlineError, withDeadline } from './with-deadline.ts'

/** For how long a signature may wait for a free connection: venues refuse what was signed for a moment long past. */
const freshMs = 500

/** Thrown right before a request is written whose signature is old; nothing of it was sent. */
class StaleError extends Error {
  constructor() {
    super('signed too long ago')
    this.name = 'StaleError'
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
 * Calls back once it is on the wire. Throws a `WithheldError` where it was not permitted, and a `HeldBackError` where no
 * connection was free in its time: nothing was sent then.
 */
export async function sendFresh(
  connections: SharedConnections,
  request: FreshRequest,
  onSent: () => void,
): Promise<Answer> {
  const { timeoutMs } = request
  const whole = { isOver: false, isWritten: false }
  try {
    return await withDeadline(untilWritten(connections, request, whole, onSent), timeoutMs)
  } catch (error) {
    if (!(error instanceof DeadlineError) || whole.isWritten) throw error
    throw new HeldBackError(`no connection to the exchange became free within ${timeoutMs} ms`)
  } finally {
    whole.isOver = true
  }
}

async function untilWritten(
  { dispatcher, onQueued }: SharedConnections,
  request: FreshRequest,
  whole: { isOver: boolean; isWritten: boolean },
  onSent: () => void,
): Promise<Answer> {
  const queuedAt = steadyNow()
  for (;;) {
    const signedAt = steadyNow()
    const mayWrite = (): void => {
      if (whole.isOver || !request.isPermitted()) throw new WithheldError()
      if (steadyNow() - signedAt > freshMs) throw new StaleError()
      whole.isWritten = true
      onQueued?.(steadyNow() - queuedAt)
    }
    try {
      return await exchange(dispatcher, request, mayWrite, onSent)
    } catch (error) {
      if (!(error instanceof StaleError)) throw error
    }
  }
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
  dispatcher.dispatch(
    { origin, method, ...sign(), ...limits },
    {
      onRequestStart: () => {
        mayWrite()
        // Head and body are written in the turn that begins the request.
        queueMicrotask(onSent)
      },
      onResponseStart: (_controller, status, headers) => void Object.assign(answer, { status, headers }),
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve({ ...answer, text: Buffer.concat(chunks).toString('utf8') }),
      onResponseError: (_controller, error) => reject(error),
    },
  )
  return promise
}

/** True for a status of success. */
export function isDone(status: number): boolean {
  return status >= 200 && status < 300
}
