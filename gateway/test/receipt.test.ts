import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { serve } from '@tripline/kit/bus/request'
import { ReceiptPage } from '@tripline/proto/http/receipt'
import { AlertId, type UserId } from '@tripline/proto/id'
import { listReceipts, type Receipt } from '@tripline/proto/intake-request'
import { ada, bob, type GatewayFixture, startFixture } from './gateway-fixture.ts'

const count = 1100
const problem = {
  kind: 'no_receipt',
  alertId: AlertId.parse('01KAJ000000000000000000000'),
  foundAt: '2026-11-21T12:00:00.000Z',
  text: 'This alert ran and has no receipt',
} as const

let gateway: GatewayFixture
const asked: unknown[] = []

beforeAll(async () => {
  gateway = await startFixture()
  const intake = await gateway.nats.connect('intake')
  serve(intake, listReceipts, async ({ userId, limit, before, after, state }) => {
    asked.push({ limit, before, after, state })
    const all = receiptsOf(userId)
    const isOldest = after !== undefined
    const rest = (isOldest ? all : all.toReversed()).filter(
      ({ number }) => number > (after ?? 0) && number < (before ?? count + 1),
    )
    const receipts = rest.slice(0, limit)
    return { receipts, hasMore: receipts.length < rest.length, problems: userId === ada.sub ? [problem] : [] }
  })
  await intake.connection.flush()
})
afterAll(async () => await gateway.stop())

/** Ada has receipts, and Bob has none. */
function receiptsOf(userId: UserId): Receipt[] {
  if (userId !== ada.sub) return []
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    alertId: AlertId.parse(`01KAJ${String(index).padStart(21, '0')}`),
    receivedAt: '2026-11-21T12:00:00.000Z',
    messageHash: 'a'.repeat(64),
    previousHash: 'b'.repeat(64),
    hash: 'c'.repeat(64),
    state: 'ended' as const,
    stateAt: '2026-11-21T12:00:10.000Z',
    message: null,
  }))
}

describe('GET /api/receipts', () => {
  test('gives a page, newest first, with what does not match, and where the next one begins', async () => {
    const { status, body } = await gateway.call('/api/receipts?limit=2', { token: gateway.token(ada) })
    expect(status).toBe(200)
    const page = ReceiptPage.parse(body)
    expect(page).toMatchObject({ has_more: true, next_before: 1099 })
    expect(page.problems).toEqual([
      {
        kind: 'no_receipt',
        alert_id: '01KAJ000000000000000000000',
        found_at: problem.foundAt,
        text: problem.text,
      },
    ])
    expect(page.receipts[0]).toEqual({
      number: 1100,
      user_id: ada.sub,
      alert_id: '01KAJ000000000000000001099',
      received_at: '2026-11-21T12:00:00.000Z',
      message_sha256: 'a'.repeat(64),
      previous_hash: 'b'.repeat(64),
      hash: 'c'.repeat(64),
      state: 'ended',
      state_at: '2026-11-21T12:00:10.000Z',
      message: null,
    })
    const last = await gateway.call('/api/receipts?before=2&state=', { token: gateway.token(ada) })
    expect(last.body).toMatchObject({ receipts: [{ number: 1 }], has_more: false, next_before: null })
    expect(asked.at(-1)).toEqual({ limit: 50, before: 2 })
  })

  test('knows nothing of the receipts of others', async () => {
    const { body } = await gateway.call('/api/receipts', { token: gateway.token(bob) })
    expect(body).toEqual({ receipts: [], has_more: false, next_before: null, problems: [] })
    expect((await gateway.call('/api/receipts')).status).toBe(401)
    expect((await gateway.call('/api/receipts/export')).status).toBe(401)
  })

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'before=0',
    'before=-1',
    'before=1e99',
    'state=any',
    'before=1&before=2',
  ])('refuses %s', async (query) => {
    const { status } = await gateway.call(`/api/receipts?${query}`, { token: gateway.token(ada) })
    expect(status).toBe(422)
  })
})

test('GET /api/receipts/export gives all receipts from the first one on, a line each', async () => {
  const answer = await fetch(`${gateway.url}/api/receipts/export?after=1`, {
    headers: { authorization: `Bearer ${gateway.token(ada)}` },
  })
  expect(answer.headers.get('content-type')).toBe('application/jsonl; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="receipts.jsonl"')
  const lines = (await answer.text()).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).number)).toEqual(
    Array.from({ length: count - 1 }, (_, index) => index + 2),
  )
})
