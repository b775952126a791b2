import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Exchange } from '../../exchange.ts'
import type { JournalEntry } from '../../store/journal.ts'
import type { Entry } from '../../store/ledger.ts'
import type { Backing } from '../backing.ts'
import { type Attempt, type Bent, endFaulty, momentShown, STRAIGHT } from '../faulty.ts'
import { type Answer, type Incoming, json, type Reply, readJson } from '../message.ts'
import { readParams } from '../params.ts'

/** The fields of a request: of its query, or of its body, where that is a list of the first row in it. */
export type Fields = Readonly<Record<string, unknown>>

/** The data that an endpoint answers from; `asOf` is the moment whose state its reads show. */
export type Call = Readonly<{
  exchange: Exchange
  fields: Fields
  entry: Entry | undefined
  now: number
  venueNow: number
  asOf: number
}>

/** An endpoint: its rows. Those with `op` change an order, and fail with a code in their row. */
export type Route = Readonly<{
  isPublic?: boolean
  op?: JournalEntry['op']
  run: (call: Call) => readonly unknown[]
}>

/** A refusal in the venue's own words. */
export class OkxError extends Error {
  readonly code: number
  readonly status: number

  constructor(code: number, message: string, status = 200) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** Every account's passphrase here. */
const PASSPHRASE = 'paper'
// "Making Requests" of the documentation, 2026-06.
const AGE_MS = 30_000

/** A text of the fields, empty where it is absent. */
export function textIn(fields: Fields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? `${value}`
    : ''
}

/** Answers a request, bent by the faults that strike it. */
export function perform(backing: Backing, route: Route, incoming: Incoming, reply: Reply): void {
  const { method, path, headers } = incoming
  const apiKey = headerIn(incoming, 'ok-access-key') || undefined
  const fields = fieldsOf(incoming)
  backing.onRequest({ wire: 'okx', transport: 'rest', endpoint: `${method} ${path}` })
  const symbol = textIn(fields, 'instId').replace('-SWAP', '').replace('-', '') || undefined
  const struck = backing.faults.strike({ wire: 'okx', transport: 'rest', method, path, apiKey, symbol })
  const request: OkxRequest = { backing, route, incoming, fields, apiKey, symbol: symbol ?? null, headers }
  if (struck.length === 0) reply.send(attempt(request, STRAIGHT))
  else endFaulty(faulty(request), struck, reply, backing.stopping).catch(() => reply.drop())
}

type OkxRequest = Readonly<{
  backing: Backing
  route: Route
  incoming: Incoming
  fields: Fields
  apiKey: string | undefined
  symbol: string | null
  headers: Incoming['headers']
}>

function headerIn({ headers }: Pick<Incoming, 'headers'>, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

function fieldsOf(incoming: Incoming): Fields {
  if (incoming.method === 'GET') return Object.fromEntries(readParams(incoming.query, '').params)
  const value = readJson(incoming)?.value
  const row: unknown = Array.isArray(value) ? value[0] : value
  return typeof row === 'object' && row !== null ? (row as Fields) : {}
}

function faulty(request: OkxRequest): Attempt {
  const hidden = (status: number): Answer => json(status, { code: '50026', msg: 'System error', data: [] })
  return {
    attempt: (bent) => attempt(request, bent),
    dropped: () => record(request, 'dropped'),
    rejected: (code, message) => refused(request, new OkxError(code, message ?? 'Operation failed.')),
    refusedWith: ({ status }) => {
      record(request, 'rejected', 50026)
      return hidden(status)
    },
    hiddenBehind: ({ status }) => hidden(status),
  }
}

function attempt(request: OkxRequest, bent: Bent): Answer {
  const { backing, route, fields } = request
  const now = backing.clock.nowMs()
  const venueNow = now + bent.skewMs
  try {
    const entry = route.isPublic === true ? undefined : authenticate(request, venueNow)
    const asOf = entry === undefined ? now : momentShown(backing.lateness, entry, bent, now)
    const data = route.run({ exchange: backing.exchange, fields, entry, now, venueNow, asOf })
    const [row] = data as readonly { ordId?: string; algoId?: string }[]
    if (route.op !== undefined) record(request, 'accepted', null, row?.ordId ?? row?.algoId ?? null)
    return json(200, { code: '0', msg: '', data })
  } catch (error) {
    if (error instanceof OkxError) return refused(request, error)
    backing.log.error({ err: error, path: request.incoming.path }, 'request failed')
    return refused(request, new OkxError(50026, 'System error. Try again later', 500))
  }
}

// A fault of an order stands in its row; one of the request as a whole does not.
function refused(request: OkxRequest, { code, message, status }: OkxError): Answer {
  record(request, 'rejected', code)
  if (request.route.op === undefined || code < 51_000)
    return json(status, { code: `${code}`, msg: message, data: [] })
  const row = { clOrdId: textIn(request.fields, 'clOrdId'), ordId: '', sCode: `${code}`, sMsg: message }
  return json(status, { code: '1', msg: 'All operations failed', data: [row] })
}

function authenticate({ backing, incoming, apiKey }: OkxRequest, venueNow: number): Entry {
  const [timestamp, sign] = [headerIn(incoming, 'ok-access-timestamp'), headerIn(incoming, 'ok-access-sign')]
  if (apiKey === undefined) throw new OkxError(50103, 'Request header "OK-ACCESS-KEY" cannot be empty.', 401)
  const entry = backing.exchange.ledger.entries.get(apiKey)
  if (entry === undefined) throw new OkxError(50111, 'Invalid OK-ACCESS-KEY.', 401)
  if (!(Math.abs(Date.parse(timestamp) - venueNow) <= AGE_MS))
    throw new OkxError(50102, 'Timestamp request expired.', 401)
  if (headerIn(incoming, 'ok-access-passphrase') !== PASSPHRASE)
    throw new OkxError(50105, 'Request header "OK-ACCESS-PASSPHRASE" incorrect.', 401)
  const query = incoming.query === '' ? '' : `?${incoming.query}`
  const text = `${timestamp}${incoming.method}${incoming.path}${query}${incoming.body}`
  const expected = createHmac('sha256', entry.secret).update(text, 'latin1').digest()
  const given = Buffer.from(sign, 'base64')
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new OkxError(50113, 'Invalid signature.', 401)
  const deadline = headerIn(incoming, 'exptime')
  if (deadline !== '' && Number(deadline) < venueNow) throw new OkxError(50037, 'Order expired.')
  return entry
}

function record(
  { backing, route, incoming, fields, apiKey, symbol }: OkxRequest,
  outcome: JournalEntry['outcome'],
  code: number | null = null,
  venueOrderId: string | null = null,
): void {
  if (route.op === undefined) return
  const sent = (name: string): string | null => textIn(fields, name) || null
  backing.journal.record({
    ...{
      receivedNs: incoming.receivedNs.toString(),
      wire: 'okx',
      transport: 'rest',
      method: incoming.method,
    },
    ...{ path: incoming.path, op: route.op, apiKey: apiKey ?? null, symbol, outcome, code },
    clientOrderId: sent('clOrdId') ?? sent('algoClOrdId'),
    venueOrderId: venueOrderId ?? sent('ordId') ?? sent('algoId'),
    ...{ side: sent('side'), type: sent('ordType'), quantity: sent('sz'), price: sent('px') },
  })
}
