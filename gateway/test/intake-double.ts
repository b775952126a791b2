import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A request as it arrived at intake. */
export interface Arrived {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Plays intake: it keeps what arrives and gives the chosen answers. */
export interface IntakeDouble {
  url: string
  arrived: Arrived[]
  sockets: Set<Socket>
  answerWith: (answer: (arrived: Arrived, response: ServerResponse) => void) => void
  /** Refuses a longer body with 413 and closes the connection, as fastify does. */
  refuseBeyond: (bytes: number) => void
  stop: () => Promise<void>
}

export async function startIntakeDouble(): Promise<IntakeDouble> {
  const arrived: Arrived[] = []
  const sockets = new Set<Socket>()
  let answer = (_arrived: Arrived, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"success"}')
  }
  let most = Number.POSITIVE_INFINITY
  const server = createServer((request, response) => {
    refuseLonger(request, response, most)
    void readBody(request).then((body) => {
      if (response.writableEnded) return
      const { method = '', url = '', headers } = request
      const one = { method, url, headers, body }
      arrived.push(one)
      answer(one, response)
    })
  })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    arrived,
    sockets,
    answerWith: (next) => {
      answer = next
    },
    refuseBeyond: (bytes) => {
      most = bytes
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function refuseLonger(request: IncomingMessage, response: ServerResponse, most: number): void {
  const refuse = (): void => {
    if (response.writableEnded) return
    response.writeHead(413, { connection: 'close' }).end('{"status":"failed"}')
    response.once('finish', () => request.socket.destroySoon())
  }
  let bytes = 0
  if (Number(request.headers['content-length']) > most) refuse()
  else
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > most) refuse()
    })
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
  } catch {
    // The caller hung up.
  }
  return Buffer.concat(chunks)
}
