/** A stream of server-sent events, as it came so far. */
export interface OpenStream {
  readonly status: number
  readonly contentType: string
  text: () => string
  hasEnded: () => boolean
  close: () => void
}

/** Opens a stream and reads it in the background. */
export async function openStream(url: URL, headers: Record<string, string> = {}): Promise<OpenStream> {
  const closing = new AbortController()
  const answer = await fetch(url, { headers, signal: closing.signal })
  let text = ''
  let hasEnded = false
  const read = async (): Promise<void> => {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk
  }
  // A stream that is closed here ends with an error.
  void read()
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true
    })
  return {
    status: answer.status,
    contentType: answer.headers.get('content-type') ?? '',
    text: () => text,
    hasEnded: () => hasEnded,
    close: () => closing.abort(),
  }
}
