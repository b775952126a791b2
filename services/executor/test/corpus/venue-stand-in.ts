import { createServer } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'

/** Returns the answer to a request, by its query, body and method. */
export type Answering = (
  query: URLSearchParams,
  body: string,
  method?: string,
) => { status: number; text: string }

/** Returns the reply to a text on a socket; undefined for none. */
export type Talking = (text: string) => string | undefined

/** A venue of which only what is set here exists, over HTTP and over sockets. */
export interface VenueStandIn {
  url: string
  /** Sets what a path answers; everything else is 404. */
  answer: (path: string, answering: Answering) => void
  /** Sets what a socket at a path answers to frames. */
  talk: (path: string, talking: Talking) => void
  /** Says something on all sockets at a path. */
  push: (path: string, text: string) => void
  stop: () => Promise<void>
}

/** Starts one that knows nothing yet. */
export async function venueStandIn(headers: Record<string, string> = {}): Promise<VenueStandIn> {
  const answers = new Map<string, Answering>()
  const talks = new Map<string, Talking>()
  const sockets = new Map<WebSocket, string>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const answering = answers.get(pathname)
      const { status, text } = answering?.(searchParams, body, request.method) ?? { status: 404, text: '{}' }
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(text)
    })
  })
  // Venues keep connections open: one that was closed in between would fail the request that meets it.
  server.keepAliveTimeout = 600_000
  const upgrading = new WebSocketServer({ server })
  upgrading.on('connection', (socket, request) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    sockets.set(socket, pathname)
    socket.on('close', () => sockets.delete(socket))
    socket.on('message', (data) => {
      const said = talks.get(pathname)?.(String(data))
      if (said !== undefined) socket.send(said)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    answer: (path, answering) => void answers.set(path, answering),
    talk: (path, talking) => void talks.set(path, talking),
    push: (path, text) => {
      for (const [socket, at] of sockets) if (at === path) socket.send(text)
    },
    stop: async () => {
      for (const socket of sockets.keys()) socket.terminate()
      upgrading.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
