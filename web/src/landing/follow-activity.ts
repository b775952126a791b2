import { createParser } from 'eventsource-parser'

/** Callbacks of a subscriber to the public stream. */
export interface ActivityFollower {
  /** Whether the connection is open. */
  onState(isLive: boolean): void
  /** Receives one event of the stream. */
  onText(text: string): void
}

const connectLimitMs = 30_000
const retryMs = 5_000

/** Follows the public stream until the signal says stop; one that ends or cannot be opened is tried again. */
export async function followActivity(follower: ActivityFollower, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    follower.onState(false)
    await followOnce(follower, stop).catch(() => undefined)
    if (stop.aborted) return
    follower.onState(false)
    await pause(stop)
  }
}

async function followOnce({ onState, onText }: ActivityFollower, stop: AbortSignal): Promise<void> {
  const body = await connect(stop)
  onState(true)
  const parser = createParser({ onEvent: ({ data }) => onText(data) })
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) parser.feed(next.value)
}

async function connect(stop: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const slow = new AbortController()
  const timer = setTimeout(() => slow.abort(), connectLimitMs)
  try {
    const answer = await fetch(`/api/events/public-stream?t=${Date.now()}`, {
      headers: { accept: 'text/event-stream' },
      cache: 'no-store',
      signal: AbortSignal.any([stop, slow.signal]),
    })
    if (!answer.ok || answer.body === null) throw new Error(`The public stream answered ${answer.status}`)
    return answer.body
  } finally {
    clearTimeout(timer)
  }
}

function pause(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, retryMs)
    stop.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
