import { setTimeout as sleep } from 'node:timers/promises'
import { type BusUser, inboxPrefix } from '@tripline/proto/permission'
import {
  type ConnectionOptions,
  connect,
  ErrorCode,
  type JetStreamClient,
  type JetStreamManager,
  type MsgHdrs,
  type NatsConnection,
  NatsError,
} from 'nats'
import { z } from 'zod'
import type { Log } from '../telemetry/log.ts'
import type { BusMetrics } from '../telemetry/service-metrics.ts'
import { type Tracing, traceHeader } from '../telemetry/trace.ts'
import { steadyNow } from '../time/clock.ts'
import {
  type AcknowledgedPublish,
  createAcknowledgedPublish,
  JetStreamFault,
  type Stored,
  StreamRefusal,
} from './acknowledged-publish.ts'
import { parseBusUrl } from './bus-address.ts'
import { type BusRequest, openBusRequest } from './bus-request.ts'
import { type RoundTrip, watchRoundTrip } from './bus-round-trip.ts'
import { guard } from './guard.ts'
import { areApart, createKnownEnds, type KnownEnds } from './known-ends.ts'
import { storedMessage } from './last-message.ts'
import { busAuthenticator } from './nkey.ts'
import { type Outbox, openOutbox } from './outbox.ts'
import { watchStreamService } from './stream-service.ts'
import { watchWrites } from './stream-writes.ts'

/** The oldest server that keeps what it acknowledged: 2.9 brings finished messages back after a kill. */
const oldestServer = [2, 10, 27]

export interface BusOptions {
  /** The address of the server, or of several of one cluster, separated by commas. */
  url: string
  user: BusUser
  /** The user's nkey seed; absent only on a server without users. */
  seed?: string | undefined
  log: Log
  /** The longest wait for every answer unless the act has its own; without it, as is usual for each kind. */
  patienceMs?: number | undefined
  metrics?: BusMetrics | undefined
  tracing?: Tracing | undefined
  /** The interval at which a message is sent to oneself, if not the usual one. */
  roundTripMs?: number | undefined
}

/** For how long another handshake is begun where one did not end in time. */
const connectWithinMs = 30_000

/** A server that does not answer a handshake in this time is left for another one. */
const handshakeMs = 5000

/** Within this the first message to oneself comes back, on a busy machine too. */
const firstRoundTripMs = 10_000

/** A timer that fires this much later than it was set means that the process stood still. */
const standstillMs = 100

const usualPatience = { requestMs: 3000, bucketMs: 2000, streamMs: 5000 }

/** A connection to the bus. It reconnects for ever; `isConnected` returns its present state. */
export interface Bus {
  user: BusUser
  connection: NatsConnection
  jetstream: JetStreamClient
  manager: JetStreamManager
  outbox: Outbox
  request: BusRequest
  publishStored: AcknowledgedPublish
  log: Log
  /** The longest waits for an answer to a request, of a bucket and of a stream, unless a call has its own. */
  patience: { requestMs: number; bucketMs: number; streamMs: number }
  metrics: BusMetrics | undefined
  tracing: Tracing | undefined
  isConnected: () => boolean
  /** True while connected, and what this process sends to itself comes back. */
  isReady: () => boolean
  /** False once no stream has answered for longer than an election takes. */
  hasStreams: () => boolean
  /** The streams and buckets that took nothing of what was last written to them. */
  refusing: () => readonly string[]
  /** The greatest sequences that this process knows to be stored. */
  ends: KnownEnds
  /** Count of connections so far: from one to the next a server may have lost what it stored. */
  connections: () => number
  /** False when nothing comes back for long although a server greets others: only a new process helps. */
  isAlive: () => boolean
  /** Calls back on each change between connected and not, and once closed; returns an unsubscribe function. */
  onConnection: (listener: (connected: boolean) => void) => () => void
  close: () => Promise<void>
}

