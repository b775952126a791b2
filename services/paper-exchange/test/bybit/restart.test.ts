import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from '@jest/globals'
import { type Credentials, type Paper, startPaper } from '../paper.ts'
import { BTC, nextId, ORDER } from './kinds.ts'
import { get, post } from './raw-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'paper-bybit-'))
let running: Paper | undefined

afterEach(async () => {
  await running?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<Paper> {
  await running?.stop()
  running = await startPaper({ PAPER_TICK_MS: '0', PAPER_LIMITS: 'off', PAPER_DATA_DIR: folder })
  return running
}

async function list(paper: Paper, credentials: Credentials, path: string, values: Record<string, string>) {
  const { body } = await get(paper, credentials, path, { category: 'linear', ...values })
  return body.result['list'] as Record<string, unknown>[]
}

test('after a restart ids are the same, closed orders are in the history only, link ids stay used', async () => {
  const first = await start()
  const credentials = await first.open()
  const [orderLinkId, openId] = [nextId(), nextId()]
  const filled = await post(first, credentials, '/v5/order/create', { ...ORDER, price: '60100', orderLinkId })
  await post(first, credentials, '/v5/order/create', { ...ORDER, orderLinkId: openId, stopLoss: '57000' })
  const [before] = await list(first, credentials, '/v5/order/realtime', { orderLinkId })
  const second = await start()
  expect(before).toMatchObject({ orderStatus: 'Filled' })
  expect(await list(second, credentials, '/v5/order/realtime', { orderLinkId })).toEqual([])
  const [after] = await list(second, credentials, '/v5/order/history', { orderLinkId })
  expect(after).toEqual(before)
  expect(after?.['orderId']).toBe(filled.body.result['orderId'])
  const open = await list(second, credentials, '/v5/order/realtime', { symbol: BTC })
  expect(open).toMatchObject([{ orderLinkId: openId, stopLoss: '57000.00', orderStatus: 'New' }])
  const again = await post(second, credentials, '/v5/order/create', { ...ORDER, orderLinkId })
  expect(again.body.retCode).toBe(110072)
  expect(await list(second, credentials, '/v5/execution/list', { orderLinkId })).toHaveLength(1)
})
