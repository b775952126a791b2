import type { JournalEntry } from '../../store/journal.ts'
import type { Backing } from '../backing.ts'
import { type Attempt, type Bent, endFaulty, momentShown, STRAIGHT } from '../faulty.ts'
import type { Answer, Reply } from '../message.ts'
import type { Params } from '../params.ts'
import { authenticate, authenticateKey, type Check } from './auth.ts'
import type { Dialect } from './dialect.ts'
import { failureFrom, statusOf, VenueError } from './errors.ts'
import { failureBehind, textOf } from './known-texts.ts'
import type { Failure, Outcome, Used } from './outcome.ts'
import { type Result, type Route, weightOf } from './route.ts'
import type { Admission, OrderLimit, Usage } from './usage.ts'

/** A market of Binance: the venue behind it, its words, and what its clients used. */
export type CallContext = Backing & Readonly<{ dialect: Dialect; usage: Usage }>

/** A request to one of the routes, whatever it came over. `method` and `path` are those of the route over HTTP. */
export type Call = Readonly<{
  transport: 'rest' | 'ws'
  method: string
  path: string
  apiKey: string | undefined
  params: Params
  repeated: string | undefined
  route: Route
  remoteAddress: string
  receivedNs: bigint
  isSigned: Check
  answer: (outcome: Outcome) => Answer
}>

/** Does what the call asks, bent by the faults that strike it, and ends it through the reply. */
export function perform(context: CallContext, call: Call, reply: Reply): void {
  const { transport, method, path, apiKey, params } = call
  context.onRequest({ wire: context.dialect.wire, transport, endpoint: `${method} ${path}` })
  const facts = { wire: context.dialect.wire, transport, method, path, apiKey, symbol: params.get('symbol') }
  const struck = context.faults.strike(facts)
  if (struck.length === 0) reply.send(attempt(context, call, STRAIGHT))
  else endFaulty(faultyCall(context, call), struck, reply, context.stopping).catch(() => reply.drop())
}

function faultyCall(context: CallContext, call: Call): Attempt {
  const { dialect, clock } = context
  return {
    attempt: (bent) => attempt(context, call, bent),
    dropped: () => record(context, call, 'dropped', null),
    rejected: (code, message) =>
      refused(context, call, { status: statusOf(code), code, message: message ?? textOf(dialect, code) }),
    refusedWith: (trouble) => refused(context, call, failureBehind(dialect, trouble, false, clock.nowMs())),
    hiddenBehind: (trouble) => call.answer({ failure: failureBehind(dialect, trouble, true, clock.nowMs()) }),
  }
}

// Does what is asked and writes down what happened, before anybody is answered.
function attempt(context: CallContext, call: Call, bent: Bent): Answer {
  const now = context.clock.nowMs()
  const admission = context.usage.admit(call, weightOf(call.route, call.params), now)
  const used: Used = { weight: admission.weight }
  const throttled = throttledBy(context.dialect, admission, now)
  if (throttled) return refused(context, call, throttled, used)
  try {
    const result = run(context, call, now, bent)
    recordResult(context, call, result)
    const after = { ...used, ...ordersCounted(context, call, now) }
    if (result.failure) return call.answer({ failure: failureFrom(result.failure), used: after })
    return call.answer({ result: result.body, used: after })
  } catch (error) {
    return refused(context, call, failureOf(context, call, error), used)
  }
}

function refused(context: CallContext, call: Call, failure: Failure, used?: Used): Answer {
  record(context, call, 'rejected', null, failure.code)
  return call.answer({ failure, ...(used && { used }) })
}

function throttledBy(dialect: Dialect, { verdict, waitMs }: Admission, now: number): Failure | undefined {
  if (verdict === 'within') return undefined
  const retryAfterS = Math.ceil(waitMs / 1_000)
  if (verdict === 'banned')
    return { status: 418, code: -1003, message: dialect.banned(now + waitMs), retryAfterS }
  return { status: 429, code: -1003, message: dialect.tooMuchWeight(dialect.limits.weight), retryAfterS }
}

function failureOf({ dialect, log }: CallContext, { path }: Call, error: unknown): Failure {
  if (error instanceof VenueError) return failureFrom(error)
  log.error({ err: error, path }, 'request failed')
  return { status: statusOf(-1000), code: -1000, message: textOf(dialect, -1000) }
}

