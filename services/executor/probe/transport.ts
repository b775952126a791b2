import { setTimeout as sleep } from 'node:timers/promises'
import { type Dispatcher, request } from 'undici'
import { WebSocket } from 'ws'
import type { Line } from './exchange.ts'

/** The exchange's time limit for anything. */
const answerMs = 10_000

/** Thrown where there is no answer in time, or no connection. */
export class NoAnswerError extends Error {
  constructor(action: string, cause: unknown) {
    super(`${action}: ${reasonOf(cause)}`, { cause })
    this.name = 'NoAnswerError'
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'no answer'
  if (cause.name === 'TimeoutError') return `no answer in ${answerMs / 1000} s`
  const { code } = cause as { code?: string }
  const inner = cause instanceof AggregateError ? (cause.errors[0] as Error | undefined)?.message : undefined
  return inner ?? (cause.message || code || cause.name)
}

/** The text without the key and its secret: Bybit says what it was that was signed wrongly, the key in it. */
export function hideKeys(text: string, { apiKey, secret }: Line['credentials']): string {
  return text.replaceAll(apiKey, 'masked').replaceAll(secret, 'masked')
}

/** An answer over HTTP, with the moments (monotonic, ms) around it. */
export interface HttpAnswer {
  status: number
  text: string
  sentAt: number
  answeredAt: number
}

/**
 * Sends a request over HTTP; it ends in time. One that is on its way is awaited also where the run was stopped: what it
 * places is to be known before anything is tidied up.
 */
export async function sendHttp(
  line: Pick<Line, 'dispatcher' | 'signal' | 'onLost' | 'credentials'>,
  address: string,
  options: { method: string; headers: Record<string, string>; body?: string },
): Promise<HttpAnswer> {
  const { method, headers, body } = options
  line.signal.throwIfAborted()
  const sentAt = performance.now()
  try {
    const answer = await request(address, {
      ...{
        dispatcher: line.dispatcher,
        method: method as Dispatcher.HttpMethod,
        headers,
        body: body ?? null,
      },
      signal: AbortSignal.timeout(answerMs),
    })
    const text = hideKeys(await answer.body.text(), line.credentials)
    return { status: answer.statusCode, text, sentAt, answeredAt: performance.now() }
  } catch (error) {
    line.onLost()
    throw new NoAnswerError(`${method} ${new URL(address).host}${new URL(address).pathname}`, error)
  }
}

/** A socket on which frames are awaited by what they say. */
export interface ProbeSocket {
  send: (text: string) => void
  /** The first frame, from now on, of which it is true; undefined where none comes in time. */
  next: (isIt: (text: string) => boolean, withinMs?: number) => Promise<string | undefined>
  isOpen: () => boolean
  close: () => void
}

/** Opens a socket; each frame is passed on with the moment at which it came. */
export async function openSocket(
  address: string,
  onFrame: (text: string, at: number) => void,
  signal: AbortSignal,
): Promise<ProbeSocket> {
  signal.throwIfAborted()
  const socket = new WebSocket(address, { handshakeTimeout: answerMs, perMessageDeflate: false })
  const waiting = new Set<(text: string) => void>()
  socket.on('message', (data) => {
    const text = String(data)
    onFrame(text, performance.now())
    for (const wait of waiting) wait(text)
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => resolve())
    // Also listened to later: an error without a listener ends the process.
    socket.on('error', (error) => reject(new NoAnswerError(`socket ${new URL(address).host}`, error)))
  })
  return {
    send: (text) => socket.send(text, () => undefined),
    next: async (isIt, withinMs = answerMs) => {
      const { promise, resolve } = Promise.withResolvers<string | undefined>()
      const wait = (text: string): void => void (isIt(text) && resolve(text))
      waiting.add(wait)
      try {
        return await Promise.race([promise, sleep(withinMs, undefined, { ref: false })])
      } finally {
        waiting.delete(wait)
      }
    },
    isOpen: () => socket.readyState === WebSocket.OPEN,
    close: () => socket.terminate(),
  }
}

/** Waits, and throws where the run is stopped. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal })
}

/** Waits so long that requests lie at least some ms apart. */
export function createRateLimiter(): (ms: number) => Promise<void> {
  let nextAt = 0
  return async (ms) => {
    const waitMs = nextAt - performance.now()
    nextAt = Math.max(nextAt, performance.now()) + ms
    if (waitMs > 0) await sleep(waitMs)
  }
}
