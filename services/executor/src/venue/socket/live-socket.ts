import type { IncomingMessage } from 'node:http'
import { openFlushGate } from '@tripline/kit/bus/flush-gate'
import type { Log } from '@tripline/kit/telemetry/log'
import { now } from '@tripline/kit/time/clock'
import { WebSocket } from 'ws'
import type { StreamWitness } from '../../domain/order/order.ts'

/** Options of a connection that is always there. */
export interface LiveSocketOptions {
  /** Returns the address of the next connection; called for each of them. */
  address: () => Promise<string>
  /** Makes a new connection useful, such as by a subscription; it counts as live once this has settled. */
  greet: (send: (text: string) => void) => Promise<void>
  receive: (text: string) => void
  /** Called after each connection is live: earlier events were not received. */
  onLive: () => void
  /** Called after each connection that was live has ended. */
  onDown?: () => void
  /** Called when a connection that is still wanted is lost, and when there is one again. */
  onState?: ((state: 'reconnecting' | 'live') => void) | undefined
  log: Log
  /** The connection's name in reports; a private stream otherwise. */
  name?: string
  timing?: Partial<LiveSocketTiming>
  /** The message that the venue wants to be pinged by, where it does not do with a socket's own pings. */
  ping?: { text: string; isPong: (text: string) => boolean }
}

/** The times that a connection may take, be silent, and last. */
export interface LiveSocketTiming {
  openMs: number
  pingMs: number
  pongMs: number
  lifeMs: number
}

// Venues close connections after a day; a new one is made before that, at a moment of ours.
const usualTiming: LiveSocketTiming = {
  openMs: 10_000,
  pingMs: 15_000,
  pongMs: 5000,
  lifeMs: 23 * 3_600_000,
}
const firstRetryMs = 250
const lastRetryMs = 15_000
// A connection that ends sooner is no better than one that never opened.
const steadyMs = 5000

/** A connection that is made again whenever it ends, or is found to be dead. */
export interface LiveSocket {
  /** Sends a text at once; false where no connection is live, and nothing was sent. */
  send: (text: string) => boolean
  /** Pings now, besides the usual pings, unless an answer to one is outstanding. */
  ping: () => void
  /**
   * Until when all that the other end sent was received, by our monotonic clock: the last ping that was answered went out
   * then. Undefined where none was answered on the present connection.
   */
  verifiedUntil: () => number | undefined
  /** Gives the present connection up for a new one. */
  renew: (reason: string) => void
  stop: () => void
}

// A peer that is asked each second to show that it is there shows it within this.
const verifiedForMs = 2000

/** True where all that the other end reported until a moment ago was received, however still it is. */
export function isVerified(verifiedUntil: number | undefined): boolean {
  return verifiedUntil !== undefined && performance.now() - verifiedUntil <= verifiedForMs
}

/** Returns what a connection can bear witness to that has reported everything since this moment, by our clock. */
export function witnessOf(
  liveSince: number,
  socket: Pick<LiveSocket, 'verifiedUntil'> | undefined,
): StreamWitness {
  const verified = socket?.verifiedUntil()
  const verifiedUntil = verified === undefined ? undefined : now() - (performance.now() - verified)
  return { liveSince, verifiedUntil }
}

interface LiveSocketState {
  options: LiveSocketOptions
  timing: LiveSocketTiming
  isStopped: boolean
  /** A connection was lost, and there is no new one yet. */
  wasLost: boolean
  /** The number of attempts in a row that came to no live connection. */
  failures: number
  /** The present connection, once it is live. */
  live: Line | undefined
  ping: () => void
  verifiedUntil: number | undefined
  endConnection: ((reason: string) => void) | undefined
  endPause: (() => void) | undefined
}

/** Opens a connection and keeps it open until it is stopped. */
export function openLiveSocket(options: LiveSocketOptions): LiveSocket {
  const state: LiveSocketState = {
    options,
    timing: { ...usualTiming, ...options.timing },
    isStopped: false,
    wasLost: false,
    failures: 0,
    live: undefined,
    ping: () => undefined,
    verifiedUntil: undefined,
    endConnection: undefined,
    endPause: undefined,
  }
  void keepOpen(state)
  return {
    send: (text) => {
      if (state.live?.socket.readyState !== WebSocket.OPEN) return false
      state.live.send(text)
      return true
    },
    ping: () => state.ping(),
    verifiedUntil: () => state.verifiedUntil,
    renew: (reason) => state.endConnection?.(reason),
    stop: () => {
      state.isStopped = true
      state.endConnection?.('stopped')
      state.endPause?.()
    },
  }
}

async function keepOpen(state: LiveSocketState): Promise<void> {
  const { log, name = 'private stream' } = state.options
  while (!state.isStopped) {
    try {
      const reason = await liveOnce(state)
      if (!state.isStopped) log.info({ reason }, `${name} ended`)
    } catch (error) {
      state.failures++
      if (!state.isStopped) log.warn({ reason: reasonOf(error) }, `${name} not open`)
    }
    if (!state.isStopped && state.failures > 0) await pause(state)
  }
}

