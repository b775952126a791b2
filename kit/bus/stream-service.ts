import { setTimeout as sleep } from 'node:timers/promises'
import type { BusUser } from '@tripline/proto/permission'
import type { ConnectionOptions, NatsConnection } from 'nats'
import type { Log } from '../telemetry/log.ts'
import { steadyNow } from '../time/clock.ts'
import { betterServers, serverId, servesStreams } from './better-servers.ts'

const askEveryMs = 2000
/** So many unanswered in a row are a reason to look at other servers. */
const missesToLook = 2
/** An election of who leads takes less; a silence that lasts longer ends readiness of those who need streams. */
const silentMs = 20_000
/** The pause after a look that found no better server; twice as long each time, until streams were served for a while. */
const firstPauseMs = 1000
const longestPauseMs = 60_000
const servedMs = 60_000
/** The client takes servers in turn, and some under two names. */
const mostRounds = 10
const reconnectMs = 10_000

interface StreamServiceOptions {
  connection: NatsConnection
  user: BusUser
  log: Log
  /** Options of the connection, for every server. */
  options: ConnectionOptions
  servers: readonly string[]
  isConnected: () => boolean
  onConnection: (listener: (connected: boolean) => void) => () => void
  /** The streams and buckets that took nothing of what was last written to them. */
  refusing: () => readonly string[]
  everyMs?: number | undefined
}

/** Whether the server in use serves streams. */
export interface StreamService {
  /** Settles once the server is one that serves streams, or no better one was found. */
  first: Promise<void>
  /** False once JetStream has answered nothing for longer than it takes to choose who leads it. */
  isThere: () => boolean
}

/**
 * Asks JetStream from time to time whether it is there. A server that is cut off from the others answers what concerns it
 * alone: where another one serves streams, the connection goes there.
 */
export function watchStreamService(watched: StreamServiceOptions): StreamService {
  const { connection, isConnected, refusing, servers, everyMs = askEveryMs } = watched
  let answeredAt = steadyNow()
  let servedSince = answeredAt
  let misses = 0
  let pauseMs = firstPauseMs
  let lookAt = answeredAt
  const note = (isServed: boolean): void => {
    const now = steadyNow()
    if (isServed) answeredAt = now
    misses = isServed && refusing().length === 0 ? 0 : misses + 1
    if (misses > 0) servedSince = now
    if (now - servedSince > servedMs) pauseMs = firstPauseMs
  }
  const look = async (): Promise<void> => {
    await goToBetter(watched)
    lookAt = steadyNow() + pauseMs
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
  const first = servers.length > 1 ? goFromUnserved(watched) : Promise.resolve()
  void (async () => {
    await first
    while (!connection.isClosed() && !connection.isDraining()) {
      const dueAt = steadyNow() + everyMs
      if (isConnected()) note(await servesStreams(connection))
      else answeredAt = steadyNow()
      if (isConnected() && servers.length > 1 && misses >= missesToLook && steadyNow() >= lookAt) await look()
      await sleep(Math.max(0, dueAt - steadyNow()), undefined, { ref: false })
    }
  })()
  return { first, isThere: () => steadyNow() - answeredAt < silentMs }
}

/** A process that begins at a server which is cut off would end at the first stream that does not answer. */
async function goFromUnserved(watched: StreamServiceOptions): Promise<void> {
  if (!(await servesStreams(watched.connection))) await goToBetter(watched)
}

async function goToBetter(watched: StreamServiceOptions): Promise<void> {
  const { connection, log } = watched
  const better = await betterServers(watched).catch(() => new Set<string>())
  for (let round = 0; better.size > 0 && round < mostRounds && !connection.isClosed(); round++) {
    if (better.has(serverId(connection))) return
    log.warn(
      { server: connection.info?.server_name },
      'server of the bus serves no streams, another one does',
    )
    await reconnect(watched)
  }
}

/** Begins the connection anew, at the next server in turn; settles once it stands, or did not in time. */
async function reconnect({ connection, onConnection }: StreamServiceOptions): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = onConnection((isConnected) => (isConnected || connection.isClosed()) && resolve())
  await connection.reconnect()
  await Promise.race([promise, sleep(reconnectMs, undefined, { ref: false })])
  stop()
}
