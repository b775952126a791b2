import { z } from 'zod'

const Entry = z.object({
  op: z.string(),
  wire: z.string(),
  transport: z.string(),
  method: z.string(),
  path: z.string(),
  apiKey: z.string().nullable(),
  clientOrderId: z.string().nullable(),
  venueOrderId: z.string().nullable(),
  symbol: z.string().nullable(),
  side: z.string().nullable(),
  type: z.string().nullable(),
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

const Credentials = z.object({ apiKey: z.string(), secret: z.string() })

/** The acts on a paper exchange besides trading, and what it shows. */
export interface PaperControl {
  /** Opens an account with these balances, or enough for small orders. */
  openAccount(balances?: Record<string, string>): Promise<z.infer<typeof Credentials>>
  journal(): Promise<JournalEntry[]>
  clearJournal(): Promise<void>
  addFault(fault: object): Promise<void>
  /** Arms a fault and returns its id. */
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
}

/** The control of the paper exchange at this address. */
export function paperControl(url: string): PaperControl {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const text = await ask(`${url}/control/${path}`, method, body)
    return text === '' ? undefined : JSON.parse(text)
  }
  return {
    openAccount: async (balances) => Credentials.parse(await call('POST', 'accounts', { balances })),
    journal: async () => z.array(Entry).parse(await call('GET', 'journal')),
    clearJournal: async () => void (await call('DELETE', 'journal')),
    addFault: async (fault) => void (await call('POST', 'faults', fault)),
    armFault: async (fault) => z.object({ id: z.string() }).parse(await call('POST', 'faults', fault)).id,
    removeFault: async (id) => void (await call('DELETE', `faults/${id}`)),
    clearFaults: async () => void (await call('DELETE', 'faults')),
    account: async (apiKey) => Account.parse(await call('GET', `accounts/${apiKey}`)),
    setTerms: async (apiKey, terms) => void (await call('PUT', `accounts/${apiKey}/terms`, terms)),
    pinPrices: async (symbol, prices) => void (await call('PUT', `prices/${symbol}`, prices)),
    unpinPrices: async (symbol) => void (await call('DELETE', `prices/${symbol}`)),
  }
}

/** Asks a server of paper exchanges; anything but success is thrown. */
export async function ask(url: string, method: string, body?: object): Promise<string> {
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
