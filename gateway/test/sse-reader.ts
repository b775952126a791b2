import { LiveEvent } from '@tripline/proto/live-event'

/** A browser that reads a stream of live events. */
export interface SseReader {
  status: number
  headers: Headers
  /** The body of a refusal. */
  refusal: unknown
  events: { id: number; event: LiveEvent }[]
  /** Every line as it came. */
  lines: string[]
  hasEnded: () => boolean
  close: () => void
}

/** Opens a stream and reads it in the background. */
export async function readSse(
  url: string,
  token: string,
  { lastEventId, headers: more }: { lastEventId?: string | undefined; headers?: Record<string, string> } = {},
): Promise<SseReader> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    ...more,
  }
  return await readStreamAt(`${url}/api/events/stream`, headers)
}

/** Opens the stream that is for everybody. */
export async function readPublicSse(url: string, headers: Record<string, string> = {}): Promise<SseReader> {
  return await readStreamAt(`${url}/api/events/public-stream?t=1795262400000`, headers)
}

async function readStreamAt(url: string, headers: Record<string, string>): Promise<SseReader> {
  const aborting = new AbortController()
  const answer = await fetch(url, { signal: aborting.signal, headers })
  let ended = false
  const reader: SseReader = {
    status: answer.status,
    headers: answer.headers,
    refusal: answer.ok ? undefined : await answer.json(),
    events: [],
    lines: [],
    hasEnded: () => ended,
    close: () => aborting.abort(),
  }
  if (answer.ok && answer.body !== null) {
    void readLines(answer.body, reader).finally(() => {
      ended = true
    })
  }
  return reader
}

async function readLines(body: ReadableStream<Uint8Array>, reader: SseReader): Promise<void> {
  let rest = ''
  let id = Number.NaN
  try {
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        reader.lines.push(line)
        if (line.startsWith('id: ')) id = Number(line.slice(4))
        if (line.startsWith('data: '))
          reader.events.push({ id, event: LiveEvent.parse(JSON.parse(line.slice(6))) })
      }
    }
  } catch {
    // The stream was cut off or closed by the test.
  }
}
