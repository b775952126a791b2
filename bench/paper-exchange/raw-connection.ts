import { connect, type Socket } from 'node:net'

/** One kept-alive connection that sends a request at a time, with nothing in between that could cost. */
export interface RawConnection {
  /** Sends a request and answers the body, and how long it took until all of it was there, in µs. */
  send: (request: string) => Promise<{ body: string; micros: number }>
  close: () => void
}

/** Connects to a server of this machine. */
export async function openRawConnection(port: number): Promise<RawConnection> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  let received = ''
  let onAnswer: ((body: string) => void) | undefined
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received += chunk
    const body = wholeBody(received)
    if (body === undefined) return
    received = ''
    onAnswer?.(body)
  })
  return {
    send: async (request) => {
      const sentAt = performance.now()
      const body = await new Promise<string>((resolve) => {
        onAnswer = resolve
        socket.write(request, 'latin1')
      })
      return { body, micros: (performance.now() - sentAt) * 1000 }
    },
    close: () => socket.destroy(),
  }
}

/** A request as it goes over the wire. */
export function rawRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const lines = Object.entries({ host: 'localhost', ...headers, 'content-length': `${body.length}` })
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

function wholeBody(received: string): string | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const length = /content-length: (\d+)/i.exec(received)?.[1]
  if (length === undefined) throw new Error(`No length: ${received.slice(0, end)}`)
  const body = received.slice(end + 4)
  return body.length >= Number(length) ? body : undefined
}