/** Connects to the bus as one of its users; refuses a server that is too old. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const { url, user, seed, log, patienceMs, metrics, tracing } = options
  const { requestMs, bucketMs, streamMs } = patienceOf(patienceMs)
  const { servers, credentials } = parseBusUrl(url)
  const connecting: ConnectionOptions = {
    servers,
    name: user,
    inboxPrefix: inboxPrefix(user),
    ...credentials,
    ...(seed === undefined ? {} : { authenticator: busAuthenticator(seed) }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 100,
    reconnectJitter: 50,
    timeout: handshakeMs,
    pingInterval: 10_000,
    maxPingOut: 2,
    // A stack that is kept for each request costs more than the rest of sending it.
    noAsyncTraces: true,
  }
  const connection = await connectAgain(connecting)
  refuseOldServer(connection)
  const jetstream = connection.jetstream({ timeout: bucketMs })
  const manager = await connection.jetstreamManager({ timeout: streamMs, checkAPI: false })
  const watch = watchConnection(connection, { log, metrics })
  const { isConnected } = watch
  const roundTrip = watchRoundTrip({ connection, user, log, isConnected, everyMs: options.roundTripMs })
  await firstRoundTrip(connection, user, roundTrip)
  metrics?.connected.follow(() => [[{}, isConnected() ? 1 : 0]])
  metrics?.roundTrip.follow(() => [[{}, roundTrip.isWhole() ? 1 : 0]])
  const outbox = openOutbox(connection)
  const request = openBusRequest(connection, outbox, inboxPrefix(user))
  const ends = createKnownEnds()
  const writes = watchWrites(createAcknowledgedPublish(request), { isConnected, now: steadyNow, ends })
  const { refusing } = writes
  metrics?.refusing.follow(() => refusing().map((stream) => [{ stream }, 1]))
  const everyMs = options.roundTripMs
  const watched = { connection, user, log, options: connecting, servers, refusing, everyMs, ...watch }
  const streams = watchStreamService(watched)
  await streams.first
  return {
    user,
    connection,
    jetstream,
    manager,
    outbox,
    request,
    ...writes,
    ends,
    log,
    patience: { requestMs, bucketMs, streamMs },
    metrics,
    tracing,
    ...watch,
    isReady: () => isConnected() && roundTrip.isWhole(),
    hasStreams: streams.isThere,
    isAlive: () => !roundTrip.isDeaf(),
    close: async () => {
      outbox.sendAll()
      await closeConnection(connection)
    },
  }
}

/** A handshake that does not end in time, on a busy machine, is begun anew; any other failure is thrown. */
async function connectAgain(options: ConnectionOptions): Promise<NatsConnection> {
  const deadline = steadyNow() + connectWithinMs
  for (;;) {
    try {
      return await connect(options)
    } catch (error) {
      const hung = error instanceof NatsError && error.code === ErrorCode.Timeout
      if (!hung || steadyNow() > deadline) throw error
    }
  }
}

/** A server that keeps a process from itself has an older configuration than the process. */
async function firstRoundTrip(
  connection: NatsConnection,
  user: BusUser,
  { first }: RoundTrip,
): Promise<void> {
  let cause: unknown
  const isBack = first.then(() => true)
  const isOverdue = sleep(firstRoundTripMs, false, { ref: false })
  const isWhole = await Promise.race([isBack, isOverdue]).catch((error: unknown) => {
    cause = error
    return false
  })
  if (isWhole) return
  await connection.close()
  throw new Error(
    `nothing that ${user} sends to itself comes back from the bus: let the servers load this version's configuration`,
    { cause },
  )
}

function patienceOf(ms: number | undefined): typeof usualPatience {
  return ms === undefined ? usualPatience : { requestMs: ms, bucketMs: ms, streamMs: ms }
}

function refuseOldServer(connection: NatsConnection): void {
  const version = connection.info?.version ?? '0.0.0'
  const numbers = version.split('.').map((part) => Number.parseInt(part, 10))
  for (const [index, floor] of oldestServer.entries()) {
    const number = numbers[index] ?? 0
    if (number > floor) return
    if (number < floor)
      throw new Error(`NATS ${version} is too old, ${oldestServer.join('.')} is the oldest that serves`)
  }
}

