import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { serve } from '@tripline/kit/bus/request'
import { summarizeExecutions } from '@tripline/proto/history-request'
import { BotId } from '@tripline/proto/id'
import { getWebhookUsage } from '@tripline/proto/intake-request'
import type { Bot } from '@tripline/proto/key-request'
import { ada, bob, type GatewayFixture, startFixture } from './gateway-fixture.ts'

const at = '2026-11-21T12:00:00.000Z'

let gateway: GatewayFixture
let token: string
let used: Bot
let unused: Bot
beforeAll(async () => {
  gateway = await startFixture()
  token = gateway.token(ada)
  used = botOf('Used')
  unused = botOf('Unused')
  gateway.peers.bots.set(ada.sub, [unused, used])
  const intake = await gateway.nats.connect('intake')
  serve(intake, getWebhookUsage, async ({ userId }) => ({
    usedLastMinute: userId === ada.sub ? 3 : 0,
    ...(userId === ada.sub && { session: { usedLastMinute: 2, maxPerMinute: 60 } }),
    senders:
      userId === ada.sub ? [{ address: '192.0.2.1', seenAt: Date.parse(at), isTradingview: false }] : [],
  }))
  await intake.connection.flush()
})
afterAll(async () => await gateway.stop())

describe('GET /api/webhook-executions/summary', () => {
  test('returns the figures of the executions of each key, in the order of the keys', async () => {
    gateway.peers.figures.set(used.id, {
      last: { id: '7', createdAt: at, status: 'partial' },
      executions: 5,
      counts: { success: 3, partial: 1, failed: 1, refused: 1 },
      successRate: 0.75,
      medianMs: 12.5,
      p95Ms: 40,
    })
    expect(await gateway.call('/api/webhook-executions/summary', { token })).toMatchObject({
      status: 200,
      body: {
        last_alert_at: at,
        failed_last_hour: 2,
        keys: [
          {
            api_key_id: unused.id,
            api_key_label: 'Unused',
            last_alert_at: null,
            last_execution_id: null,
            last_status: null,
            executions_24h: 0,
            counts_24h: null,
            success_rate_24h: null,
            execution_time_p50_ms: null,
            execution_time_p95_ms: null,
          },
          {
            api_key_id: used.id,
            api_key_label: 'Used',
            last_alert_at: at,
            last_execution_id: '7',
            last_status: 'partial',
            executions_24h: 5,
            counts_24h: { success: 3, partial: 1, failed: 1, refused: 1 },
            success_rate_24h: 0.75,
            execution_time_p50_ms: 12.5,
            execution_time_p95_ms: 40,
          },
        ],
      },
    })
  })

  test('asks about the own keys only', async () => {
    const answered = await gateway.call('/api/webhook-executions/summary', { token: gateway.token(bob) })
    expect(answered).toMatchObject({ status: 200, body: { keys: [] } })
    expect(lastAsked(summarizeExecutions.subject)).toEqual({ userId: bob.sub, botIds: [] })
  })
})

describe('GET /api/webhook-config/usage', () => {
  test('returns the use of the last minute and the last senders, of the own webhook only', async () => {
    expect(await gateway.call('/api/webhook-config/usage', { token })).toMatchObject({
      status: 200,
      body: {
        used_last_minute: 3,
        session: { used_last_minute: 2, max_requests_per_minute: 60 },
        senders: [{ address: '192.0.2.1', last_seen_at: at, is_tradingview: false }],
      },
    })
    expect(await gateway.call('/api/webhook-config/usage', { token: gateway.token(bob) })).toMatchObject({
      status: 200,
      body: { used_last_minute: 0, session: null, senders: [] },
    })
  })
})

describe('GET /api/keys', () => {
  test('returns the result of the last test of a key', async () => {
    const checks = [{ id: 'key_accepted', ok: false, message: 'wrong secret', fix: 'Type it again' }] as const
    const test = { success: false, message: 'refused', error: 'wrong secret', checks: [...checks] }
    gateway.peers.bots.set(ada.sub, [unused, { ...used, lastTest: { ...test, testedAt: at } }])
    expect(await gateway.call('/api/keys', { token })).toMatchObject({
      status: 200,
      body: [{ last_test: null }, { last_test: { ...test, tested_at: at } }],
    })
  })
})

test.each(['/api/webhook-executions/summary', '/api/webhook-config/usage'])(
  '%s needs a session',
  async (path) => {
    expect(await gateway.call(path)).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  },
)

const lastAsked = (subject: string): unknown =>
  gateway.peers.asked.findLast((asked) => asked.subject === subject)?.value

function botOf(label: string): Bot {
  return {
    id: BotId.parse(randomUUID()),
    label,
    exchange: 'paper',
    marketType: 'futures',
    apiKeyPreview: 'abcd…wxyz',
    isTestnet: false,
    notifyOnTrade: true,
    notifyOnError: true,
    notifyOnFill: false,
    createdAt: at,
    lastTest: null,
  }
}
