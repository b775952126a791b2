import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ExecutionSummary } from '@tripline/proto/http/execution'
import { Health } from '@tripline/proto/http/health'
import { KeyView, WebhookUsageView } from '@tripline/proto/http/key'
import { WebhookAnswer, WebhookRefusal } from '@tripline/proto/http/webhook'
import { type JournalEntry, paperControl } from '@tripline/testkit/paper-control'
import { patientCallerOf } from '@tripline/testkit/people/caller'
import { newTrader, type Trader } from '@tripline/testkit/people/trader'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { waitFor } from '@tripline/testkit/wait-for'
import { z } from 'zod'

describe('one alert becomes one order', () => {
  let product: Product
  let trader: Trader

  beforeAll(async () => {
    product = await startProduct({ ephemeral: true, ownServers: true })
    trader = await newTrader(product)
  }, 90_000)
  afterAll(async () => await product.stop())

  test('in the answer, at the exchange, in the history and on the live stream', async () => {
    const live = await trader.openStream()
    const { status, body } = await trader.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    const answer = WebhookAnswer.parse(body)
    expect([status, answer.status]).toEqual([200, 'success'])
    const [command] = answer.results[0]?.results ?? []
    expect(command?.result).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      side: 'buy',
      status: 'filled',
    })

    const orders = await ordersOf(answer.alert_id)
    expect(orders).toMatchObject([{ clientOrderId: `t${answer.alert_id}00000`, outcome: 'accepted' }])

    const row = await executionOf(answer.execution_id)
    expect(row).toMatchObject({
      api_key_label: 'MyBot',
      exchange: 'paper_futures',
      overall_status: 'success',
    })
    expect(row.commands_executed[0]?.execution_time_ms).toBeGreaterThan(0)

    await waitFor(() => live.events.some(({ details }) => details?.phase === 'done'))
    live.stop()
    // The event of a ready client comes too, at its own time.
    const ofAlert = live.events.filter(({ type }) => type !== 'client_pool')
    const lines = ofAlert.map(({ type, details }) => [type, details?.phase])
    expect(lines).toEqual([
      ['connected', undefined],
      ['webhook', 'received'],
      ['command', 'start'],
      ['exchange', 'sent'],
      ['exchange', 'acknowledged'],
      ['command', 'success'],
      ['webhook', 'done'],
    ])
  })

  test('an unknown token is not found', async () => {
    const response = await fetch(`${product.urls.web}/webhook/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`, {
      method: 'POST',
      body: 'MyBot(BTCUSDT) { market(buy, 0.01) }',
    })
    expect(response.status).toBe(404)
  })

  test('an unreadable message is answered with its faults, and nothing is sent', async () => {
    const before = await journal()
    const { status, body } = await trader.send('MyBot(BTCUSDT) { markt(buy, 0.01) }')
    expect(status).toBe(400)
    expect(WebhookRefusal.parse(body).diagnostics).toMatchObject([{ code: 'E202', suggestion: 'market' }])
    expect(await journal()).toEqual(before)
    const row = await waitFor(async () =>
      (await trader.executions()).find((execution) => execution.alert_id === body['alert_id']),
    )
    expect(row).toMatchObject({ overall_status: 'failed', error_code: 'E202' })
  })

  test('an unknown label names the nearest bots', async () => {
    const { status, body } = await trader.send('MyBat(BTCUSDT) { market(buy, 0.01) }')
    expect(status).toBe(400)
    expect(WebhookRefusal.parse(body).diagnostics).toMatchObject([{ code: 'E201', suggestion: 'MyBot' }])
  })

  test('an alert written for another product is executed on a webhook of its format', async () => {
    const alert = JSON.stringify({ ticker: 'BTCUSDT', action: 'add', sentiment: 'long', quantity: '0.010' })
    expect((await trader.send(alert)).status).toBe(400)
    await trader.setWebhook({ alert_format: 'traderspost' })
    const { status, body } = await waitFor(async () => {
      const answer = await trader.send(alert)
      return answer.status !== 400 && answer
    })
    await trader.setWebhook({ alert_format: 'tripline' })
    expect([status, body['status']]).toEqual([200, 'success'])
    expect(await ordersOf(WebhookAnswer.parse(body).alert_id)).toHaveLength(1)
  })

  test('figures begin empty and show the results of alerts, the senders of the webhook, and the result of a test', async () => {
    const newcomer = await newTrader(product)
    const { keys, usage, summary, testKey } = figuresOf(newcomer)
    const [key] = await keys()
    expect(key?.last_test).toBeNull()
    expect(await usage()).toEqual({
      used_last_minute: 0,
      session: { used_last_minute: 0, max_requests_per_minute: 60 },
      senders: [],
    })
    const empty = { last_alert_at: null, last_execution_id: null, last_status: null, executions_24h: 0 }
    expect(await summary()).toMatchObject({
      last_alert_at: null,
      failed_last_hour: 0,
      keys: [{ api_key_id: key?.id, api_key_label: 'MyBot', success_rate_24h: null, ...empty }],
    })

    await newcomer.send('MyBot(BTCUSDT) { market(buy, 0.01) }', '?wait=20000')
    await newcomer.send('MyBot(BTCUSDT) { market(buy, 100000000) }', '?wait=20000')
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

    const tested = await testKey(String(key?.id))
    expect((await keys())[0]?.last_test).toEqual({ ...tested, tested_at: expect.any(String) })
  })

  test('while Postgres is away alerts are executed, and the history catches up when it is back', async () => {
    await product.servers.postgres.stop()
    const { status, body } = await trader.send('MyBot(BTCUSDT) { market(sell, 0.01) }')
    expect([status, body['status']]).toEqual([200, 'success'])
    const seen = await waitFor(async () => {
      const answered = await health()
      return answered.services['history'] === 'degraded' && answered
    })
    expect(seen).toMatchObject({
      httpStatus: 200,
      status: 'degraded',
      services: { executor: 'ok', intake: 'ok' },
    })
    await product.servers.postgres.start()
    const { execution_id } = WebhookAnswer.parse(body)
    expect(await executionOf(execution_id)).toMatchObject({ overall_status: 'success' })
  })

  test('while the bus is away an alert is refused in time, and nothing of it happens later', async () => {
    await product.servers.nats.stop()
    const before = await journal()
    const sentAt = performance.now()
    const { status, body } = await trader.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    // It is not waited until the bus is back; a machine may stall.
    expect(performance.now() - sentAt).toBeLessThan(20_000)
    expect([status, body['error_code']]).toEqual([503, 'not_durable'])
    await product.servers.nats.start()
    await waitFor(async () => (await fetch(`${product.urls.web}/api/health`)).ok)
    const next = await trader.send('MyBot(ETHUSDT) { market(buy, 0.1) }')
    expect([next.status, next.body['status']]).toEqual([200, 'success'])
    const alertId = z.string().parse(next.body['alert_id'])
    expect((await journal()).slice(before.length)).toMatchObject([
      { clientOrderId: `t${alertId}00000`, outcome: 'accepted' },
    ])
  })

  /** Returns a trader's figures. */
  function figuresOf({ accessToken: token }: Trader) {
    const call = patientCallerOf(product.urls.web)
    const get = async (path: string): Promise<unknown> => {
      const { status, body } = await call(`GET ${path}`, { token })
      expect(status).toBe(200)
      return body
    }
    return {
      usage: async () => WebhookUsageView.parse(await get('/api/webhook-config/usage')),
      summary: async () => ExecutionSummary.parse(await get('/api/webhook-executions/summary')),
      keys: async () => z.array(KeyView).parse(await get('/api/keys')),
      // On a machine under load a test may take longer than it is waited for.
      testKey: async (id: string): Promise<object> =>
        await waitFor(async () => {
          const { status, body } = await call(`POST /api/keys/${id}/test`, { token })
          return status === 200 && body
        }),
    }
  }

  async function health(): Promise<Health & { httpStatus: number }> {
    const response = await fetch(`${product.urls.web}/api/health`)
    return { ...Health.parse(await response.json()), httpStatus: response.status }
  }

  async function journal(): Promise<JournalEntry[]> {
    return await paperControl(product.urls.paper).journal()
  }

  async function ordersOf(alertId: string): Promise<JournalEntry[]> {
    return (await journal()).filter(({ clientOrderId }) => clientOrderId?.includes(alertId))
  }

  async function executionOf(id: string): Promise<Awaited<ReturnType<Trader['executions']>>[number]> {
    return await waitFor(async () => {
      const row = (await trader.executions()).find((execution) => execution.id === id)
      return row?.overall_status === 'running' ? undefined : row
    })
  }
})
