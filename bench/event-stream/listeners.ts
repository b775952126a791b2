import { connect, type Socket } from 'node:net'

/**
 * Many browsers that listen to live events and note as little as possible: they share the machine with what they
 * measure.
 */
export interface Listeners {
  /** Returns how often each alert id came since it was first asked for. */
  received: (alertId: string) => number
  close: () => void
}

const idInLine = /"execution_id":"(\w{26})-\d+"/g

/** Opens a stream for each token; `onHeard` is called for each event that arrives at any of them. */
export async function openListeners(
  url: string,
  tokens: readonly string[],
  onReceived: (alertId: string) => void,
): Promise<Listeners> {
  const counts = new Map<string, number>()
  const sockets: Socket[] = []
  const onAlert = (alertId: string): void => {
    counts.set(alertId, (counts.get(alertId) ?? 0) + 1)
    onReceived(alertId)
  }
  // So many at a time, as the server takes them.
  const atATime = 100
  for (let first = 0; first < tokens.length; first += atATime) {
    const some = tokens.slice(first, first + atATime)
    sockets.push(...(await Promise.all(some.map(async (token) => await openStream(url, token, onAlert)))))
  }
  return {
    received: (alertId) => counts.get(alertId) ?? 0,
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function openStream(url: string, token: string, onAlert: (alertId: string) => void): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  const head = ['GET /api/events/stream HTTP/1.1', 'host: bench', `authorization: Bearer ${token}`]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const { promise: connected, resolve, reject } = Promise.withResolvers<void>()
  let text = ''
  socket.setEncoding('utf8')
  socket.on('error', reject)
  socket.on('close', () => reject(new Error(`A stream was not opened, or cut off: ${text.slice(0, 200)}`)))
  socket.on('data', (chunk: string) => {
    text += chunk
    if (text.includes('"connected"')) resolve()
    for (const [, alertId = ''] of text.matchAll(idInLine)) onAlert(alertId)
    // The end of a chunk may go on in the next one.
    text = text.slice(text.lastIndexOf('\n') + 1)
  })
  await connected
  return socket
}
