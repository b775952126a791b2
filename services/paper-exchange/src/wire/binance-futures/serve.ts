import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@tripline/kit/log'
import type { Clock } from '../../clock.ts'
import type { Fault } from '../../domain/fault.ts'
import type { Exchange } from '../../exchange.ts'
import type { Faults } from '../../store/faults.ts'
import type { Journal, JournalEntry } from '../../store/journal.ts'
import { type Answer, type Incoming, json, type Reply } from '../message.ts'
import { type Params, readParams } from '../params.ts'
import { accountRoutes } from './account-routes.ts'
import { authenticate } from './auth.ts'
import { errorAnswer, statusOf, VenueError } from './errors.ts'
import { marketRoutes } from './market-routes.ts'
import { orderRoutes } from './order-routes.ts'
import type { Result, Route } from './route.ts'
import { createUsage, type Usage } from './usage.ts'

/** What a wire needs of the venue behind it. */
export type Backing = Readonly<{
  exchange: Exchange
  journal: Journal
  faults: Faults
  clock: Clock
  log: Log
  /** Ends the waits of delayed requests when the service stops. */
  stopping: AbortSignal
}>

/** Takes a request with its path without base, and ends it through the reply. */
export type Wire = (incoming: Incoming, reply: Reply) => void

type Call = Readonly<{
  incoming: Incoming
  params: Params
  repeated: string | undefined
  route: Route
  usage: Usage
}>
type Bent = Readonly<{ skewMs: number; lagMs: number }>

const WIRE = 'binance-futures'
const ROUTES: ReadonlyMap<string, Route> = new Map([...marketRoutes, ...accountRoutes, ...orderRoutes])
const STRAIGHT: Bent = { skewMs: 0, lagMs: 0 }

/** Binance USDⓈ-M futures over HTTP. */
export function createBinanceFutures(backing: Backing): Wire {
  const usage = createUsage()
  return (incoming, reply) => {
    const { method, path } = incoming
    const route = ROUTES.get(`${method} ${path}`)
    if (!route) return reply.send(errorAnswer(-5000, `Path ${path}, Method ${method} is invalid`))
    const call: Call = { incoming, ...readParams(incoming.query, incoming.body), route, usage }
    const symbol = call.params.get('symbol')
    const struck = backing.faults.strike({ wire: WIRE, method, path, apiKey: apiKeyOf(incoming), symbol })
    if (struck.length === 0) return reply.send(attempt(backing, call, STRAIGHT))
    serveFaulty(backing, call, struck, reply).catch(() => reply.drop())
  }
}

async function serveFaulty(
  backing: Backing,
  call: Call,
  struck: readonly Fault[],
  reply: Reply,
): Promise<void> {
  const fault = struck.find(({ action }) => action !== 'clock-skew' && action !== 'read-lag')
  const bent = { skewMs: sumOf(struck, 'clock-skew'), lagMs: sumOf(struck, 'read-lag') }
  const wait = (ms: number) => sleep(ms, undefined, { signal: backing.stopping })
  switch (fault?.action) {
    case 'drop':
      record(backing, call, 'dropped', null)
      return reply.drop()
    case 'reject':
      record(backing, call, 'rejected', null, fault.code)
      return reply.send(errorAnswer(fault.code, fault.message ?? 'Rejected.'))
    case 'status':
      record(backing, call, 'rejected', null)
      return reply.send(statusAnswer(fault.status, false))
    case 'delay':
      await wait(fault.ms)
      return reply.send(attempt(backing, call, bent))
  }
  const answer = attempt(backing, call, bent)
  switch (fault?.action) {
    case 'accept-then-drop':
      return reply.drop()
    case 'accept-then-delay':
      await wait(fault.ms)
      return reply.send(answer)
    case 'accept-then-status':
      return reply.send(statusAnswer(fault.status, true))
    case 'stall-body':
      return reply.stall(answer, fault.ms)
    default:
      return reply.send(answer)
  }
}

function sumOf(struck: readonly Fault[], action: 'clock-skew' | 'read-lag'): number {
  return struck.reduce((sum, fault) => (fault.action === action ? sum + fault.ms : sum), 0)
}

