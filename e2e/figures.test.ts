import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ExecutionSummary } from '@tripline/proto/http/execution'
import { KeyView, WebhookUsageView } from '@tripline/proto/http/key'
import { type Product, startProduct } from '@tripline/scripts/product'
import { waitFor } from '@tripline/testkit/wait-for'
import { z } from 'zod'
import { callerOf } from './caller.ts'
import { newTrader, type Trader } from './trader.ts'

let product: Product
let trader: Trader
beforeAll(async () => {
  product = await startProduct({ ephemeral: true, ownServers: true })
  trader = await newTrader(product)
}, 90_000)
afterAll(async () => await product.stop())

async function get(path: string): Promise<unknown> {
  const call = callerOf(product.urls.web)
  const { status, body } = await call(`GET ${path}`, { token: trader.accessToken })
  expect(status).toBe(200)
  return body
}

const usage = async () => WebhookUsageView.parse(await get('/api/webhook-config/usage'))
const summary = async () => ExecutionSummary.parse(await get('/api/webhook-executions/summary'))
const keys = async () => z.array(KeyView).parse(await get('/api/keys'))

test('figures begin empty and tell what alerts did, by whom the webhook is used, and how a test went', async () => {
  const [key] = await keys()
  expect(key?.last_test).toBeNull()
  expect(await usage()).toEqual({ used_last_minute: 0, senders: [] })
  const empty = { last_alert_at: null, last_execution_id: null, last_status: null, executions_24h: 0 }
  expect(await summary()).toMatchObject({
    last_alert_at: null,
    failed_last_hour: 0,
    keys: [{ api_key_id: key?.id, api_key_label: 'MyBot', success_rate_24h: null, ...empty }],
  })

  await trader.send('MyBot(BTCUSDT) { market(buy, 0.01) }', '?wait=20000')
  await trader.send('MyBot(BTCUSDT) { market(buy, 100000000) }', '?wait=20000')
  const after = await waitFor(async () => {
    const found = await summary()
    return found.keys[0]?.executions_24h === 2 && found.keys[0].success_rate_24h === 0.5 && found
  })
  expect(after.failed_last_hour).toBe(1)
  expect(after.keys[0]).toMatchObject({ last_status: 'failed', last_alert_at: after.last_alert_at })
  expect(after.keys[0]?.execution_time_p95_ms).toBeGreaterThan(0)
  expect(await usage()).toMatchObject({
    used_last_minute: 2,
    senders: [{ address: expect.stringMatching(/127\.0\.0\.1|::1/), is_tradingview: false }],
  })

  const call = callerOf(product.urls.web)
  const tested = await call(`POST /api/keys/${key?.id}/test`, { token: trader.accessToken })
  expect((await keys())[0]?.last_test).toEqual({ ...tested.body, tested_at: expect.any(String) })
}, 120_000)
