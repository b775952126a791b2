import { createHmac } from 'node:crypto'
import { startPaperExchange } from '../src/app.ts'
import type { Clock } from '../src/clock.ts'
import { Config } from '../src/config.ts'
import type { JournalEntry } from '../src/store/journal.ts'

export const INTERNAL_TOKEN = 'a-token-only-for-tests'

export type Credentials = { apiKey: string; secret: string }
export type Answered = { status: number; headers: Headers; body: unknown }

/**
 * A running paper exchange on a free port in local mode. Reads right after an order are current unless the settings say
 * otherwise: these suites compare what was done with what is read.
 */
export async function startPaper(settings: Record<string, string> = {}, overrides: { clock?: Clock } = {}) {
  const usual = { TRIPLINE_MODE: 'local', LOG_LEVEL: 'error', PAPER_READ_LAG_MS: '0' }
  const config = Config.parse({ ...usual, INTERNAL_TOKEN, ...settings })
  const { port, stop } = await startPaperExchange(config, overrides)
  const root = `http://127.0.0.1:${port}`
  const control = async (method: string, path: string, body?: unknown): Promise<Answered> =>
    await ask(`${root}/control/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const open = async (balances?: Record<string, string>): Promise<Credentials> =>
    (await control('POST', 'accounts', balances && { balances })).body as Credentials
  const journal = async (apiKey?: string): Promise<JournalEntry[]> =>
    (await control('GET', apiKey ? `journal?apiKey=${apiKey}` : 'journal')).body as JournalEntry[]
  return { port, root, stop, control, open, journal }
}

export type Paper = Awaited<ReturnType<typeof startPaper>>
type Rooted = Pick<Paper, 'root'>

/** Sends a request and reads the answer's JSON. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answered> {
  const response = await fetch(url, init)
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

/** The signature of these bytes. */
export function sign({ secret }: Credentials, payload: string): string {
  return createHmac('sha256', secret).update(payload).digest('hex')
}

type Values = Record<string, string | number>

/** Parameters as text, with the time unless they have one. */
export function form(values: Values): string {
  const texts = Object.entries({ timestamp: Date.now(), ...values }).map(([name, value]) => [
    name,
    String(value),
  ])
  return new URLSearchParams(Object.fromEntries(texts)).toString()
}

/** A signed request with its parameters in the query. */
export async function call(
  { root }: Rooted,
  credentials: Credentials,
  method: string,
  path: string,
  values: Values = {},
) {
  const payload = form(values)
  const url = `${root}${path}?${payload}&signature=${sign(credentials, payload)}`
  return await ask(url, { method, headers: { 'X-MBX-APIKEY': credentials.apiKey } })
}

/** Places a market order of 0.01 BTC unless the values say otherwise. */
export async function place(paper: Rooted, credentials: Credentials, values: Values = {}): Promise<Answered> {
  const order = {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'MARKET',
    quantity: '0.01',
    newOrderRespType: 'RESULT',
  }
  return await call(paper, credentials, 'POST', '/fapi/v1/order', { ...order, ...values })
}

/** The order with this client order id, as the venue finds it. */
export async function find(
  paper: Paper,
  credentials: Credentials,
  origClientOrderId: string,
): Promise<Answered> {
  return await call(paper, credentials, 'GET', '/fapi/v1/order', { symbol: 'BTCUSDT', origClientOrderId })
}
