import { connect as connectTcp } from 'node:net'
import { type BusUser, roundTripPrefix } from '@tripline/proto/permission'
import { createInbox, type NatsConnection } from 'nats'
import type { Log } from '../telemetry/log.ts'
import { steadyNow } from '../time/clock.ts'

/** The time between two messages to oneself, in which each has to come back. */
const roundTripMs = 2000
/** A process that comes back this much later than it meant to stood still, and has missed nothing. */
const standstillMs = 1000
/** Missing messages in a row that end readiness. */
const missesToUnready = 2
/** Missing messages that begin the connection anew, and again after as many more: another server may be well. */
const missesToReconnect = 3
/** Missing messages that end liveness, where a server greets new connections: only a new process helps then. */
const missesToDeaf = 15
const greetingMs = 1000

interface RoundTripOptions {
  connection: NatsConnection
  user: BusUser
  log: Log
  isConnected: () => boolean
  everyMs?: number | undefined
}

/** The state of the messages that a process sends to itself over the bus. */
export interface RoundTrip {
  /** Settles once the first message came back. */
  first: Promise<void>
  /** False while messages are missing, though the connection stands. */
  isWhole: () => boolean
  /** True when messages are missing for long, though a server answers others. */
  isDeaf: () => boolean
}

/** Sends a message to this process itself from time to time, until the connection is closed. */
export function watchRoundTrip({
  connection,
  user,
  log,
  isConnected,
  everyMs = roundTripMs,
}: RoundTripOptions): RoundTrip {
  const inbox = createInbox(roundTripPrefix(user))
  const first = Promise.withResolvers<void>()
  let isAway = false
  let misses = 0
  let isDeaf = false
  let dueAt = steadyNow()
  connection.subscribe(inbox, {
    callback: (error) => {
      if (error) return first.reject(error)
      first.resolve()
      isAway = false
      misses = 0
      isDeaf = false
    },
  })
  const send = (): void => {
    isAway = true
    dueAt = steadyNow() + everyMs
    connection.publish(inbox)
  }
  const miss = (): void => {
    misses++
    log.warn({ misses }, 'nothing comes back from the bus')
    if (misses % missesToReconnect === 0) connection.reconnect().catch(() => undefined)
    if (misses < missesToDeaf) return
    void isGreeted(connection.getServer()).then((greeted) => {
      isDeaf = greeted && misses >= missesToDeaf
    })
  }
  const timer = setInterval(() => {
    if (connection.isClosed() || connection.isDraining()) return
    const stoodStill = steadyNow() - dueAt > standstillMs
    // After a standstill the missing message may be waiting to be read.
    if (stoodStill || !isConnected()) misses = 0
    else if (isAway) miss()
    if (isConnected()) send()
  }, everyMs).unref()
  void connection.closed().then(() => clearInterval(timer))
  send()
  return { first: first.promise, isWhole: () => misses < missesToUnready, isDeaf: () => isDeaf }
}

/** True where the server says its first line to a new connection. */
async function isGreeted(server: string): Promise<boolean> {
  const { hostname, port } = new URL(`nats://${server}`)
  return await new Promise((resolve) => {
    const socket = connectTcp({ host: hostname, port: Number(port), timeout: greetingMs })
    const end = (greeted: boolean): void => {
      socket.destroy()
      resolve(greeted)
    }
    socket.once('data', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}
