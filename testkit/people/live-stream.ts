import { LiveEvent } from '@tripline/proto/live-event'

/** The live events of a user, as a browser gets them. */
export interface LiveStream {
  /** Everything that has come so far. */
  readonly events: readonly LiveEvent[]
  stop(): void
}

/** Opens the stream of a user's live events; it is read in the background. */
export async function openLiveStream(webUrl: string, accessToken: string): Promise<LiveStream> {
  const stopping = new AbortController()
  const response = await fetch(new URL('/api/events/stream', webUrl), {
    headers: { authorization: `Bearer ${accessToken}`, accept: 'text/event-stream' },
    signal: stopping.signal,
  })
  if (!response.ok || response.body === null)
    throw new Error(`The live stream answered ${response.status}: ${await response.text()}`)
  const events: LiveEvent[] = []
  // A stream that is cut off shows as events that do not come.
  void collect(response.body, events).catch(() => undefined)
  return { events, stop: () => stopping.abort() }
}

async function collect(body: ReadableStream<Uint8Array>, events: LiveEvent[]): Promise<void> {
  let rest = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data: ')) events.push(LiveEvent.parse(JSON.parse(line.slice(6))))
    }
  }
}
