import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { send, signed } from './bybit/raw-client.ts'
import { type Credentials, call, type Paper, place, startPaper } from './paper.ts'

let time = Date.now()
const clock = { nowMs: () => time, nowNs: () => BigInt(time) * 1_000_000n }
const papers: Paper[] = []
let paper: Paper

const start = async (settings: Record<string, string> = {}): Promise<Paper> => {
  const started = await startPaper({ PAPER_LIMITS: 'off', ...settings }, { clock })
  papers.push(started)
  return started
}

beforeAll(async () => {
  paper = await start({ PAPER_READ_LAG_MS: '50' })
})

afterAll(async () => {
  for (const one of papers) await one.stop()
})

const binance = async (owner: Credentials, path: string, values = {}, at: Paper = paper) =>
  (await call(at, owner, 'GET', path, { timestamp: time, ...values })).body

const bybit = async (owner: Credentials, path: string, values: Record<string, string>) => {
  const query = new URLSearchParams(values).toString()
  const { body } = await send(paper, 'GET', path, query, signed(owner, query, { at: time }))
  return (body.result as { list: unknown[] }).list
}

const isEmpty = (read: unknown): boolean =>
  Array.isArray(read) ? read.length === 0 : (read as { code?: number }).code === -2013

/** Returns whether each of so many readings in one moment missed it. */
async function missesOf(read: () => Promise<unknown>, count = 40): Promise<boolean[]> {
  const misses: boolean[] = []
  for (let round = 0; round < count; round += 1) misses.push(isEmpty(await read()))
  return misses
}

/** Reads at once after a change, then 25 ms and then 51 ms later: hardly ever there, sometimes, always. */
async function expectLate(read: () => Promise<unknown>): Promise<void> {
  expect(await missesOf(read)).toContain(true)
  time += 25
  const half = await missesOf(read)
  expect([half.includes(true), half.includes(false)]).toEqual([true, true])
  time += 26
  expect(await missesOf(read)).not.toContain(true)
}

const NAMED = { symbol: 'BTCUSDT', origClientOrderId: 'tLate' }
const LIMIT = { type: 'LIMIT', price: '59000', timeInForce: 'GTC', newClientOrderId: 'tLate' }
const LINEAR = { category: 'linear', symbol: 'BTCUSDT' }

async function bybitOrder(owner: Credentials, values: Record<string, string>): Promise<void> {
  const body = JSON.stringify({ ...LINEAR, side: 'Buy', qty: '0.01', orderLinkId: 'tLate', ...values })
  const { body: answer } = await send(
    paper,
    'POST',
    '/v5/order/create',
    body,
    signed(owner, body, { at: time }),
  )
  expect(answer.retMsg).toBe('OK')
}

