import { randomBytes } from 'node:crypto'
import { temporaryFolder } from '@tripline/scripts/infra/temporary-folder'
import { serviceProcess } from '@tripline/scripts/service-process'
import { z } from 'zod'
import { freePort } from './free-port.ts'
import { waitFor } from './wait-for.ts'

const Entry = z.object({
  op: z.string(),
  clientOrderId: z.string().nullable(),
  symbol: z.string().nullable(),
  side: z.string().nullable(),
  quantity: z.string().nullable(),
  outcome: z.enum(['accepted', 'rejected', 'dropped']),
  receivedNs: z.string(),
})
/** One request that the paper exchange received to place or cancel something. */
export type JournalEntry = z.infer<typeof Entry>

/** A paper exchange of one's own, with its control API. */
export interface TestPaper {
  readonly url: string
  readonly internalToken: string
  openAccount(balances?: Record<string, string>): Promise<{ apiKey: string; secret: string }>
  journal(): Promise<JournalEntry[]>
  addFault(fault: object): Promise<void>
  clearFaults(): Promise<void>
  stop(): Promise<void>
}

/** Starts the paper exchange as its own process. */
export async function paperExchange(): Promise<TestPaper> {
  const { folder, remove } = await temporaryFolder()
  const port = await freePort()
  const internalToken = randomBytes(24).toString('base64url')
  const service = serviceProcess({
    name: 'paper-exchange',
    folder: 'services/paper-exchange',
    dataDir: folder,
    env: {
      PATH: process.env['PATH'],
      PORT: `${port}`,
      INTERNAL_TOKEN: internalToken,
      PAPER_CONTROL: 'on',
      LOG_LEVEL: 'warn',
    },
    onLine: () => undefined,
    onDeath: () => undefined,
  })
  const url = `http://127.0.0.1:${port}`
  await service.start()
  await waitFor(async () => (await fetch(`${url}/readyz`)).ok)
  return {
    url,
    internalToken,
    openAccount: async (balances) =>
      z
        .object({ apiKey: z.string(), secret: z.string() })
        .parse(await call(url, 'POST', 'accounts', { balances })),
    journal: async () => z.array(Entry).parse(await call(url, 'GET', 'journal')),
    addFault: async (fault) => void (await call(url, 'POST', 'faults', fault)),
    clearFaults: async () => void (await call(url, 'DELETE', 'faults')),
    stop: async () => {
      await service.stop()
      await remove()
    },
  }
}

async function call(url: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}/control/${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} /control/${path} answered ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
