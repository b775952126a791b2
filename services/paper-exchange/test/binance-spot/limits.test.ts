import { afterEach, expect, test } from '@jest/globals'
import type { Clock } from '../../src/clock.ts'
import { call, ask as get, type Paper, startPaper } from '../paper.ts'

const START = 1_800_000_000_000
const LIMIT = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.001',
  price: '50000',
}

let paper: Paper | undefined
let now = START

const clock: Clock = { nowMs: () => now, nowNs: () => BigInt(now) * 1_000_000n }

afterEach(async () => await paper?.stop())

async function begin(settings: Record<string, string> = {}) {
  now = START
  const started = await startPaper({ PAPER_TICK_MS: '0', ...settings }, { clock })
  paper = started
  const credentials = await started.open({ USDT: '1000000', BTC: '1' })
  const ask = async (method: string, path: string, values: Record<string, string | number> = {}) =>
    await call(started, credentials, method, path, { timestamp: now, ...values })
  const place = async (values = {}) => await ask('POST', '/api/v3/order', { ...LIMIT, ...values })
  return { ask, place }
}

// Each costs 80 of the 6,000 that a minute allows.
const HEAVY = ['GET', '/api/v3/openOrders'] as const

test('an address that asks more than its weight is asked to wait, and banned when it goes on', async () => {
  const { ask } = await begin()
  for (let round = 0; round < 75; round += 1) expect((await ask(...HEAVY)).status).toBe(200)
  const refused = await ask(...HEAVY)
  expect(refused).toMatchObject({ status: 429, body: { code: -1003 } })
  expect((refused.body as { msg: string }).msg).toBe(
    'Too much request weight used; current limit is 6000 request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.',
  )
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.headers.get('x-mbx-used-weight-1m')).toBe('6080')
  for (let round = 0; round < 20; round += 1) await ask(...HEAVY)
  const banned = await ask(...HEAVY)
  expect(banned).toMatchObject({ status: 418, body: { code: -1003 } })
  expect((banned.body as { msg: string }).msg).toMatch(
    /^Way too much request weight used; IP banned until \d{13}\./,
  )
  now += 60_000
  expect((await ask(...HEAVY)).status).toBe(418)
  now += 60_001
  expect((await ask(...HEAVY)).status).toBe(200)
})

test('the weight of an address begins anew with the minute', async () => {
  const { ask } = await begin()
  for (let round = 0; round < 76; round += 1) await ask(...HEAVY)
  now += 60_000 - (now % 60_000)
  const answer = await ask(...HEAVY)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-mbx-used-weight-1m')).toBe('80')
})

test('the hundred and first order within ten seconds is refused, and ten seconds later it is not', async () => {
  const { place } = await begin()
  for (let round = 0; round < 100; round += 1) expect((await place()).status).toBe(200)
  expect(await place()).toMatchObject({
    status: 429,
    body: { code: -1015, msg: 'Too many new orders; current limit is 100 orders per 10 SECOND.' },
  })
  now += 10_000
  const answer = await place()
  expect(answer.headers.get('x-mbx-order-count-10s')).toBe('1')
  expect(answer.headers.get('x-mbx-order-count-1d')).toBe('101')
})

test('orders that trade give their count back, and refused ones never count', async () => {
  const { ask, place } = await begin()
  await place()
  await place({ price: '1' })
  const filled = await place({ type: 'MARKET', timeInForce: '', price: '' })
  expect(filled.status).toBe(400)
  await ask('POST', '/api/v3/order', { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.001' })
  const answer = await place()
  expect(answer.headers.get('x-mbx-order-count-10s')).toBe('2')
})

test('a list counts as two orders', async () => {
  const { ask } = await begin()
  const answer = await ask('POST', '/api/v3/orderList/oco', {
    symbol: 'BTCUSDT',
    side: 'SELL',
    quantity: '0.01',
    aboveType: 'LIMIT_MAKER',
    abovePrice: '65000',
    belowType: 'STOP_LOSS',
    belowStopPrice: '55000',
  })
  expect(answer.headers.get('x-mbx-order-count-10s')).toBe('2')
})

test.each([
  ['/api/v3/exchangeInfo', 6_000, 100],
  ['/fapi/v1/exchangeInfo', 2_400, 1_200],
])('limits are shown in %s', async (path, weight, orders) => {
  await begin()
  const { body } = await get(`${paper?.root}${path}`)
  expect(body).toMatchObject({
    rateLimits: expect.arrayContaining([
      expect.objectContaining({ rateLimitType: 'REQUEST_WEIGHT', limit: weight }),
      expect.objectContaining({ rateLimitType: 'ORDERS', limit: orders }),
    ]),
  })
})

test('nobody is refused where limits are off, none is shown, and everything is counted', async () => {
  const { ask } = await begin({ PAPER_LIMITS: 'off' })
  expect((await get(`${paper?.root}/fapi/v1/exchangeInfo`)).body).toMatchObject({ rateLimits: [] })
  for (let round = 0; round < 80; round += 1) await ask(...HEAVY)
  const answer = await ask(...HEAVY)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-mbx-used-weight-1m')).toBe('6480')
})
