import type { Clock } from '../clock.ts'
import { findMarket } from '../domain/market.ts'
import type { Exchange } from '../exchange.ts'
import { openAccount } from '../open-account.ts'
import type { Faults } from '../store/faults.ts'
import type { Journal } from '../store/journal.ts'
import { type Answer, type Incoming, json, readJson } from '../wire/message.ts'
import { describeEntry } from './describe-account.ts'
import { describeFault } from './describe-fault.ts'
import { readFault } from './read-fault.ts'
import { describeQuote, readQuote } from './read-quote.ts'

/** What the control calls work on. */
export type Controlled = Readonly<{
  exchange: Exchange
  journal: Journal
  faults: Faults
  clock: Clock
  /** Does what faults that have just been armed do at once. */
  provoke: () => void
}>

type Asked = Readonly<{ name: string; body: unknown; query: URLSearchParams }>
type Operation = (controlled: Controlled, asked: Asked) => Answer

const NOT_FOUND: Answer = json(404, { detail: 'Not found' })
const NO_BODY: Answer = { status: 204, body: '' }
const refuse = (detail: string): Answer => json(400, { detail })

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST accounts': ({ exchange, clock }, { body }) => openAccount(exchange, clock, body),
  'GET accounts/': ({ exchange }, { name }) => {
    const entry = exchange.ledger.entries.get(name)
    return entry ? json(200, describeEntry(entry)) : NOT_FOUND
  },
  'PUT prices/': pinPrice,
  'DELETE prices/': unpinPrice,
  'POST faults': addFault,
  'GET faults': ({ faults }) => json(200, faults.list().map(describeFault)),
  'DELETE faults': ({ faults }) => {
    faults.clear()
    return NO_BODY
  },
  'DELETE faults/': ({ faults }, { name }) => (faults.remove(name) ? NO_BODY : NOT_FOUND),
  'GET journal': ({ journal }, { query }) => json(200, journal.list(query.get('apiKey') ?? undefined)),
  'DELETE journal': ({ journal }) => {
    journal.clear()
    return NO_BODY
  },
}

/** Answers a control call: `/control/<kind>[/<name>]`. */
export function serveControl(controlled: Controlled, incoming: Incoming): Answer {
  const [, , kind = '', name] = incoming.path.split('/')
  const operation = OPERATIONS[`${incoming.method} ${kind}${name === undefined ? '' : '/'}`]
  if (!operation) return NOT_FOUND
  const body = readJson(incoming)
  if (body === undefined) return refuse('the body must be JSON')
  const query = new URLSearchParams(incoming.query)
  return operation(controlled, { name: name ?? '', body: body.value, query })
}

function pinPrice({ exchange, clock }: Controlled, { name, body }: Asked): Answer {
  const market = findMarket(name)
  if (!market) return NOT_FOUND
  const quote = readQuote(market, body)
  if ('fault' in quote) return refuse(quote.fault)
  exchange.pin(market.symbol, quote, clock.nowMs())
  return json(200, describeQuote(market, quote))
}

function unpinPrice({ exchange, clock }: Controlled, { name }: Asked): Answer {
  const market = findMarket(name)
  if (!market) return NOT_FOUND
  exchange.unpin(market.symbol, clock.nowMs())
  return json(200, describeQuote(market, exchange.quotes.of(market.symbol)))
}

function addFault({ faults, provoke }: Controlled, { body }: Asked): Answer {
  const fault = readFault(body)
  if ('fault' in fault) return refuse(fault.fault)
  const id = faults.add(fault)
  provoke()
  return json(201, { id })
}
