import type { Clock } from '../clock.ts'
import type { Exchange } from '../exchange.ts'
import { openAccount, resetAccount } from '../open-account.ts'
import type { Faults } from '../store/faults.ts'
import type { Journal } from '../store/journal.ts'
import { type Answer, type Incoming, json, readJson } from '../wire/message.ts'
import { listAccounts, showAccount } from './accounts.ts'
import { describeFault } from './describe-fault.ts'
import { putFunding } from './funding.ts'
import { pinPrices, unpinPrices } from './prices.ts'
import { readFault } from './read-fault.ts'
import { putSymbol } from './symbols.ts'
import { putTerms } from './terms.ts'

/** The exchange under control. */
export type Controlled = Readonly<{
  exchange: Exchange
  journal: Journal
  faults: Faults
  clock: Clock
  /** Does what faults that have just been armed do at once. */
  provoke: () => void
}>

type Asked = Readonly<{ name: string; body: unknown; query: URLSearchParams; wantsPage: boolean }>
type Operation = (controlled: Controlled, asked: Asked) => Answer

const NOT_FOUND: Answer = json(404, { detail: 'Not found' })
const NO_BODY: Answer = { status: 204, body: '' }

const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['POST accounts', (controlled, { body }) => openAccount(controlled, body)],
  ['GET accounts', ({ exchange }, { wantsPage }) => listAccounts(exchange, wantsPage)],
  ['GET accounts/', ({ exchange }, { name, wantsPage }) => showAccount(exchange, name, wantsPage)],
  ['POST accounts//reset', (controlled, { name, body }) => resetAccount(controlled, name, body)],
  ['PUT accounts//terms', (controlled, { name, body }) => putTerms(controlled, name, body)],
  ['PUT prices/', (controlled, { name, body }) => pinPrices(controlled, name, body)],
  ['DELETE prices/', (controlled, { name }) => unpinPrices(controlled, name)],
  ['PUT funding/', (controlled, { name, body }) => putFunding(controlled, name, body)],
  ['PUT symbols/', (controlled, { name, body }) => putSymbol(controlled, name, body)],
  ['POST faults', addFault],
  ['GET faults', ({ faults }) => json(200, faults.list().map(describeFault))],
  ['DELETE faults', clearFaults],
  ['DELETE faults/', ({ faults }, { name }) => (faults.remove(name) ? NO_BODY : NOT_FOUND)],
  ['GET journal', ({ journal }, { query }) => json(200, journal.list(query.get('apiKey') ?? undefined))],
  ['DELETE journal', clearJournal],
])

/** Answers a control call: `/control/<kind>[/<name>[/<act>]]`. */
export function serveControl(controlled: Controlled, incoming: Incoming): Answer {
  const [, , kind = '', name, ...acts] = incoming.path.split('/')
  const route = [kind, ...(name === undefined ? [] : ['']), ...acts].join('/')
  const operation = OPERATIONS.get(`${incoming.method} ${route}`)
  if (!operation) return NOT_FOUND
  const body = readJson(incoming)
  if (body === undefined) return json(400, { detail: 'the body must be JSON' })
  const query = new URLSearchParams(incoming.query)
  return operation(controlled, {
    name: name ?? '',
    body: body.value,
    query,
    wantsPage: wantsPage(incoming),
  })
}

function wantsPage({ headers }: Incoming): boolean {
  return headers['accept']?.includes('text/html') ?? false
}

function addFault({ faults, provoke }: Controlled, { body }: Asked): Answer {
  const fault = readFault(body)
  if ('fault' in fault) return json(400, { detail: fault.fault })
  const id = faults.add(fault)
  provoke()
  return json(201, { id })
}

function clearFaults({ faults }: Controlled): Answer {
  faults.clear()
  return NO_BODY
}

function clearJournal({ journal }: Controlled): Answer {
  journal.clear()
  return NO_BODY
}
