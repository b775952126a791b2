import { setTimeout as sleep } from 'node:timers/promises'
import { LiveEvent } from '@tripline/proto/live-event'

/** The live stream of a person who opens it again, from where it broke off, whenever it ends. */
export interface LastingStream {
  /** The events that came, each once or as often as it came. */
  readonly events: LiveEvent[]
  /** Returns how often it was opened. */
  opened: () => number
  stop: () => Promise<void>
}

const againMs = 200

/** Listens as a browser does. */
export function listenOnAndOn(webUrl: string, accessToken: string): LastingStream {
  const events: LiveEvent[] = []
  const stopping = new AbortController()
  let opened = 0
  let lastId: string | undefined
  const read = async (): Promise<void> => {
    const response = await fetch(new URL('/api/events/stream', webUrl), {
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      },
      signal: stopping.signal,
    })
    if (!response.ok || response.body === null) return
    opened++
    for await (const { id, event } of messagesOf(response.body)) {
      lastId = id
      events.push(event)
    }
  }
  const listen = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await read().catch(() => undefined)
      await sleep(againMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const listening = listen()
  return {
    events,
    opened: () => opened,
    stop: async () => {
      stopping.abort()
      await listening
    },
  }
}

async function* messagesOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ id: string; event: LiveEvent }> {
  let rest = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const messages = (rest + chunk).split('\n\n')
    rest = messages.pop() ?? ''
    for (const message of messages) {
      const [, id, data] = /^id: ([\d.]+)\ndata: (.*)$/.exec(message) ?? []
      if (id !== undefined && data !== undefined) yield { id, event: LiveEvent.parse(JSON.parse(data)) }
    }
  }
}
