import type { Log } from '@tripline/kit/log'
import type { Clock } from '../../clock.ts'
import type { Exchange } from '../../exchange.ts'
import type { Faults } from '../../store/faults.ts'
import type { Journal, JournalEntry } from '../../store/journal.ts'
import { type Attempt, type Bent, endFaulty, STRAIGHT } from '../faulty.ts'
import { type Answer, type Incoming, json, type Reply } from '../message.ts'
import { type Params, readParams } from '../params.ts'
import { accountRoutes } from './account-routes.ts'
import { authenticate } from './auth.ts'
import { errorAnswer, VenueError } from './errors.ts'
import { codeBehind, statusAnswer, textOf } from './known-texts.ts'
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

const WIRE = 'binance-futures'
const ROUTES: ReadonlyMap<string, Route> = new Map([...marketRoutes, ...accountRoutes, ...orderRoutes])

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
    endFaulty(faultyCall(backing, call), struck, reply, backing.stopping).catch(() => reply.drop())
  }
}

function faultyCall(backing: Backing, call: Call): Attempt {
  return {
    attempt: (bent) => attempt(backing, call, bent),
    dropped: () => record(backing, call, 'dropped', null),
    rejected: (code, message) => {
      record(backing, call, 'rejected', null, code)
      return errorAnswer(code, message ?? textOf(code))
    },
    refusedWith: (status) => {
      record(backing, call, 'rejected', null, codeBehind(status, false))
      return statusAnswer(status, false)
    },
    hiddenBehind: (status) => statusAnswer(status, true),
  }
}

// Does what is asked and writes down what happened, before anybody is answered.
function attempt(backing: Backing, call: Call, bent: Bent): Answer {
  const now = backing.clock.nowMs()
  try {
    const result = run(backing, call, now, bent)
    record(backing, call, 'accepted', result.orderId ?? null)
    return json(200, result.body, headersFor(call, now, result))
  } catch (error) {
    const known = error instanceof VenueError ? error : undefined
    if (!known) backing.log.error({ err: error, path: call.incoming.path }, 'request failed')
    const code = known?.code ?? -1000
    record(backing, call, 'rejected', null, code)
    return { ...errorAnswer(code, known?.message ?? textOf(code)), headers: headersFor(call, now) }
  }
}

function run({ exchange }: Backing, call: Call, now: number, { skewMs, lagMs }: Bent): Result {
  const { params, repeated, route, incoming } = call
  if (repeated) throw new VenueError(-1101, `Duplicate values for parameter '${repeated}' detected.`)
  const shown = {
    exchange,
    params,
    now,
    venueNow: now + skewMs,
    asOf: lagMs === 0 ? Number.POSITIVE_INFINITY : now - lagMs,
  }
  if (!route.signed) return route.run(shown)
  return route.run({ ...shown, entry: authenticate(exchange.ledger, incoming, params, shown.venueNow) })
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
