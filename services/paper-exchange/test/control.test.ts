import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ask, call, INTERNAL_TOKEN, type Paper, place, startPaper } from './paper.ts'

let paper: Paper

beforeAll(async () => {
  paper = await startPaper()
})

afterAll(async () => await paper.stop())

describe('control of accounts', () => {
  test('opens one with 10,000 USDT or with the balances given, and shows what it holds', async () => {
    const { apiKey } = await paper.open()
    expect((await paper.control('GET', `accounts/${apiKey}`)).body).toEqual({
      apiKey,
      balances: { USDT: '10000' },
      positions: [],
      openOrders: [],
    })
    const rich = await paper.open({ USDT: '250000.5', BTC: '2' })
    await place(paper, rich)
    await place(paper, rich, { type: 'LIMIT', price: '59000', timeInForce: 'GTC', newClientOrderId: 'tRest' })
    expect((await paper.control('GET', `accounts/${rich.apiKey}`)).body).toMatchObject({
      balances: { USDT: '250000.1999995', BTC: '2' },
      positions: [{ symbol: 'BTCUSDT', quantity: '0.01', cost: '600.001' }],
      openOrders: [{ clientOrderId: 'tRest', price: '59000.00', quantity: '0.010', filled: '0.000' }],
    })
  })

  test('refuses balances that are none and does not know strangers', async () => {
    expect((await paper.control('POST', 'accounts', { balances: { USDT: '-1' } })).status).toBe(400)
    expect((await paper.control('POST', 'accounts', { balance: {} })).status).toBe(400)
    expect((await paper.control('GET', 'accounts/nobody')).status).toBe(404)
    const broken = await ask(`${paper.root}/control/accounts`, { method: 'POST', body: '{' })
    expect(broken.status).toBe(400)
  })
})

describe('control of prices', () => {
  test('pins a price until it is released', async () => {
    const pinned = await paper.control('PUT', 'prices/ETHUSDT', {
      bid: '3100',
      ask: '3100.02',
      mark: '3101.5',
    })
    expect(pinned.body).toEqual({
      symbol: 'ETHUSDT',
      bid: '3100.00',
      ask: '3100.02',
      mark: '3101.5',
      index: '3101.5',
    })
    const read = async (path: string) => (await ask(`${paper.root}/fapi/v1/${path}?symbol=ETHUSDT`)).body
    expect(await read('ticker/bookTicker')).toMatchObject({ bidPrice: '3100.00', askPrice: '3100.02' })
    expect(await read('premiumIndex')).toMatchObject({ markPrice: '3101.50000000' })
    expect((await paper.control('DELETE', 'prices/ETHUSDT')).body).toMatchObject({
      bid: '2999.99',
      ask: '3000.01',
    })
    expect(await read('ticker/24hr')).toMatchObject({ lastPrice: '3000.00' })
  })

  test.each([
    [{ bid: '3000' }],
    [{ bid: '3000.001', ask: '3001' }],
    [{ bid: '3001', ask: '3000' }],
    [{ bid: '0', ask: '3000' }],
    [{ bid: '3000', ask: '3001', mark: 'high' }],
    [{ bid: '3000', ask: '3001', last: '3000' }],
  ])('refuses %j', async (body) => {
    expect((await paper.control('PUT', 'prices/ETHUSDT', body)).status).toBe(400)
  })

  test('does not know other symbols', async () => {
    expect((await paper.control('PUT', 'prices/NOPEUSDT', { bid: '1', ask: '1' })).status).toBe(404)
    expect((await paper.control('DELETE', 'prices/NOPEUSDT')).status).toBe(404)
  })
})

describe('control of faults', () => {
  test('names the actions it knows when it does not know one', async () => {
    const answer = await paper.control('POST', 'faults', { match: {}, action: 'explode' })
    expect(answer.status).toBe(400)
    const { detail } = answer.body as { detail: string }
    for (const action of ['drop', 'accept-then-drop', 'delay', 'stall-body', 'read-lag'])
      expect(detail).toContain(action)
    expect((await paper.control('POST', 'faults', { action: 'delay' })).status).toBe(400)
    expect((await paper.control('POST', 'faults', { action: 'drop', match: { url: '/' } })).status).toBe(400)
  })

  test('removes one by its id', async () => {
    const { body } = await paper.control('POST', 'faults', { action: 'drop', match: { symbol: 'NONE' } })
    const { id } = body as { id: string }
    expect((await paper.control('DELETE', `faults/${id}`)).status).toBe(204)
    expect((await paper.control('DELETE', `faults/${id}`)).status).toBe(404)
  })
})

