import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Log } from '@tripline/kit/telemetry/log'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../clock.ts'
import type { OpenSockets } from './open-sockets.ts'
import type { Peer, SocketRequest, SocketSession } from './socket.ts'

/** A path that a venue serves over sockets. */
export type SocketRoute = Readonly<{
  wire: string
  path: string
  open: (request: SocketRequest, peer: Peer) => SocketSession | undefined
}>

/** Dependencies of the socket server. */
export type SocketServing = Readonly<{
  server: Server
  clock: Clock
  log: Log
  sockets: OpenSockets
  route: (path: string, host: string | undefined) => SocketRoute | undefined
  keepAlive: KeepAlive
}>

/** The interval of pings, and the longest silence of a client. */
export type KeepAlive = Readonly<{ pingMs: number; cutMs: number }>

/** As the venues do it. */
export const VENUE_KEEP_ALIVE: KeepAlive = { pingMs: 20_000, cutMs: 60_000 }

const MAX_FRAME_BYTES = 65_536
// A client that does not read would otherwise have its events buffered here without end.
const MAX_WAITING_BYTES = 16_777_216
const NOT_FOUND = refusal('404 Not Found')
const FAULT = refusal('500 Internal Server Error')

const UNSUPPORTED = 1003
const INTERNAL = 1011
const GOING_AWAY = 1001

/** Serves sockets on an HTTP server by the path of their upgrade; `close` cuts them all. */
export function serveSockets(serving: SocketServing): { close: () => void } {
  const { server, sockets, clock, keepAlive } = serving
  const upgrades = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
  })
  const clients = new Map<WebSocket, { unanswered: number }>()
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const link = createLink()
    const session = openSession(serving, request, link.peer)
    if (typeof session === 'string') return refuse(socket, session)
    socket.once('close', () => {
      sockets.forget(link.peer)
      guarded(serving, 'a session did not end', session.onClose)
    })
    upgrades.handleUpgrade(request, socket, head, (client) => {
      clients.set(client, { unanswered: 0 })
      client.once('close', () => clients.delete(client))
      serveSocket(serving, client, session)
      client.on('pong', () => clients.set(client, { unanswered: 0 }))
      link.attach(client, socket)
    })
  })
  const pinging = setInterval(() => ping(clients, keepAlive, clock), keepAlive.pingMs)
  return {
    close: () => {
      clearInterval(pinging)
      for (const client of clients.keys()) cut(client)
    },
  }
}

// A client that keeps its own side open would otherwise hold the connection for as long as it likes.
function refuse(socket: Duplex, answer: string): void {
  socket.end(answer, () => socket.destroy())
}

/** The session of a new socket, or the answer that refuses it. */
function openSession(serving: SocketServing, request: IncomingMessage, peer: Peer): SocketSession | string {
  const { sockets, route } = serving
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  const found = route(mark < 0 ? url : url.slice(0, mark), request.headers.host)
  if (!found) return NOT_FOUND
  const { wire, path, open } = found
  sockets.add(peer, wire, path)
  const asked: SocketRequest = {
    path,
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers: request.headers,
    remoteAddress: request.socket.remoteAddress ?? '',
  }
  const opened = guarded(serving, 'a session did not open', () => ({ session: open(asked, peer) }))
  if (!opened?.session) sockets.forget(peer)
  return opened ? (opened.session ?? NOT_FOUND) : FAULT
}

function refusal(status: string): string {
  return `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`
}

// A fault that one client causes must not reach the others.
function guarded<T>({ log }: SocketServing, message: string, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    log.error({ err: error }, message)
    return undefined
  }
}

function serveSocket(serving: SocketServing, client: WebSocket, session: SocketSession): void {
  client.on('error', () => client.terminate())
  client.on('message', (frame: RawData, isBinary: boolean) => {
    const receivedNs = serving.clock.nowNs()
    if (isBinary) return client.close(UNSUPPORTED, 'Only text frames are read.')
    const read = guarded(serving, 'frame failed', () => {
      session.onText(String(frame), receivedNs)
      return true
    })
    if (!read) client.close(INTERNAL, '')
  })
}

/** A peer that can be used before its socket is upgraded: what it is sent until then follows the upgrade. */
function createLink(): { peer: Peer; attach: (client: WebSocket, wire: Duplex) => void } {
  let client: WebSocket | undefined
  let hold = (): void => undefined
  const early: ((client: WebSocket) => void)[] = []
  const use = (act: (client: WebSocket) => void): void => {
    if (client) act(client)
    else early.push(act)
  }
  return {
    peer: {
      send: (text) =>
        use((to) => {
          hold()
          send(to, text)
        }),
      close: (code, reason) => use((to) => to.close(code, reason)),
    },
    attach: (upgraded, wire) => {
      client = upgraded
      hold = inOneWrite(wire)
      for (const act of early.splice(0)) act(upgraded)
    },
  }
}

/** Holds back what is written from a call on, so that the events of one change leave in one write. */
function inOneWrite(wire: Duplex): () => void {
  let isDelayed = false
  const release = (): void => {
    isDelayed = false
    wire.uncork()
  }
  return () => {
    if (isDelayed) return
    isDelayed = true
    wire.cork()
    process.nextTick(release)
  }
}

function send(client: WebSocket, text: string): void {
  if (client.readyState !== client.OPEN) return
  if (client.bufferedAmount > MAX_WAITING_BYTES) client.terminate()
  else client.send(text)
}

function ping(
  clients: ReadonlyMap<WebSocket, { unanswered: number }>,
  { pingMs, cutMs }: KeepAlive,
  clock: Clock,
): void {
  for (const [client, silence] of clients) {
    // Pings are counted, not time: a process that stood still has not asked anybody meanwhile.
    if (silence.unanswered * pingMs >= cutMs) client.terminate()
    else if (client.readyState === client.OPEN) client.ping(String(clock.nowMs()))
    silence.unanswered++
  }
}

function cut(client: WebSocket): void {
  client.close(GOING_AWAY, '')
  client.terminate()
}