describe('readings after a change are up to 50 ms late', () => {
  const futures: [string, string, object][] = [
    ['an order by its name', '/fapi/v1/order', NAMED],
    ['open orders', '/fapi/v1/openOrders', {}],
    ['all orders', '/fapi/v1/allOrders', { symbol: 'BTCUSDT' }],
  ]
  test.each(futures)('on USDⓈ-M: %s', async (_name, path, values) => {
    const owner = await paper.open()
    await place(paper, owner, { ...LIMIT, timestamp: time })
    await expectLate(async () => await binance(owner, path, values))
  })

  test.each([
    ['trades', '/fapi/v1/userTrades', { symbol: 'BTCUSDT' }],
    ['positions', '/fapi/v3/positionRisk', {}],
  ])('on USDⓈ-M: %s', async (_name, path, values) => {
    const owner = await paper.open()
    time += 1_000
    await place(paper, owner, { timestamp: time })
    await expectLate(async () => await binance(owner, path, values))
  })

  test('on USDⓈ-M: conditional orders', async () => {
    const owner = await paper.open()
    const stop = { algoType: 'CONDITIONAL', type: 'STOP_MARKET', triggerPrice: '50000', side: 'SELL' }
    const order = { symbol: 'BTCUSDT', quantity: '0.01', ...stop, timestamp: time }
    expect((await call(paper, owner, 'POST', '/fapi/v1/algoOrder', order)).status).toBe(200)
    await expectLate(async () => await binance(owner, '/fapi/v1/openAlgoOrders'))
  })

  const spot: [string, string, object][] = [
    ['an order by its name', '/api/v3/order', NAMED],
    ['open orders', '/api/v3/openOrders', {}],
    ['all orders', '/api/v3/allOrders', { symbol: 'BTCUSDT' }],
  ]
  test.each(spot)('on Binance spot: %s', async (_name, path, values) => {
    const owner = await paper.open()
    const order = { symbol: 'BTCUSDT', side: 'BUY', quantity: '0.01', ...LIMIT, timestamp: time }
    expect((await call(paper, owner, 'POST', '/api/v3/order', order)).status).toBe(200)
    await expectLate(async () => await binance(owner, path, values))
  })

  test('on Binance spot: lists of orders', async () => {
    const owner = await paper.open({ BTC: '1' })
    const legs = { aboveType: 'LIMIT_MAKER', abovePrice: '70000', belowType: 'STOP_LOSS' }
    const list = { symbol: 'BTCUSDT', side: 'SELL', quantity: '0.01', ...legs, belowStopPrice: '50000' }
    const path = '/api/v3/orderList/oco'
    const { body } = await call(paper, owner, 'POST', path, { ...list, timestamp: time })
    const { orderListId } = body as { orderListId: number }
    await expectLate(async () => await binance(owner, '/api/v3/orderList', { orderListId }))
    const gone = { symbol: 'BTCUSDT', orderListId, timestamp: time }
    expect((await call(paper, owner, 'DELETE', '/api/v3/orderList', gone)).status).toBe(200)
    const stillOpen = async () => ((await binance(owner, '/api/v3/openOrderList')) as unknown[]).length
    expect(await stillOpen()).toBe(1)
    time += 51
    expect(await stillOpen()).toBe(0)
  })

  test.each([
    ['order/realtime', '/v5/order/realtime', { price: '59000', orderType: 'Limit' }],
    ['order/history', '/v5/order/history', { orderType: 'Market' }],
    ['execution/list', '/v5/execution/list', { orderType: 'Market' }],
  ])('on Bybit: %s', async (_name, path, values) => {
    const owner = await paper.open()
    await bybitOrder(owner, values)
    await expectLate(async () => await bybit(owner, path, { ...LINEAR, orderLinkId: 'tLate' }))
  })

  test('on Bybit: a position that was closed shows when, and that as late', async () => {
    const owner = await paper.open()
    await bybitOrder(owner, { orderType: 'Market' })
    time += 1000
    const row = async () => (await bybit(owner, '/v5/position/list', LINEAR))[0]
    const { seq, updatedTime } = (await row()) as { seq: number; updatedTime: string }
    await bybitOrder(owner, { side: 'Sell', orderType: 'Market', reduceOnly: 'true', orderLinkId: 'tClose' })
    const closedAt = String(time)
    expect(await row()).toMatchObject({ size: '0.010', seq, updatedTime })
    time += 51
    expect(await row()).toMatchObject({ size: '0.000', updatedTime: closedAt })
    expect(await row()).not.toMatchObject({ seq })
  })

  test('a canceled order is still among the open ones', async () => {
    const owner = await paper.open()
    await place(paper, owner, { ...LIMIT, timestamp: time })
    time += 51
    await call(paper, owner, 'DELETE', '/fapi/v1/order', { ...NAMED, timestamp: time })
    const misses = await missesOf(async () => await binance(owner, '/fapi/v1/openOrders'))
    expect(misses).toContain(false)
    time += 51
    expect(await binance(owner, '/fapi/v1/openOrders')).toEqual([])
  })
})

