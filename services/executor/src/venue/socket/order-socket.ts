import { randomBytes } from 'node:crypto'
import type { Log } from '@tripline/kit/telemetry/log'
import { withDeadline } from '../http/with-deadline.ts'
import { parseJson } from '../read/parse-json.ts'
import { type LiveSocket, openLiveSocket } from './live-socket.ts'

/** A connection for orders, over which many are under way at once and answers find their requests by an id. */
export interface OrderSocket {
  /**
   * Sends a request and answers the frame that came back for it. Undefined, and nothing was sent, where no connection is
   * known to be good; rejects where no answer came, so that the venue may have the request.
   */
  ask: (textOf: (id: string) => string) => Promise<unknown> | undefined
  /** True when a request would be sent now. */
  isGood: () => boolean
  stop: () => void
}

/** Options of a venue's socket for orders. */
export interface OrderSocketOptions {
  /** Returns the address of the next connection; settles when it may be made. */
  address: () => Promise<string>
  /** Makes a new connection useful; there is nothing to do if each request is signed. */
  greet?: (ask: (textOf: (id: string) => string) => Promise<unknown>) => Promise<void>
  /** Returns the id of the request that a frame answers; undefined if it answers none. */
  idOf: (frame: unknown) => string | undefined
  /** True for a frame by which the venue says that it will hang up. */
  isFarewell?: (frame: unknown) => boolean
  ping?: { text: string; isPong: (text: string) => boolean }
  log: Log
  timing?: Partial<OrderSocketTiming>
}

/**
 * The times that an answer may take: until the connection is not trusted with more, and until the order is in doubt.
 */
export interface OrderSocketTiming {
  trustedMs: number
  answerMs: number
  lifeMs: number
}

const usualTiming: OrderSocketTiming = {
  trustedMs: 1000,
  // Longer than the receive window: an answer that comes later is the exception, and is looked up.
  answerMs: 4000,
  // Venues hang up after a day, and would cut off what is under way.
  lifeMs: 22 * 3_600_000,
}

/** Thrown where the connection ended before the answer; the effect of the request at the venue is not known. */
class ConnectionLostError extends Error {
  constructor() {
    super('the connection ended before the answer')
    this.name = 'ConnectionLostError'
  }
}

interface Waiting {
  /** Settles that the answer takes longer than a good connection does. */
  lateness: NodeJS.Timeout
  isLate: boolean
  resolve: (frame: unknown) => void
  reject: (error: Error) => void
}

interface OrderSocketState {
  options: OrderSocketOptions
  timing: OrderSocketTiming
  isLive: boolean
  /** Why the present connection takes no more requests, and is given up once it has answered those it has. */
  leaving: string | undefined
  waiting: Map<string, Waiting>
  /** The beginning of ids: no two sockets, of this process or another, give the same one. */
  prefix: string
  asked: number
  aging: NodeJS.Timeout | undefined
}

/** Opens a socket for orders and keeps it open until it is stopped. */
export function openOrderSocket(options: OrderSocketOptions): OrderSocket {
  const state: OrderSocketState = {
    options,
    timing: { ...usualTiming, ...options.timing },
    isLive: false,
    leaving: undefined,
    waiting: new Map(),
    prefix: randomBytes(9).toString('base64url'),
    asked: 0,
    aging: undefined,
  }
  const { address, greet, ping, log } = options
  const socket = openLiveSocket({
    address,
    greet: async (send) => {
      // The last connection may have ended in the middle of this.
      for (const id of state.waiting.keys()) settle(state, id)
      await greet?.(async (textOf) => {
        const { id, answer } = expectAnswer(state)
        send(textOf(id))
        return await answer
      })
    },
    receive: (text) => receive(state, socket, text),
    onLive: () => {
      state.isLive = true
      state.aging = setTimeout(() => leave(state, socket, 'too old'), state.timing.lifeMs).unref()
    },
    onDown: () => goDown(state),
    log,
    name: 'socket for orders',
    ...(ping && { ping }),
  })
  return {
    ask: (textOf) => {
      if (!isGood(state)) return undefined
      const { id, answer } = expectAnswer(state)
      if (socket.send(textOf(id))) return answered(state, socket, id, answer)
      settle(state, id)
      return undefined
    },
    isGood: () => isGood(state),
    stop: socket.stop,
  }
}

/** A connection with a request that is unanswered for long may be dead, even where it looks alive. */
function isGood({ isLive, leaving, waiting }: OrderSocketState): boolean {
  if (!isLive || leaving !== undefined) return false
  const [oldest] = waiting.values()
  return oldest?.isLate !== true
}

function expectAnswer(state: OrderSocketState): { id: string; answer: Promise<unknown> } {
  state.asked++
  const id = `${state.prefix}-${state.asked}`
  const { promise: answer, resolve, reject } = Promise.withResolvers<unknown>()
  const waiting: Waiting = {
    isLate: false,
    // A process that is late itself reads what has arrived before it concludes this.
    lateness: setTimeout(() => setImmediate(noteLate, waiting), state.timing.trustedMs).unref(),
    resolve,
    reject,
  }
  state.waiting.set(id, waiting)
  return { id, answer }
}

function noteLate(waiting: Waiting): void {
  waiting.isLate = true
}

/** Takes out what waits no more, if it still does. */
function settle({ waiting }: OrderSocketState, id: string): Waiting | undefined {
  const settled = waiting.get(id)
  waiting.delete(id)
  clearTimeout(settled?.lateness)
  return settled
}

async function answered(
  state: OrderSocketState,
  socket: LiveSocket,
  id: string,
  answer: Promise<unknown>,
): Promise<unknown> {
  try {
    return await withDeadline(answer, state.timing.answerMs)
  } catch (error) {
    settle(state, id)
    leave(state, socket, 'no answer')
    throw error
  }
}

function receive(state: OrderSocketState, socket: LiveSocket, text: string): void {
  const frame = parse(text)
  if (state.options.isFarewell?.(frame)) leave(state, socket, 'the venue hangs up')
  const id = state.options.idOf(frame)
  if (id === undefined) return
  settle(state, id)?.resolve(frame)
  if (state.leaving !== undefined) leave(state, socket, state.leaving)
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Takes no more requests; those under way may still be answered. */
function leave(state: OrderSocketState, socket: LiveSocket, reason: string): void {
  if (!state.isLive) return
  state.leaving = reason
  if (state.waiting.size === 0) socket.renew(reason)
}

function goDown(state: OrderSocketState): void {
  state.isLive = false
  state.leaving = undefined
  clearTimeout(state.aging)
  for (const id of state.waiting.keys()) settle(state, id)?.reject(new ConnectionLostError())
}
