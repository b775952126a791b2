import type { ServerResponse } from 'node:http'
import { whenClosed } from '@tripline/kit/http/keyed-limit'

/** A browser that listens to server-sent events. */
export interface SseConnection {
  /** Sends what `sseMessage` made. */
  send: (text: string) => void
  keepAlive: () => void
  end: () => void
  isOpen: () => boolean
  onClose: (listener: () => void) => void
}

export interface SseOptions {
  headers: Record<string, string>
  /** A browser that leaves more than this unread is cut off instead of being buffered for. */
  unsentLimitBytes: number
}

/** A message under its id, by which a browser resumes, as all who get it are sent it. */
export function sseMessage(id: number, message: object): string {
  return `id: ${id}\ndata: ${JSON.stringify(message)}\n\n`
}

/** Begins to answer with server-sent events. */
export function openSse(response: ServerResponse, { headers, unsentLimitBytes }: SseOptions): SseConnection {
  const isOpen = (): boolean => !response.writableEnded && !response.destroyed
  const write = (text: string): void => {
    if (!isOpen()) return
    response.write(text)
    if (response.writableLength > unsentLimitBytes) response.destroy()
  }
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  response.on('error', () => response.destroy())
  return {
    send: write,
    keepAlive: () => write(': keep-alive\n\n'),
    end: () => {
      if (isOpen()) response.end()
    },
    isOpen,
    onClose: (listener) => whenClosed(response, listener),
  }
}