function watchConnection(
  connection: NatsConnection,
  { log, metrics }: Pick<Bus, 'log' | 'metrics'>,
): Pick<Bus, 'isConnected' | 'onConnection' | 'connections'> {
  let connections = 1
  const listeners = new Set<(connected: boolean) => void>()
  const callAll = (next: boolean): void => {
    for (const listener of listeners) {
      guard({ log, metrics }, { subscription: 'connection' }, () => listener(next))
    }
  }
  let connected = true
  const change = (next: boolean): void => {
    if (connected === next) return
    connected = next
    if (next) connections++
    log.warn(next ? 'bus connection is back' : 'bus connection lost')
    callAll(next)
  }
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') change(false)
      if (status.type === 'reconnect') change(true)
      if (status.type === 'error') log.error({ cause: String(status.data) }, 'bus refused')
    }
  })()
  void connection.closed().then(() => callAll(false))
  return {
    connections: () => connections,
    isConnected: () => connected && !connection.isClosed(),
    onConnection: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

async function closeConnection(connection: NatsConnection): Promise<void> {
  if (connection.isClosed()) return
  // Draining waits for the server; a lost one must not hold up the end of a process.
  const overdue = new Promise((resolve) => setTimeout(resolve, 500).unref())
  await Promise.race([connection.drain().catch(() => undefined), overdue])
  await connection.close()
}

export interface StoreOptions {
  messageId: string
  /** The time that one attempt waits for the stream's acknowledgement. */
  attemptMs: number
  /** When to give up, from now; attempts are repeated with the same id until then. */
  deadlineMs: number
  /** Does not wait for others of its turn of the event loop. */
  isUrgent?: boolean
  /** The trace that the reader goes on with, if there is one. */
  traceparent?: string | undefined
}

/**
 * Stores a message in its stream and answers once the stream has acknowledged it. Attempts repeat under one message
 * id, so the message lies there at most once. Throws when the deadline passes or the stream refuses (it is full).
 */
export async function store(
  bus: Bus,
  subject: string,
  payload: string,
  options: StoreOptions,
): Promise<Stored> {
  let deadline = steadyNow() + options.deadlineMs
  for (;;) {
    const leftMs = deadline - steadyNow()
    if (leftMs <= 0) throw new Error(`${subject} was not acknowledged in ${options.deadlineMs} ms`)
    if (bus.connection.isClosed())
      throw new Error(`${subject} was not acknowledged before the bus was closed`)
    if (!bus.isConnected()) {
      await connectionBack(bus, leftMs)
      continue
    }
    const timeoutMs = Math.min(options.attemptMs, leftMs)
    const startedAt = steadyNow()
    try {
      const { messageId, isUrgent, traceparent } = options
      return await bus.publishStored({ subject, payload, messageId, isUrgent, timeoutMs, traceparent })
    } catch (error) {
      if (error instanceof StreamRefusal) throw error
      // A process that stood still has not waited for the answer, which may be there: it asks once more.
      const stoodStill = steadyNow() - startedAt > timeoutMs + standstillMs
      if (stoodStill) deadline = Math.max(deadline, steadyNow() + options.attemptMs)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}

/** From where a message goes on; undefined where that is not traced, or nothing here is. */
export function traceparentOf(
  { tracing }: Bus,
  message: { headers?: MsgHdrs | undefined },
): string | undefined {
  return tracing === undefined ? undefined : message.headers?.get(traceHeader) || undefined
}

const fullTexts = new Set(['maximum messages per subject exceeded', 'maximum bytes exceeded'])

/** True for the error of a message that was not stored because its subject or its stream holds as much as it may. */
export function isFull(error: unknown): boolean {
  return error instanceof StreamRefusal && fullTexts.has(error.message)
}

async function connectionBack(bus: Bus, timeoutMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      forget()
      resolve()
    }
    const timer = setTimeout(done, timeoutMs)
    const forget = bus.onConnection((connected) => (connected || bus.connection.isClosed()) && done())
  })
}

/** Publishes to the subscribers of this moment; nothing is stored. */
export function publish(bus: Bus, subject: string, payload: string): void {
  const fail = (error: unknown): void => bus.log.error({ err: error, subject }, 'not published')
  bus.outbox.send({ subject, payload, fail })
}

