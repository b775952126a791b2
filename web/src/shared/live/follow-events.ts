import { LiveEvent } from '@tripline/proto/live-event'
import { createParser } from 'eventsource-parser'
import { texts } from '../texts.ts'
import { reconnectDelayMs } from './reconnect-delay.ts'

/** The phase of the live log's connection. */
export type LivePhase = { phase: 'connecting' | 'live' } | { phase: 'reconnecting'; attempt: number }

/** Asks for the stream, from behind the last event that was seen. */
export type Connect = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>

interface Follower {
  /** An event that came, and the id behind which the stream goes on after it. */
  onEvent(event: LiveEvent, lastEventId: string | undefined): void
  onPhase(state: LivePhase): void
  /** Why a connection could not be made, or broke. */
  onFailure(cause: unknown): void
}

const watchEveryMs = 10_000
const silenceLimitMs = 60_000

/**
 * Follows the live events, from behind an id where there is one, until the signal says stop; connects again whenever the
 * stream ends or falls silent.
 */
export async function followEvents(
  connect: Connect,
  follower: Follower,
  stop: AbortSignal,
  behind?: string,
): Promise<void> {
  let attempt = 0
  let lastEventId = behind
  follower.onPhase({ phase: 'connecting' })
  while (!stop.aborted) {
    try {
      await followOnce({
        connect: (signal) => connect(lastEventId, signal),
        stop,
        onOpen: () => {
          attempt = 0
          follower.onPhase({ phase: 'live' })
        },
        onMessage: (data, id) => {
          lastEventId = id ?? lastEventId
          const event = readEvent(data)
          if (event) follower.onEvent(event, lastEventId)
        },
      })
    } catch (cause) {
      if (!stop.aborted) follower.onFailure(cause)
    }
    if (stop.aborted) return
    attempt += 1
    follower.onPhase({ phase: 'reconnecting', attempt })
    await pause(reconnectDelayMs(attempt), stop)
  }
}

interface Connection {
  connect(signal: AbortSignal): Promise<Response>
  stop: AbortSignal
  onOpen(): void
  onMessage(data: string, id: string | undefined): void
}

/** Reads one connection to its end; throws when it cannot be made, breaks or falls silent. */
async function followOnce({ connect, stop, onOpen, onMessage }: Connection): Promise<void> {
  const silence = new AbortController()
  const watchdog = watchSilence(silence)
  try {
    const answer = await connect(AbortSignal.any([stop, silence.signal]))
    if (!answer.ok || answer.body === null) throw new Error(texts.log.failure)
    onOpen()
    const parser = createParser({ onEvent: ({ data, id }) => onMessage(data, id) })
    for await (const text of textsOf(answer.body)) {
      watchdog.noteReceipt()
      parser.feed(text)
    }
  } finally {
    watchdog.stop()
  }
}

// Not `for await` over the body itself: Safari's streams cannot be iterated.
async function* textsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}

/** Aborts when nothing, not even a keep-alive, was received for a minute. */
function watchSilence(silence: AbortController) {
  let receivedAt = Date.now()
  const timer = setInterval(() => {
    if (Date.now() - receivedAt >= silenceLimitMs) silence.abort(new Error('The event stream fell silent'))
  }, watchEveryMs)
  return {
    noteReceipt: () => {
      receivedAt = Date.now()
    },
    stop: () => clearInterval(timer),
  }
}

function readEvent(data: string): LiveEvent | undefined {
  try {
    return LiveEvent.safeParse(JSON.parse(data)).data
  } catch {
    return undefined
  }
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    stop.addEventListener('abort', done)
    function done() {
      clearTimeout(timer)
      stop.removeEventListener('abort', done)
      resolve()
    }
  })
}