describe('the journal', () => {
  test('holds every order request with what became of it, and nothing else', async () => {
    const credentials = await paper.open()
    const before = BigInt(Date.now() - 1) * 1_000_000n
    const placed = await place(paper, credentials, { newClientOrderId: 'tOne' })
    await place(paper, credentials, { quantity: '0.001', newClientOrderId: 'tTwo' })
    await call(paper, credentials, 'DELETE', '/fapi/v1/order', {
      symbol: 'BTCUSDT',
      origClientOrderId: 'tOne',
    })
    await call(paper, credentials, 'GET', '/fapi/v3/balance')
    const [first, second, third, ...rest] = await paper.journal(credentials.apiKey)
    expect(first).toEqual({
      seq: expect.any(Number),
      receivedNs: expect.stringMatching(/^\d{19}$/),
      wire: 'binance-futures',
      transport: 'rest',
      method: 'POST',
      path: '/fapi/v1/order',
      op: 'place',
      apiKey: credentials.apiKey,
      clientOrderId: 'tOne',
      venueOrderId: String((placed.body as { orderId: number }).orderId),
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'MARKET',
      quantity: '0.01',
      price: null,
      outcome: 'accepted',
      code: null,
    })
    expect(second).toMatchObject({
      clientOrderId: 'tTwo',
      outcome: 'rejected',
      code: -4164,
      venueOrderId: null,
    })
    expect(third).toMatchObject({ op: 'cancel', clientOrderId: 'tOne', outcome: 'rejected', code: -2011 })
    expect(rest).toEqual([])
    expect(BigInt(first?.receivedNs ?? 0)).toBeGreaterThan(before)
    expect(BigInt(first?.receivedNs ?? 0)).toBeLessThan(BigInt(Date.now() + 1) * 1_000_000n)
    await paper.control('DELETE', 'journal')
    expect(await paper.journal()).toEqual([])
  })

  test('counts on after it was cleared', async () => {
    const credentials = await paper.open()
    await place(paper, credentials)
    const [first] = await paper.journal()
    await paper.control('DELETE', 'journal')
    await place(paper, credentials)
    expect((await paper.journal())[0]?.seq).toBe((first?.seq ?? 0) + 1)
  })
})

describe('the product’s own endpoint', () => {
  const post = async (token: string | undefined, body?: string, root = paper.root) =>
    await ask(`${root}/internal/accounts`, {
      method: 'POST',
      ...(body && { body }),
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    })

  test('opens an account for who holds the token', async () => {
    const opened = await post(INTERNAL_TOKEN)
    expect(opened.status).toBe(201)
    const credentials = opened.body as { apiKey: string; secret: string }
    expect(Object.keys(credentials)).toEqual(['apiKey', 'secret'])
    expect((await call(paper, credentials, 'GET', '/fapi/v3/balance')).body).toMatchObject([
      { balance: '10000.00000000' },
    ])
    const other = (await post(INTERNAL_TOKEN, '{"balances":{"USDT":"5"}}')).body as typeof credentials
    expect((await call(paper, other, 'GET', '/fapi/v3/balance')).body).toMatchObject([
      { balance: '5.00000000' },
    ])
  })

  test('refuses everybody else', async () => {
    expect((await post(undefined)).status).toBe(401)
    expect((await post('wrong')).status).toBe(401)
    expect((await post(`${INTERNAL_TOKEN}x`)).status).toBe(401)
    expect((await ask(`${paper.root}/internal/accounts`)).status).toBe(405)
  })

  test('is there in production, where control is not', async () => {
    const production = await startPaper({ TRIPLINE_MODE: 'production' })
    expect((await post(INTERNAL_TOKEN, undefined, production.root)).status).toBe(201)
    for (const path of ['accounts', 'faults'])
      expect((await production.control('POST', path, {})).status).toBe(404)
    expect((await production.control('GET', 'journal')).status).toBe(404)
    await production.stop()
    const allowed = await startPaper({ TRIPLINE_MODE: 'production', PAPER_CONTROL: 'on' })
    expect((await allowed.control('GET', 'journal')).status).toBe(200)
    await allowed.stop()
  })
})

test('the probes answer', async () => {
  expect((await ask(`${paper.root}/livez`)).status).toBe(200)
  expect((await ask(`${paper.root}/readyz`)).status).toBe(200)
  expect((await ask(`${paper.root}/nothing`)).status).toBe(404)
})
