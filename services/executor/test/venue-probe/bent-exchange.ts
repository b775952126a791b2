import { createServer } from 'node:http'
import { WebSocket, WebSocketServer } from 'ws'

/** A request and what was answered to it. */
export interface Exchanged {
  method: string
  path: string
  /** The query, or the form or JSON that was posted. */
  sent: string
  status: number
  text: string
}

/** A difference from another exchange. */
export interface Bend {
  /** An answer of its own to a request that never arrives; undefined where it is passed on. */
  instead?: (
    request: Pick<Exchanged, 'method' | 'path' | 'sent'>,
  ) => Pick<Exchanged, 'status' | 'text'> | undefined
  /** Another answer; undefined where it stays. */
  answer?: (exchanged: Exchanged) => Partial<Pick<Exchanged, 'status' | 'text'>> | undefined
  /** Another frame of a stream; empty for none. */
  frame?: (text: string) => string
}

/** An exchange that answers as the one behind it, but for its bends. */
export async function bentExchange(
  behind: string,
  bends: readonly Bend[],
): Promise<{ url: string; stop: () => Promise<void> }> {
  const bent = (exchanged: Exchanged): Exchanged =>
    bends.reduce((now, { answer }) => Object.assign(now, answer?.(now)), exchanged)
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = 'GET', url = '/', headers } = request
    const { host: _host, connection: _connection, 'content-length': _length, ...passed } = headers
    const body = Buffer.concat(chunks).toString()
    const { pathname, search } = new URL(url, behind)
    const asked = { method, path: pathname, sent: `${search}${body}` }
    const own = bends.map(({ instead }) => instead?.(asked)).find((one) => one !== undefined)
    if (own !== undefined) return void response.writeHead(own.status).end(own.text)
    const answer = await fetch(behind + url, {
      ...{ method, headers: passed as Record<string, string> },
      ...(body !== '' && { body }),
    })
    const { status, text } = bent({ ...asked, status: answer.status, text: await answer.text() })
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (near, { url = '/' }) => {
    const far = new WebSocket(behind.replace('http', 'ws') + url)
    const opened = new Promise<void>((resolve) => far.on('open', () => resolve()))
    near.on('message', (data) => void opened.then(() => far.send(String(data))))
    far.on('message', (data) => {
      const text = bends.reduce((now, { frame }) => frame?.(now) ?? now, String(data))
      if (text !== '') near.send(text)
    })
    near.on('close', () => far.terminate())
    far.on('close', () => near.terminate())
    far.on('error', () => near.terminate())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
