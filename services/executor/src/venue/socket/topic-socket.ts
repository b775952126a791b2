import type { Log } from '@tripline/kit/telemetry/log'
import { type LiveSocket, openLiveSocket } from './live-socket.ts'

/** A connection for public topics, which is there while a topic is wanted. */
export interface TopicSocket {
  want: (topic: string) => void
  drop: (topic: string) => void
  /** Until when all that was reported was received, by our monotonic clock; undefined while nothing shows it. */
  verifiedUntil: LiveSocket['verifiedUntil']
  stop: () => void
}

export interface TopicSocketOptions {
  address: string
  /** The message by which topics are asked for, or not wanted any more. */
  messageOf: (act: 'subscribe' | 'unsubscribe', topics: readonly string[]) => string
  receive: (text: string) => void
  /** Called when a connection ended: its reports may be of long ago. */
  onDown: () => void
  name: string
  log: Log
  ping?: { text: string; isPong: (text: string) => boolean }
}

// Venues allow few messages a second, so topics are asked for together.
const gatherMs = 250
const mostInOne = 50
// So often the other end is asked to show that it is there.
const pingEveryMs = 1000

interface TopicSocketState {
  options: TopicSocketOptions
  socket: LiveSocket | undefined
  wanted: Set<string>
  /** The topics to ask for with the next message, and those to ask for no more. */
  fresh: Set<string>
  stale: Set<string>
  gathering: NodeJS.Timeout | undefined
  pinging: NodeJS.Timeout | undefined
}

/** A connection without topics, which is not opened yet. */
export function createTopicSocket(options: TopicSocketOptions): TopicSocket {
  const state: TopicSocketState = {
    options,
    socket: undefined,
    wanted: new Set(),
    fresh: new Set(),
    stale: new Set(),
    gathering: undefined,
    pinging: undefined,
  }
  return {
    want: (topic) => {
      if (state.wanted.has(topic)) return
      state.wanted.add(topic)
      if (!state.stale.delete(topic)) state.fresh.add(topic)
      if (state.socket === undefined) begin(state)
      else gather(state)
    },
    drop: (topic) => {
      if (!state.wanted.delete(topic)) return
      if (!state.fresh.delete(topic)) state.stale.add(topic)
      if (state.wanted.size === 0) close(state)
      else gather(state)
    },
    verifiedUntil: () => state.socket?.verifiedUntil(),
    stop: () => {
      state.wanted.clear()
      close(state)
    },
  }
}

function begin(state: TopicSocketState): void {
  state.socket = open(state)
  state.pinging = setInterval(() => state.socket?.ping(), pingEveryMs).unref()
}

function gather(state: TopicSocketState): void {
  state.gathering ??= setTimeout(() => sendGathered(state), gatherMs).unref()
}

function open(state: TopicSocketState): LiveSocket {
  const { address, receive, onDown, log, name, ping } = state.options
  return openLiveSocket({
    address: async () => address,
    greet: async (send) => {
      for (const text of messagesFor(state, 'subscribe', state.wanted)) send(text)
      state.fresh.clear()
      state.stale.clear()
    },
    receive: (text) => {
      if (state.socket !== undefined) receive(text)
    },
    onLive: () => {
      state.socket?.ping()
      sendGathered(state)
    },
    onDown,
    log,
    name,
    ...(ping && { ping }),
  })
}

function close(state: TopicSocketState): void {
  clearTimeout(state.gathering)
  state.gathering = undefined
  state.socket?.stop()
  state.socket = undefined
  clearInterval(state.pinging)
  state.fresh.clear()
  state.stale.clear()
}

/** Without a live connection nothing is sent: the next one begins with all that is wanted. */
function sendGathered(state: TopicSocketState): void {
  state.gathering = undefined
  sendFor(state, 'unsubscribe', state.stale)
  sendFor(state, 'subscribe', state.fresh)
}

function sendFor(state: TopicSocketState, act: Act, topics: Set<string>): void {
  if (messagesFor(state, act, topics).every((text) => state.socket?.send(text) === true)) topics.clear()
}

type Act = Parameters<TopicSocketOptions['messageOf']>[0]

function messagesFor({ options }: TopicSocketState, act: Act, topics: Iterable<string>): string[] {
  const all = [...topics]
  const count = Math.ceil(all.length / mostInOne)
  return Array.from({ length: count }, (_, index) =>
    options.messageOf(act, all.slice(index * mostInOne, (index + 1) * mostInOne)),
  )
}
