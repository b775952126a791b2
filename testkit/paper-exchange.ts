import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { paperHost } from './paper-host.ts'
import { newVenueAccount, type VenueAccount } from './people/venue-account.ts'

const Entry = z.object({
  op: z.string(),
  transport: z.string(),
  clientOrderId: z.string().nullable(),
  symbol: z.string().nullable(),
  side: z.string().nullable(),
  quantity: z.string().nullable(),
  outcome: z.enum(['accepted', 'rejected', 'dropped']),
  receivedNs: z.string(),
})
/** One request that the paper exchange received to place or cancel something. */
export type JournalEntry = z.infer<typeof Entry>

const Account = z.object({
  apiKey: z.string(),
  balances: z.record(z.string(), z.string()),
  positions: z.array(
    z.object({ venue: z.string(), symbol: z.string(), side: z.string(), quantity: z.string() }),
  ),
  openOrders: z.array(
    z.object({
      venue: z.string(),
      venueOrderId: z.string(),
      clientOrderId: z.string(),
      symbol: z.string(),
      side: z.string(),
      type: z.string(),
      status: z.string(),
      quantity: z.string(),
      filled: z.string(),
      price: z.string(),
      triggerPrice: z.string().nullable(),
      reduceOnly: z.boolean(),
    }),
  ),
})
/** Balances, positions and open orders of one account. */
export type PaperAccount = z.infer<typeof Account>

/** Prices to hold a symbol at, as decimal texts. */
export interface PinnedPrices {
  bid: string
  ask: string
  last?: string
  mark?: string
  index?: string
}

/** A paper exchange of one's own, with its control API. */
export interface TestPaper {
  readonly url: string
  readonly internalToken: string
  openAccount(balances?: Record<string, string>): Promise<VenueAccount>
  journal(): Promise<JournalEntry[]>
  addFault(fault: object): Promise<void>
  /** Arms a fault and tells its id. */
  armFault(fault: object): Promise<string>
  removeFault(id: string): Promise<void>
  clearFaults(): Promise<void>
  /** Returns the account's present holdings. */
  account(apiKey: string): Promise<PaperAccount>
  /** Changes terms and modes of an account, as its owner does in the exchange's own app. */
  setTerms(apiKey: string, terms: object): Promise<void>
  /** Holds the prices of every market with this symbol, filling and triggering what they reach. */
  pinPrices(symbol: string, prices: PinnedPrices): Promise<void>
  unpinPrices(symbol: string): Promise<void>
  stop(): Promise<void>
}

/** Starts a paper exchange in another process; prices stand still and no limit refuses, unless the settings say so. */
export async function paperExchange(settings: Record<string, string> = {}): Promise<TestPaper> {
  const host = await paperHost()
  const internalToken = randomBytes(24).toString('base64url')
  const usual = { PORT: '0', INTERNAL_TOKEN: internalToken, PAPER_CONTROL: 'on', PAPER_LIMITS: 'off' }
  const port = await ask(host.url, 'POST', { ...usual, LOG_LEVEL: 'warn', ...settings })
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    internalToken,
    openAccount: async (balances) => await newVenueAccount(url, balances),
    journal: async () => z.array(Entry).parse(await call(url, 'GET', 'journal')),
    addFault: async (fault) => void (await call(url, 'POST', 'faults', fault)),
    armFault: async (fault) =>
      z.object({ id: z.string() }).parse(await call(url, 'POST', 'faults', fault)).id,
    removeFault: async (id) => void (await call(url, 'DELETE', `faults/${id}`)),
    clearFaults: async () => void (await call(url, 'DELETE', 'faults')),
    account: async (apiKey) => Account.parse(await call(url, 'GET', `accounts/${apiKey}`)),
    setTerms: async (apiKey, terms) => void (await call(url, 'PUT', `accounts/${apiKey}/terms`, terms)),
    pinPrices: async (symbol, prices) => void (await call(url, 'PUT', `prices/${symbol}`, prices)),
    unpinPrices: async (symbol) => void (await call(url, 'DELETE', `prices/${symbol}`)),
    stop: async () => {
      await ask(`${host.url}/${port}`, 'DELETE')
      await host.stop()
    },
  }
}

async function call(url: string, method: string, path: string, body?: object): Promise<unknown> {
  const text = await ask(`${url}/control/${path}`, method, body)
  return text === '' ? undefined : JSON.parse(text)
}

async function ask(url: string, method: string, body?: object): Promise<string> {
  const response = await fetch(url, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`)
  return text
}
