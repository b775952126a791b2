import type { JournalEntry } from '../../store/journal.ts'
import type { Entry } from '../../store/ledger.ts'
import type { Backing } from '../backing.ts'
import { type Attempt, type Bent, endFaulty, momentShown, STRAIGHT } from '../faulty.ts'
import type { Answer, Reply } from '../message.ts'
import type { Allowance, Allowances } from './allowance.ts'
import { BybitError } from './errors.ts'
import type { Fields } from './fields.ts'
import type { Guards } from './guards.ts'
import { codeBehind, textOf } from './known-texts.ts'
import { failed, type Outcome } from './outcome.ts'
import type { Part, Result, Route } from './route.ts'
import type { Tape } from './tape.ts'

/** The venue behind the wire, what its clients used, and what it remembers of the market. */
export type CallContext = Backing &
  Readonly<{
    allowances: Allowances
    tape: Tape
    guards: Guards
    startedAt: number
  }>

/** A request to one of the routes, whatever it came over; `method` and `path` are those of the route over HTTP. */
export type Call = Readonly<{
  transport: 'rest' | 'ws'
  method: string
  path: string
  apiKey: string | undefined
  /** Undefined where the body could not be read. */
  fields: Fields | undefined
  route: Route
  remoteAddress: string
  receivedNs: bigint
  /** Returns the caller's account, or throws the venue's error. */
  identify: (venueNow: number) => Entry
  answer: (outcome: Outcome) => Answer
}>

const WIRE = 'bybit'

// The venue bans an address for ten minutes that asks more often than this.
const IP_REQUESTS = 600
const IP_SPAN_MS = 5_000
const BAN_MS = 600_000

/** Does what the call asks, bent by the faults that strike it, and ends it through the reply. */
export function perform(context: CallContext, call: Call, reply: Reply): void {
  const { transport, method, path, apiKey, fields } = call
  context.onRequest({ wire: WIRE, transport, endpoint: `${method} ${path}` })
  const symbol = typeof fields?.['symbol'] === 'string' ? fields['symbol'] : undefined
  const struck = context.faults.strike({ wire: WIRE, transport, method, path, apiKey, symbol })
  if (struck.length === 0) reply.send(attempt(context, call, STRAIGHT))
  else endFaulty(faultyCall(context, call), struck, reply, context.stopping).catch(() => reply.drop())
}

function faultyCall(context: CallContext, call: Call): Attempt {
  const now = () => context.clock.nowMs()
  const hidden = (status: number, done: boolean): Outcome => {
    const code = codeBehind(status, done)
    return failed(code, textOf(code), now(), status)
  }
  return {
    attempt: (bent) => attempt(context, call, bent),
    dropped: () => record(context, call, 'dropped'),
    rejected: (code, message) => refused(context, call, failed(code, message ?? textOf(code), now())),
    refusedWith: ({ status }) => refused(context, call, hidden(status, false)),
    hiddenBehind: ({ status }) => call.answer(hidden(status, true)),
  }
}

// Does what is asked and writes down what happened, before anybody is answered.
function attempt(context: CallContext, call: Call, bent: Bent): Answer {
  const now = context.clock.nowMs()
  const venueNow = now + bent.skewMs
  if (isBanned(context, call, now)) return refused(context, call, failed(10018, textOf(10018), venueNow, 403))
  let allowance: Allowance | undefined
  try {
    const { route } = call
    const entry = route.access === 'signed' ? call.identify(venueNow) : undefined
    if (!call.fields) throw new BybitError(10001, textOf(10001))
    if (entry && route.access === 'signed') {
      allowance = takeAllowance(context, call, call.fields, entry, now)
      if (allowance?.isOver && context.limits !== 'off') throw new BybitError(10006, textOf(10006))
    }
    const result = run(context, route, call.fields, entry, now, bent)
    for (const part of result.parts ?? []) recordPart(context, call, part)
    const { body, extra = {} } = result
    return call.answer({
      code: 0,
      message: 'OK',
      result: body,
      extra,
      time: venueNow,
      status: 200,
      ...(allowance && { allowance }),
    })
  } catch (error) {
    const { code, message } = causeOf(context, call, error)
    return refused(context, call, {
      ...failed(code, message, venueNow),
      ...(allowance && { allowance }),
    })
  }
}

function causeOf(
  context: CallContext,
  { path }: Call,
  error: unknown,
): Readonly<{ code: number; message: string }> {
  if (error instanceof BybitError) return error
  context.log.error({ err: error, path }, 'request failed')
  return { code: 10016, message: textOf(10016) }
}

function isBanned(context: CallContext, { remoteAddress, transport }: Call, now: number): boolean {
  // Accounts with limits of their own have allowances already.
  if (context.limits !== 'on' || transport === 'ws') return false
  const banned = context.allowances.take(`ban ${remoteAddress}`, 1, BAN_MS, now, 0)
  if (banned.left === 0) return true
  if (!context.allowances.take(`ip ${remoteAddress}`, IP_REQUESTS, IP_SPAN_MS, now).isOver) return false
  context.allowances.take(`ban ${remoteAddress}`, 1, BAN_MS, now)
  return true
}

function takeAllowance(
  { allowances }: CallContext,
  { path, route }: Call,
  fields: Fields,
  { apiKey }: Entry,
  now: number,
): Allowance | undefined {
  if (route.access !== 'signed') return undefined
  const category = fields['category'] === 'spot' ? 'spot' : 'linear'
  const { perSecond, count } = route.quota
  return allowances.take(`${apiKey} ${path} ${category}`, perSecond(fields), 1_000, now, count(fields))
}

function run(
  { exchange, tape, guards, startedAt, lateness }: CallContext,
  route: Route,
  fields: Fields,
  entry: Entry | undefined,
  now: number,
  bent: Bent,
): Result {
  const call = { exchange, tape, guards, startedAt, fields, now, venueNow: now + bent.skewMs }
  if (route.access === 'public') return route.run(call)
  if (!entry) throw new BybitError(10003, textOf(10003))
  return route.run({ ...call, entry, asOf: momentShown(lateness, entry, bent, now) })
}

function refused(context: CallContext, call: Call, outcome: Outcome): Answer {
  record(context, call, 'rejected', outcome.code)
  return call.answer(outcome)
}

function recordPart(context: CallContext, call: Call, { fields, orderId, code }: Part): void {
  const outcome = code === undefined ? 'accepted' : 'rejected'
  record(context, { ...call, fields }, outcome, code ?? null, orderId ?? null)
}

function record(
  { journal }: CallContext,
  { fields, route, receivedNs, transport, method, path, apiKey }: Call,
  outcome: JournalEntry['outcome'],
  code: number | null = null,
  orderId: string | null = null,
): void {
  if (route.access !== 'signed' || !route.op) return
  const sent = (name: string): string | null => {
    const value = fields?.[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null
  }
  journal.record({
    receivedNs: receivedNs.toString(),
    wire: WIRE,
    transport,
    method,
    path,
    op: route.op,
    apiKey: apiKey ?? null,
    clientOrderId: sent('orderLinkId'),
    venueOrderId: orderId ?? sent('orderId'),
    symbol: sent('symbol'),
    side: sent('side'),
    type: sent('orderType'),
    quantity: sent('qty'),
    price: sent('price'),
    outcome,
    code,
  })
}
