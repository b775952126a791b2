import type { Feed } from '../feed.ts'
import type { Peer, SocketSession } from '../socket.ts'

/** Sends an event to a client: of a symbol, of an account, or of neither. */
export type PushEvent = (event: unknown, symbol?: string, apiKey?: string) => void

/**
 * Gets each event of a stream from now on; first events of the stream are pushed at once. A stream of an account claims
 * its key. The answer ends it.
 */
export type JoinStream = (
  stream: string,
  push: PushEvent,
  claim: (apiKey: string) => void,
) => (() => void) | undefined

/** The form of a client's events: each wrapped with the name of its stream, or bare. */
export type Wrapping = 'combined' | 'raw'

type Connection = {
  readonly peer: Peer
  readonly feed: Feed
  readonly join: JoinStream
  readonly streams: Map<string, () => void>
  wrapping: Wrapping
}

// More is a mistake of the client's, as the venue sees it.
const MOST_STREAMS = 1_024

/** Opens a connection that carries these streams and those that the client asks for later. */
export function openStreams(
  feed: Feed,
  join: JoinStream,
  peer: Peer,
  wrapping: Wrapping,
  streams: readonly string[],
): SocketSession {
  const connection: Connection = { peer, feed, join, streams: new Map(), wrapping }
  // Those that do not exist stay silent, as at the venue.
  for (const stream of streams) subscribe(connection, stream)
  return {
    onText: (text) => peer.send(JSON.stringify(answer(connection, text))),
    onClose: () => {
      for (const leave of connection.streams.values()) leave()
      connection.streams.clear()
    },
  }
}

function subscribe(connection: Connection, stream: string): boolean {
  if (connection.streams.has(stream)) return true
  if (connection.streams.size >= MOST_STREAMS) return false
  const { peer, feed } = connection
  const push: PushEvent = (event, symbol, apiKey) => {
    const body = connection.wrapping === 'combined' ? { stream, data: event } : event
    feed.send(peer, apiKey, symbol, JSON.stringify(body))
  }
  const leave = connection.join(stream, push, (apiKey) => feed.join(peer, apiKey))
  if (!leave) return false
  connection.streams.set(stream, leave)
  return true
}

type Reply =
  | Readonly<{ result: unknown; id: unknown }>
  | Readonly<{ error: { code: number; msg: string }; id: unknown }>

function answer(connection: Connection, text: string): Reply {
  const request = parse(text)
  if (!request) return refuse(3, 'Invalid JSON: expected value at line 1 column 1', null)
  const { method, params, id } = request
  if (typeof id !== 'number' && typeof id !== 'string')
    return refuse(2, 'Invalid request: request ID must be an unsigned integer', null)
  switch (method) {
    case 'SUBSCRIBE':
    case 'UNSUBSCRIBE':
      return change(connection, method, params, id)
    case 'LIST_SUBSCRIPTIONS':
      return { result: [...connection.streams.keys()], id }
    case 'SET_PROPERTY':
    case 'GET_PROPERTY':
      return property(connection, method, params, id)
  }
  const known = '`SUBSCRIBE`, `UNSUBSCRIBE`, `LIST_SUBSCRIPTIONS`, `SET_PROPERTY`, `GET_PROPERTY`'
  // A frame's method may be an object that has no text of its own.
  const said = typeof method === 'string' ? method : JSON.stringify(method)
  return refuse(2, `Invalid request: unknown variant \`${said}\`, expected one of ${known}`, id)
}

function change(
  connection: Connection,
  method: 'SUBSCRIBE' | 'UNSUBSCRIBE',
  params: unknown,
  id: unknown,
): Reply {
  if (!Array.isArray(params) || !params.every((one) => typeof one === 'string'))
    return refuse(2, 'Invalid request: params must be an array of strings', id)
  if (method === 'UNSUBSCRIBE') for (const stream of params) leave(connection, stream)
  else if (!params.every((stream) => subscribe(connection, stream)))
    return refuse(2, 'Invalid request: invalid stream', id)
  return { result: null, id }
}

function leave({ streams }: Connection, stream: string): void {
  streams.get(stream)?.()
  streams.delete(stream)
}

function property(
  connection: Connection,
  method: 'SET_PROPERTY' | 'GET_PROPERTY',
  params: unknown,
  id: unknown,
): Reply {
  const [name, value] = Array.isArray(params) ? params : []
  if (name !== 'combined') return refuse(0, 'Unknown property', id)
  if (method === 'GET_PROPERTY') return { result: connection.wrapping === 'combined', id }
  if (typeof value !== 'boolean') return refuse(1, 'Invalid value type: expected Boolean', id)
  connection.wrapping = value ? 'combined' : 'raw'
  return { result: null, id }
}

function refuse(code: number, msg: string, id: unknown): Reply {
  return { error: { code, msg }, id }
}

function parse(text: string): { method?: unknown; params?: unknown; id?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
