import type { Answer } from '../message.ts'
import type { Params } from '../params.ts'
import { type Peer, type SocketRequest, type SocketSession, type SocketWire, socketReply } from '../socket.ts'
import { checkSorted } from './auth.ts'
import { errorBody, failureFrom, VenueError } from './errors.ts'
import type { Outcome } from './outcome.ts'
import { type Call, type CallContext, perform } from './perform.ts'
import type { Route } from './route.ts'
import type { Limits } from './usage.ts'

/** A request over a socket, as it was read. */
export type Frame = Readonly<{ id: unknown; method: string; params: Params }>

/** The methods of one connection that no endpoint over HTTP has, by the method's name. */
export type Connection = Readonly<{ methods: ReadonlyMap<string, Route>; close: () => void }>

/**
 * Requests over a socket at this path. `methods` leads from a method's name to the endpoint over HTTP that does the
 * same; `connect` gives each connection its own methods.
 */
export function createWsApi(
  context: CallContext,
  path: string,
  methods: ReadonlyMap<string, string>,
  connect: (peer: Peer) => Connection,
): SocketWire {
  return (request, peer) => {
    if (request.path !== path) return undefined
    const connection = connect(peer)
    return openSession(
      context,
      request,
      peer,
      (method) => {
        const plain = method.replace(VERSION, '')
        const endpoint = methods.get(method) ?? methods.get(plain)
        const own = connection.methods.get(plain)
        if (own) return { endpoint: `WS ${path}`, route: own }
        const route = endpoint === undefined ? undefined : context.dialect.routes.get(endpoint)
        return endpoint === undefined || !route ? undefined : { endpoint, route }
      },
      connection.close,
    )
  }
}

type Found = Readonly<{ endpoint: string; route: Route }>

function openSession(
  context: CallContext,
  { remoteAddress }: SocketRequest,
  peer: Peer,
  find: (method: string) => Found | undefined,
  onClose: () => void,
): SocketSession {
  const onText = (text: string, receivedNs: bigint): void => {
    const frame = readFrame(text)
    const answer = (outcome: Outcome) => ({
      status: 200,
      body: formatAnswer(context.dialect.limits, frame, outcome),
    })
    const found = find(frame.method)
    if (!frame.isReadable || !found) {
      peer.send(answer({ failure: failureFrom(frame.isReadable ? UNKNOWN_METHOD : NOT_JSON) }).body)
      return
    }
    const [method = '', path = ''] = found.endpoint.split(' ')
    const call: Call = {
      transport: 'ws',
      method,
      path,
      apiKey: frame.params.get('apiKey'),
      params: frame.params,
      repeated: undefined,
      route: found.route,
      remoteAddress,
      receivedNs,
      isSigned: checkSorted(frame.params),
      answer,
    }
    perform(context, call, socketReply(peer, frameOf))
  }
  return { onText, onClose }
}

const frameOf = ({ body }: Answer): string => body
const NOT_JSON = new VenueError(-1135, 'Invalid JSON Request')
const UNKNOWN_METHOD = new VenueError(-1020, 'This operation is not supported.')

const VERSION = /^v\d\//

type Read = Frame & Readonly<{ isReadable: boolean }>

function readFrame(text: string): Read {
  const value = parseObject(text)
  const id = readId(value?.['id'])
  const method = value?.['method']
  const params = value?.['params'] ?? {}
  if (!value || typeof method !== 'string' || !isObject(params))
    return { id, method: '', params: new Map(), isReadable: false }
  return { id, method, params: readParams(params), isReadable: true }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readId(id: unknown): unknown {
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

// As texts, since that is how clients sign them.
function readParams(values: Record<string, unknown>): Params {
  const params = new Map<string, string>()
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined) continue
    params.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return params
}

function formatAnswer(limits: Limits, { id, params }: Frame, outcome: Outcome): string {
  const rateLimits = params.get('returnRateLimits') === 'false' ? undefined : formatLimits(limits, outcome)
  if ('result' in outcome) return JSON.stringify({ id, status: 200, result: outcome.result, rateLimits })
  const { failure } = outcome
  return JSON.stringify({ id, status: failure.status, error: errorBody(failure), rateLimits })
}

function formatLimits({ weight, orders }: Limits, { used }: Outcome) {
  const counts = orders.flatMap(({ interval, intervalNum, limit }, index) => {
    const count = used?.orders?.[index]
    return count === undefined ? [] : [{ rateLimitType: 'ORDERS', interval, intervalNum, limit, count }]
  })
  const weights = {
    rateLimitType: 'REQUEST_WEIGHT',
    interval: 'MINUTE',
    intervalNum: 1,
    limit: weight,
    count: used?.weight ?? 0,
  }
  return [...counts, weights]
}
