import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Credentials, type Paper, startPaper } from '../paper.ts'
import { BTC, nextId, ORDER } from './kinds.ts'
import { type Reply, send, signed } from './raw-client.ts'

const HOUR_MS = 3_600_000

let paper: Paper
let credentials: Credentials
let now = Date.now()

beforeAll(async () => {
  const clock = { nowMs: () => now, nowNs: () => BigInt(now) * 1_000_000n }
  paper = await startPaper({ PAPER_TICK_MS: '0', PAPER_LIMITS: 'off' }, { clock })
  credentials = await paper.open()
})

afterAll(async () => await paper.stop())

async function place(values: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const body = JSON.stringify({ ...ORDER, ...values })
  return await send(paper, 'POST', '/v5/order/create', body, signed(credentials, body, { at: now }))
}

async function list(path: string, values: Readonly<Record<string, string>>): Promise<unknown[]> {
  const query = new URLSearchParams({ category: 'linear', ...values }).toString()
  const { body } = await send(paper, 'GET', path, query, signed(credentials, query, { at: now }))
  return body.result['list'] as unknown[]
}

test('the last five hundred closed orders are found at once, older ones in the history', async () => {
  const orderLinkId = nextId()
  await place({ timeInForce: 'IOC', orderLinkId })
  expect(await list('/v5/order/realtime', { orderLinkId })).toHaveLength(1)
  for (let round = 0; round < 500; round += 1) await place({ timeInForce: 'IOC' })
  expect(await list('/v5/order/realtime', { orderLinkId })).toEqual([])
  expect(await list('/v5/order/history', { orderLinkId })).toHaveLength(1)
  expect(await list('/v5/order/realtime', { symbol: BTC, openOnly: '1', limit: '50' })).toHaveLength(50)
})

test('an order that ended unfilled is forgotten after a day, a filled one after a week', async () => {
  const [canceled, filled] = [nextId(), nextId()]
  await place({ timeInForce: 'IOC', orderLinkId: canceled })
  await place({ price: '60100', orderLinkId: filled })
  const known = async () =>
    await Promise.all([canceled, filled].map((orderLinkId) => list('/v5/order/history', { orderLinkId })))
  expect((await known()).map(({ length }) => length)).toEqual([1, 1])
  now += 25 * HOUR_MS
  expect((await known()).map(({ length }) => length)).toEqual([0, 1])
  now += 6 * 24 * HOUR_MS
  expect((await known()).map(({ length }) => length)).toEqual([0, 0])
  expect((await place({ orderLinkId: filled })).body.retCode).toBe(110072)
})