// Does what is asked and writes down what happened, before anybody is answered.
function attempt(backing: Backing, call: Call, bent: Bent): Answer {
  const now = backing.clock.nowMs() + bent.skewMs
  try {
    const result = run(backing, call, now, bent.lagMs)
    record(backing, call, 'accepted', result.orderId ?? null)
    return json(200, result.body, headersFor(call, now, result))
  } catch (error) {
    const known = error instanceof VenueError ? error : undefined
    if (!known) backing.log.error({ err: error, path: call.incoming.path }, 'request failed')
    const code = known?.code ?? -1000
    record(backing, call, 'rejected', null, code)
    const message = known?.message ?? 'An unknown error occurred while processing the request.'
    return { ...errorAnswer(code, message, statusOf(code)), headers: headersFor(call, now) }
  }
}

function run({ exchange }: Backing, call: Call, now: number, lagMs: number): Result {
  const { params, repeated, route, incoming } = call
  if (repeated) throw new VenueError(-1101, `Duplicate values for parameter '${repeated}' detected.`)
  const asOf = lagMs === 0 ? Number.POSITIVE_INFINITY : now - lagMs
  if (!route.signed) return route.run({ exchange, params, now, asOf })
  const entry = authenticate(exchange.ledger, incoming, params, now)
  return route.run({ exchange, params, now, asOf, entry })
}

function headersFor({ incoming, route, usage }: Call, now: number, result?: Result): Record<string, string> {
  const placing = route.signed && route.op === 'place'
  const weight = usage.weigh(incoming.remoteAddress, placing ? 0 : route.weight, now)
  const headers: Record<string, string> = { 'X-MBX-USED-WEIGHT-1M': String(weight) }
  const apiKey = apiKeyOf(incoming)
  if (!result?.countsAsOrder || apiKey === undefined) return headers
  const { tenSeconds, minute } = usage.countOrder(apiKey, now)
  return { ...headers, 'X-MBX-ORDER-COUNT-10S': String(tenSeconds), 'X-MBX-ORDER-COUNT-1M': String(minute) }
}

function record(
  { journal }: Backing,
  { incoming, params, route }: Call,
  outcome: JournalEntry['outcome'],
  orderId: number | null,
  code: number | null = null,
): void {
  if (!route.signed || !route.op) return
  journal.record({
    receivedNs: incoming.receivedNs.toString(),
    wire: WIRE,
    transport: 'rest',
    method: incoming.method,
    path: incoming.path,
    op: route.op,
    apiKey: apiKeyOf(incoming) ?? null,
    clientOrderId: params.get('newClientOrderId') ?? params.get('origClientOrderId') ?? null,
    venueOrderId: orderId === null ? (params.get('orderId') ?? null) : String(orderId),
    symbol: params.get('symbol') ?? null,
    side: params.get('side') ?? null,
    type: params.get('type') ?? null,
    quantity: params.get('quantity') ?? null,
    price: params.get('price') ?? null,
    outcome,
    code,
  })
}

function apiKeyOf({ headers }: Incoming): string | undefined {
  const apiKey = headers['x-mbx-apikey']
  return typeof apiKey === 'string' ? apiKey : undefined
}

// What the venue says with a status of its own; with 503 and 5xx it says whether anything was done.
function statusAnswer(status: number, done: boolean): Answer {
  if (status === 429) {
    const text = 'Too many requests; current limit is 2400 requests per minute.'
    return { ...errorAnswer(-1003, text, status), headers: { 'Retry-After': '1' } }
  }
  if (status === 418) {
    const text = 'Way too many requests; IP banned. Please use the websocket for live updates to avoid bans.'
    return { ...errorAnswer(-1003, text, status), headers: { 'Retry-After': '120' } }
  }
  if (status === 408 || status === 504) {
    const text =
      'Timeout waiting for response from backend server. Send status unknown; execution status unknown.'
    return errorAnswer(-1007, text, status)
  }
  if (status === 503 && !done) return errorAnswer(-1016, 'Service Unavailable.', status)
  if (status >= 500)
    return errorAnswer(-1000, 'Unknown error, please check your request or try again later.', status)
  return errorAnswer(-1000, 'An unknown error occurred while processing the request.', status)
}