/** Thrown where a connection ended before it was live. */
class StillbornError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'StillbornError'
  }
}

/** The message only of our own errors: those of sockets may hold an address, and that a listen key. */
function reasonOf(error: unknown): string {
  if (error instanceof StillbornError) return error.message
  return error instanceof Error ? error.name : 'unknown fault'
}

/** Lives through one connection; returns why it ended, and throws where it never came to live. */
async function liveOnce(state: LiveSocketState): Promise<string> {
  const { options, timing } = state
  const address = await options.address()
  if (state.isStopped) return 'stopped'
  const socket = new WebSocket(address, { handshakeTimeout: timing.openMs, perMessageDeflate: false })
  const { promise: ended, resolve: end } = Promise.withResolvers<string>()
  state.endConnection = end
  socket.on('close', (code) => end(`closed with ${code}`))
  // The error is reported by the close that follows.
  socket.on('error', () => end('broken'))
  socket.on('message', (bytes) => options.receive(String(bytes)))
  const line = lineOver(socket)
  const stopWatching = watch(line, state, end)
  const overdue = after(timing.openMs, 'not live in time')
  try {
    const greeted = greet(line, options).then(() => undefined)
    const early = await Promise.race([greeted, ended, overdue.promise])
    overdue.cancel()
    if (early !== undefined) throw new StillbornError(early)
    state.live = line
    options.onLive()
    if (state.wasLost) options.onState?.('live')
    state.wasLost = false
    return await lifeOf(state, ended)
  } finally {
    state.live = undefined
    state.verifiedUntil = undefined
    state.endConnection = undefined
    overdue.cancel()
    stopWatching()
    socket.terminate()
  }
}

async function lifeOf(state: LiveSocketState, ended: Promise<string>): Promise<string> {
  const liveSince = performance.now()
  const reason = await ended
  state.options.onDown?.()
  if (!state.isStopped) {
    state.wasLost = true
    state.options.onState?.('reconnecting')
  }
  state.failures = performance.now() - liveSince < steadyMs ? state.failures + 1 : 0
  return reason
}

async function greet({ socket, send }: Line, { greet: make }: LiveSocketOptions): Promise<void> {
  await new Promise<void>((resolve) => socket.once('open', resolve))
  await make((text) => {
    if (socket.readyState === WebSocket.OPEN) send(text)
  })
}

/** A connection over which what one turn of the event loop sends leaves in few writes. */
interface Line {
  socket: WebSocket
  send: (text: string) => void
}

function lineOver(socket: WebSocket): Line {
  let wire: IncomingMessage['socket'] | undefined
  let isCorked = false
  socket.once('upgrade', (response) => {
    wire = response.socket
  })
  const uncork = (): void => {
    if (isCorked) wire?.uncork()
    isCorked = false
  }
  const gate = openFlushGate(uncork)
  return {
    socket,
    send: (text) => {
      if (!isCorked) wire?.cork()
      isCorked = true
      socket.send(text)
      if (gate.opens(true)) uncork()
    },
  }
}

/** Ends a connection that does not answer a ping in time, or is too old. */
function watch({ socket, send }: Line, state: LiveSocketState, end: (reason: string) => void) {
  const {
    options: { ping },
    timing: { pingMs, pongMs, lifeMs },
  } = state
  let awaited: { sentAt: number; overdue: NodeJS.Timeout } | undefined
  state.ping = () => {
    if (awaited !== undefined || socket.readyState !== WebSocket.OPEN) return
    if (ping === undefined) socket.ping()
    else send(ping.text)
    awaited = { sentAt: performance.now(), overdue: setTimeout(() => end('no pong'), pongMs) }
  }
  const pinging = setInterval(state.ping, pingMs)
  const receivePong = (): void => {
    if (awaited === undefined) return
    clearTimeout(awaited.overdue)
    if (state.live?.socket === socket) state.verifiedUntil = awaited.sentAt
    awaited = undefined
  }
  if (ping === undefined) socket.on('pong', receivePong)
  else socket.on('message', (bytes) => ping.isPong(String(bytes)) && receivePong())
  const aging = setTimeout(() => end('too old'), lifeMs)
  return () => {
    clearInterval(pinging)
    clearTimeout(awaited?.overdue)
    clearTimeout(aging)
  }
}

function after<Value>(ms: number, value: Value): { promise: Promise<Value>; cancel: () => void } {
  const { promise, resolve } = Promise.withResolvers<Value>()
  const timer = setTimeout(() => resolve(value), ms)
  return { promise, cancel: () => clearTimeout(timer) }
}

/** Waits longer with each failure in a row, and not the same as others that failed with us. */
async function pause(state: LiveSocketState): Promise<void> {
  const longest = Math.min(lastRetryMs, firstRetryMs * 2 ** (state.failures - 1))
  const { promise, cancel } = after(longest * (0.5 + Math.random() / 2), undefined)
  const { promise: ended, resolve } = Promise.withResolvers<undefined>()
  state.endPause = () => resolve(undefined)
  await Promise.race([promise, ended])
  cancel()
}