function run({ exchange, usage, lateness }: CallContext, call: Call, now: number, bent: Bent): Result {
  const { params, repeated, route, apiKey } = call
  if (repeated) throw new VenueError(-1101, `Duplicate values for parameter '${repeated}' detected.`)
  const shown = { exchange, usage, params, now, venueNow: now + bent.skewMs }
  if (route.access === 'public') {
    refuseUnread(route, params)
    return route.run(shown)
  }
  if (route.access === 'keyed')
    return route.run({ ...shown, entry: authenticateKey(exchange.ledger, apiKey), asOf: now })
  const entry = authenticate(exchange.ledger, apiKey, params, call.isSigned, shown.venueNow)
  refuseUnread(route, params)
  const full = usage.exceededBy(entry.apiKey, route.orders, now)
  if (full) throw tooManyOrders(full)
  const asOf = momentShown(lateness, entry, bent, now)
  return counted(usage, entry.apiKey, route.orders, now, () => route.run({ ...shown, entry, asOf }))
}

// Counted before it runs, because what fills at once gives its count back; what is refused does not count.
function counted(usage: Usage, apiKey: string, orders: number, now: number, attempt: () => Result): Result {
  if (orders === 0) return attempt()
  usage.countOrders(apiKey, orders, now)
  try {
    return attempt()
  } catch (error) {
    usage.countOrders(apiKey, -orders, now)
    throw error
  }
}

const OF_ANY_REQUEST = ['apiKey', 'timestamp', 'recvWindow', 'signature', 'returnRateLimits']

// The venue reads what it knows and then finds that something was left over.
function refuseUnread({ reads, access }: Route, params: Params): void {
  if (!reads) return
  let read = params.size
  for (const name of params.keys()) if (!reads.includes(name) && !OF_ANY_REQUEST.includes(name)) read -= 1
  if (read === params.size) return
  if (access === 'public' && reads.length === 0)
    throw new VenueError(-1101, `Too many parameters; expected '0' and received '${params.size}'.`)
  throw new VenueError(
    -1104,
    `Not all sent parameters were read; read '${read}' parameter(s) but was sent '${params.size}'.`,
  )
}

function tooManyOrders({ limit, interval, intervalNum }: OrderLimit): VenueError {
  return new VenueError(
    -1015,
    `Too many new orders; current limit is ${limit} orders per ${intervalNum} ${interval}.`,
  )
}

function ordersCounted({ usage }: CallContext, { route, apiKey }: Call, now: number): Pick<Used, 'orders'> {
  if (route.access !== 'signed' || route.orders === 0 || apiKey === undefined) return {}
  return { orders: usage.countOrders(apiKey, 0, now) }
}

function recordResult(context: CallContext, call: Call, { orderId, parts }: Result): void {
  if (!parts) record(context, call, 'accepted', orderId ?? null)
  for (const part of parts ?? []) {
    const outcome = part.code === undefined ? 'accepted' : 'rejected'
    record(context, { ...call, params: part.params }, outcome, part.orderId ?? null, part.code ?? null)
  }
}

// The canceled order's name comes before the name of the cancel.
const CLIENT_IDS = ['origClientOrderId', 'newClientOrderId', 'clientAlgoId', 'listClientOrderId']

function record(
  { journal, dialect }: CallContext,
  { params, route, receivedNs, transport, method, path, apiKey }: Call,
  outcome: JournalEntry['outcome'],
  orderId: number | string | null,
  code: number | null = null,
): void {
  if (route.access !== 'signed' || !route.op) return
  const sent = (name: string) => params.get(name) ?? null
  journal.record({
    receivedNs: receivedNs.toString(),
    wire: dialect.wire,
    transport,
    method,
    path,
    op: route.op,
    apiKey: apiKey ?? null,
    clientOrderId: CLIENT_IDS.map(sent).find((id) => id !== null) ?? null,
    venueOrderId: orderId === null ? sent('orderId') : String(orderId),
    symbol: sent('symbol'),
    side: sent('side'),
    type: sent('type'),
    quantity: sent('quantity'),
    price: sent('price'),
    outcome,
    code,
  })
}
