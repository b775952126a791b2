import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Clock } from '../clock.ts'
import type { Answer, Incoming, Reply } from './message.ts'

// Clients keep connections for at least 75 s; the server must not close one they are about to use.
const KEEP_ALIVE_MS = 90_000
const MAX_BODY_BYTES = 65_536

/** An HTTP server that reads requests whole, stamps the moment their bytes are complete, and passes them on. */
export function createHttp(clock: Clock, serve: (incoming: Incoming, reply: Reply) => void): Server {
  // Other protocols are offered in passing, by clients that speak plain HTTP as well.
  const shouldUpgradeCallback = ({ headers }: IncomingMessage): boolean =>
    headers.upgrade?.toLowerCase() === 'websocket'
  const options = { keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true, shouldUpgradeCallback }
  const server = createServer(options, (request, response) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= MAX_BODY_BYTES) chunks.push(chunk)
    })
    request.on('end', () => {
      const receivedNs = clock.nowNs()
      const reply = replyTo(response)
      if (size > MAX_BODY_BYTES) reply.send({ status: 413, body: '{"detail":"The body is too large."}' })
      else serve(readIncoming(request, chunks, receivedNs), reply)
    })
    request.on('error', () => response.destroy())
  })
  return server
}

function readIncoming(request: IncomingMessage, chunks: Buffer[], receivedNs: bigint): Incoming {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    body: chunks.length === 0 ? '' : Buffer.concat(chunks).toString('latin1'),
    headers: request.headers,
    remoteAddress: request.socket.remoteAddress ?? '',
    receivedNs,
  }
}

function replyTo(response: ServerResponse): Reply {
  return {
    send: (answer) => {
      begin(response, answer)
      response.end(answer.body)
    },
    stall: async (answer, over) => {
      begin(response, answer)
      const bytes = Buffer.from(answer.body)
      const half = bytes.length >> 1
      response.write(bytes.subarray(0, half))
      await over
      response.end(bytes.subarray(half))
    },
    drop: () => response.destroy(),
    hangUp: () => response.destroy(),
  }
}

function begin(response: ServerResponse, { status, body, headers }: Answer): void {
  const length = Buffer.byteLength(body)
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': length, ...headers })
}
