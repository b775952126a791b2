import type { Server } from 'node:http'
import { promisify } from 'node:util'
import { createLog } from '@tripline/kit/telemetry/log'
import { WebSocket } from 'ws'
import { systemClock } from '../src/clock.ts'
import type { Fault } from '../src/domain/fault.ts'
import { createFaults } from '../src/store/faults.ts'
import { createFeed, disconnectStruck } from '../src/wire/feed.ts'
import { createOpenSockets } from '../src/wire/open-sockets.ts'
import { createHttp } from '../src/wire/server.ts'
import type { Peer } from '../src/wire/socket.ts'
import { type KeepAlive, serveSockets, VENUE_KEEP_ALIVE } from '../src/wire/socket-server.ts'

const WIRE = 'binance-futures'
const PATHS = ['/echo', '/nobody', '/broken']

/** A socket server whose only path, `/echo`, answers every frame with itself and closes on `close`. */
export async function startEcho(keepAlive: KeepAlive = VENUE_KEEP_ALIVE) {
  const [clock, faults, sockets] = [systemClock(), createFaults(), createOpenSockets()]
  const peers: Peer[] = []
  let closed = 0
  const server = createHttp(clock, (_incoming, reply) => reply.send({ status: 200, body: '{}' }))
  const open = (peer: Peer) => {
    peers.push(peer)
    const onText = (text: string): void => {
      if (text === 'fail') throw new Error('the session fails')
      peer.send(text)
    }
    const onClose = (): void => {
      closed += 1
    }
    return { onText, onClose }
  }
  const openAt = (path: string, peer: Peer) => {
    if (path === '/broken') throw new Error('the session cannot be opened')
    return path === '/echo' ? open(peer) : undefined
  }
  const served = serveSockets({
    server,
    clock,
    log: createLog('echo', 'fatal'),
    sockets,
    route: (path) =>
      PATHS.includes(path) ? { wire: WIRE, path, open: (_request, peer) => openAt(path, peer) } : undefined,
    keepAlive,
  })
  const url = await listen(server)
  return {
    url,
    peers,
    closed: () => closed,
    connections: async () => await promisify(server.getConnections.bind(server))(),
    feed: createFeed(WIRE, faults, sockets),
    arm: (fault: Fault) => {
      faults.add(fault)
      disconnectStruck(faults, sockets)
    },
    stop: async () => {
      served.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Echo = Awaited<ReturnType<typeof startEcho>>

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `ws://127.0.0.1:${address.port}`
}

/** A client with everything it was sent, in order, and what its connection ended with. */
export async function connect(url: string, options: WebSocket.ClientOptions = {}) {
  const socket = new WebSocket(url, options)
  const texts: string[] = []
  const ended = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  socket.on('message', (frame) => texts.push(String(frame)))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  return { socket, texts, ended }
}

/** The status with which an upgrade is refused. */
export async function refusedWith(url: string, options: WebSocket.ClientOptions = {}): Promise<number> {
  const socket = new WebSocket(url, options)
  return await new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0)
      socket.terminate()
    })
    socket.on('error', () => {})
    socket.on('open', () => reject(new Error('the upgrade was not refused')))
  })
}