/** Subscribes to a subject, as text. Returns the unsubscribe function. A listener that throws gets the next message. */
export function subscribe(
  bus: Bus,
  subject: string,
  listener: (text: string, subject: string) => void,
): () => void {
  const subscription = bus.connection.subscribe(subject, {
    callback: (error, message) => {
      if (error) return bus.log.error({ err: error, subject }, 'subscription failed')
      guard(bus, { subscription: subject, subject: message.subject }, () =>
        listener(message.string(), message.subject),
      )
    },
  })
  return () => subscription.unsubscribe()
}

/** Waits until the server has all that this connection sent: from then on its subscriptions get messages. */
export async function flush(bus: Bus): Promise<void> {
  await bus.connection.flush()
}

const Deletion = z.object({ error: JetStreamFault.optional() })

/** The server's codes for a message that is not there: one of its own, or the one of all failed deletions. */
const notFound = 10_043
const goneTexts: ReadonlySet<string> = new Set(['no message found', 'deleted message', 'stream store EOF'])

/** Deletes exactly this message of a stream; one that is gone already is no error. */
export async function deleteMessage(bus: Bus, stream: string, sequence: number): Promise<void> {
  const answer = await bus.request({
    subject: `$JS.API.STREAM.MSG.DELETE.${stream}`,
    payload: JSON.stringify({ seq: sequence, no_erase: true }),
    timeoutMs: bus.patience.streamMs,
  })
  const { error } = Deletion.parse(answer.json())
  if (error === undefined || error.err_code === notFound || goneTexts.has(error.description)) return
  throw new Error(`message ${sequence} of ${stream} was not deleted: ${error.description}`)
}

/** A message that was read over one of the connections to the bus. */
export interface ReadMessage {
  sequence: number
  storedAt: number
  connection: number
}

/** Deletes a message that was read before. A stream that has lost its end meanwhile may have another one in its place, which stays. */
export async function deleteRead(bus: Bus, stream: string, read: ReadMessage): Promise<void> {
  if (bus.connections() !== read.connection) {
    const message = await storedMessage(bus.manager.streams, stream, read.sequence)
    if (message === undefined || areApart(message.time.getTime(), read.storedAt)) return
  }
  await deleteMessage(bus, stream, read.sequence)
}

/** From where to where a stream reaches, and when its first message came; undefined of an empty one. */
export async function streamExtent(
  bus: Bus,
  stream: string,
): Promise<{ first: number; last: number; firstAt: number } | undefined> {
  const { state } = await bus.manager.streams.info(stream)
  if (state.messages === 0) return undefined
  return { first: state.first_seq, last: state.last_seq, firstAt: Date.parse(state.first_ts) }
}

/** Returns the number of messages in a stream. */
export async function messageCount(bus: Bus, stream: string): Promise<number> {
  const { state } = await bus.manager.streams.info(stream)
  return state.messages
}

/** Use of a stream: what a server stores of it and may store, since when its oldest message lies there, and its copies. */
export interface StreamUse {
  bytes: number
  room: number
  /** Undefined of an empty stream. */
  oldestAt: number | undefined
  /** Copies that a server is not reached for, or that lack messages the others have. */
  copiesBehind: number
}

/** Reads the use of a stream; throws where no server leads it. */
export async function streamUse(bus: Bus, stream: string): Promise<StreamUse> {
  const { state, config, cluster } = await bus.manager.streams.info(stream)
  const behind = (cluster?.replicas ?? []).filter(({ current, offline }) => offline === true || !current)
  return {
    bytes: state.bytes,
    room: config.max_bytes,
    oldestAt: state.messages === 0 ? undefined : Date.parse(state.first_ts),
    copiesBehind: behind.length,
  }
}

/** Returns the number of messages of one subject in a stream. */
export async function subjectCount(bus: Bus, stream: string, subject: string): Promise<number> {
  const { state } = await bus.manager.streams.info(stream, { subjects_filter: subject })
  return state.subjects?.[subject] ?? 0
}
