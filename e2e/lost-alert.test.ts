import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import { calls } from '@tripline/proto/http/calls'
import { WebhookAnswer } from '@tripline/proto/http/webhook'
import { testLog } from '@tripline/testkit/log'
import { callApi } from '@tripline/testkit/people/call-api'
import { newTrader, type Trader } from '@tripline/testkit/people/trader'
import { localKeys } from '@tripline/testkit/stack/local-keys'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { type TestTelegram, telegram } from '@tripline/testkit/telegram'
import { waitFor } from '@tripline/testkit/wait-for'

const buy = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
const reportedWithinMs = 60_000
const token = `123456789:${randomUUID()}`

let stand: TestTelegram
let product: Product
let ops: Bus
let trader: Trader

beforeAll(async () => {
  stand = await telegram()
  stand.addBot(token, '4711')
  product = await startProduct({ ephemeral: true, ownServers: true, env: { TELEGRAM_API_URL: stand.url } })
  const seed = localKeys(product.dataDir).busSeeds.ops
  ops = await connectBus({ url: product.servers.nats.url, user: 'ops', seed, log: testLog('ops') })
  trader = await newTrader(product)
  await call(
    calls.updateNotifications({
      telegram_enabled: true,
      telegram_bot_token: token,
      telegram_chat_id: '4711',
    }),
  )
}, 120_000)
afterAll(async () => {
  await ops?.close()
  await product?.stop()
  await stand?.stop()
})

async function call<Wanted>(asked: Parameters<typeof callApi<Wanted>>[1]): Promise<Wanted> {
  return await callApi(product.urls.web, asked, { accessToken: trader.accessToken })
}

test('an accepted alert that storage loses is reported within a minute: history, receipts and message', async () => {
  const live = await trader.openStream()
  const before = WebhookAnswer.parse((await trader.send(buy)).body)
  expect(before.receipt).toMatchObject({ number: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })

  await product.kill('executor')
  const { status, body } = await trader.send(`${buy} # is lost`, '?wait=0')
  const lost = WebhookAnswer.parse(body)
  expect([status, lost.receipt?.number]).toEqual([202, 2])
  await ops.manager.streams.purge('ALERTS')
  const lostAt = performance.now()
  const row = await waitFor(
    async () => (await trader.executions()).find((execution) => execution.id === lost.alert_id),
    { deadlineMs: reportedWithinMs },
  )
  expect(performance.now() - lostAt).toBeLessThan(reportedWithinMs)
  expect(row).toMatchObject({
    overall_status: 'failed',
    error_code: 'E606',
    api_key_label: 'MyBot',
    webhook_payload: { message: `${buy} # is lost` },
  })
  await waitFor(() => stand.messages.some(({ text }) => text.includes('alert lost: E606')))
  await waitFor(() => live.events.some(({ details }) => details?.error_code === 'E606'))
  live.stop()

  const { receipts, problems } = await waitFor(async () => {
    const page = await call(calls.listReceipts({}))
    return page.receipts.every(({ state }) => state !== 'open') && page
  })
  expect(receipts).toMatchObject([
    { number: 2, alert_id: lost.alert_id, state: 'lost', message: `${buy} # is lost` },
    { number: 1, alert_id: before.alert_id, state: 'ended', message: null, hash: before.receipt?.hash },
  ])
  expect(receipts[0]?.previous_hash).toBe(receipts[1]?.hash)
  expect(problems).toEqual([])

  await product.restart('executor')
  const { body: after } = await trader.send(buy)
  expect(WebhookAnswer.parse(after)).toMatchObject({ status: 'success', receipt: { number: 3 } })
}, 150_000)