describe('changes by control are shown at once', () => {
  /** Returns the values that so many readings in one moment show, each once. */
  async function shown<Value>(read: () => Promise<Value>, count = 40): Promise<Set<Value>> {
    const seen = new Set<Value>()
    for (let round = 0; round < count; round += 1) seen.add(await read())
    return seen
  }

  test.each([
    [50, 25, []],
    [20_000, 10_000, [{ action: 'read-lag', upToMs: 20_000 }]],
  ])('an account that is reset, where reads are up to %d ms late', async (_mostMs, passedMs, faults) => {
    const owner = await paper.open()
    for (const fault of faults)
      await paper.control('POST', 'faults', { ...fault, match: { apiKey: owner.apiKey } })
    time += 1_000
    await place(paper, owner, { timestamp: time })
    await place(paper, owner, { ...LIMIT, timestamp: time })
    time += passedMs
    await paper.control('POST', `accounts/${owner.apiKey}/reset`)
    const balance = async () => {
      const rows = (await binance(owner, '/fapi/v3/balance')) as { asset: string; balance: string }[]
      return rows.find(({ asset }) => asset === 'USDT')?.balance
    }
    expect(await shown(balance)).toEqual(new Set(['10000.00000000']))
    for (const path of ['/fapi/v1/openOrders', '/fapi/v3/positionRisk'])
      expect(await missesOf(async () => await binance(owner, path))).not.toContain(false)
  })

  test('terms and modes', async () => {
    const owner = await paper.open()
    time += 1_000
    await paper.control('PUT', `accounts/${owner.apiKey}/terms`, { multiAssets: true, positionMode: 'hedge' })
    const config = async () => {
      const { dualSidePosition, multiAssetsMargin } = (await binance(owner, '/fapi/v1/accountConfig')) as {
        dualSidePosition: boolean
        multiAssetsMargin: boolean
      }
      return `${dualSidePosition} ${multiAssetsMargin}`
    }
    expect(await shown(config)).toEqual(new Set(['true true']))
  })
})

describe('how late reads are', () => {
  const missesIn = async (one: Paper, owner: Credentials): Promise<boolean[]> => {
    await place(one, owner, { ...LIMIT, timestamp: time })
    time += 25
    return await missesOf(async () => await binance(owner, '/fapi/v1/order', NAMED, one))
  }

  test('is the same for the same seed, and another for another account or seed', async () => {
    const settings = { PAPER_READ_LAG_MS: '50', PAPER_SEED: '7' }
    const [first, second] = [await start(settings), await start(settings)]
    const other = await start({ ...settings, PAPER_SEED: '8' })
    const row = await missesIn(first, await first.open())
    expect(await missesIn(second, await second.open())).toEqual(row)
    expect(await missesIn(second, await second.open())).not.toEqual(row)
    expect(await missesIn(other, await other.open())).not.toEqual(row)
  })

  test('is set for one account by its terms', async () => {
    const [current, late] = [await paper.open(), await paper.open()]
    const terms = await paper.control('PUT', `accounts/${current.apiKey}/terms`, { readLagMs: 0 })
    expect(terms.body).toEqual({ readLagMs: 0 })
    for (const owner of [current, late]) await place(paper, owner, { ...LIMIT, timestamp: time })
    const misses = async (owner: Credentials) =>
      await missesOf(async () => await binance(owner, '/fapi/v1/order', NAMED))
    expect(await misses(current)).not.toContain(true)
    expect(await misses(late)).toContain(true)
    expect((await paper.control('PUT', 'accounts/nobody/terms', {})).status).toBe(404)
    const refused = await paper.control('PUT', `accounts/${late.apiKey}/terms`, { readLagMs: -1 })
    expect(refused.status).toBe(400)
  })

  test('is up to twenty seconds while a fault wants it, each drawn', async () => {
    const owner = await paper.open()
    const fault = { action: 'read-lag', upToMs: 20_000, match: { apiKey: owner.apiKey } }
    await paper.control('POST', 'faults', fault)
    await place(paper, owner, { ...LIMIT, timestamp: time })
    time += 10_000
    const half = await missesOf(async () => await binance(owner, '/fapi/v1/order', NAMED))
    expect([half.includes(true), half.includes(false)]).toEqual([true, true])
    time += 10_051
    expect(isEmpty(await binance(owner, '/fapi/v1/order', NAMED))).toBe(false)
    const unclear = await paper.control('POST', 'faults', { action: 'read-lag', ms: 1, upToMs: 2 })
    expect(unclear.status).toBe(400)
  })
})
