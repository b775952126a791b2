import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ask, call, INTERNAL_TOKEN, type Paper, place, startPaper } from './paper.ts'

let paper: Paper

beforeAll(async () => {
  paper = await startPaper()
})

afterAll(async () => await paper.stop())

describe('control of accounts', () => {
  test('opens one with 10,000 USDT or with the balances given, and shows its balances', async () => {
    const { apiKey } = await paper.open()
    expect((await paper.control('GET', `accounts/${apiKey}`)).body).toEqual({
      apiKey,
      openedAt: expect.any(Number),
      balances: { USDT: '10000' },
      positions: [],
      openOrders: [],
    })
    const rich = await paper.open({ USDT: '250000.5', BTC: '2' })
    await place(paper, rich)
    await place(paper, rich, { type: 'LIMIT', price: '59000', timeInForce: 'GTC', newClientOrderId: 'tRest' })
    expect((await paper.control('GET', `accounts/${rich.apiKey}`)).body).toMatchObject({
      balances: { USDT: '250000.1999995', BTC: '2' },
      positions: [
        {
          venue: 'binance-futures',
          symbol: 'BTCUSDT',
          quantity: '0.01',
          cost: '600.001',
          entryPrice: '60000.1',
          unrealized: '-0.001',
          leverage: 20,
        },
      ],
      openOrders: [{ clientOrderId: 'tRest', price: '59000.00', quantity: '0.010', filled: '0.000' }],
    })
  })

  test('refuses balances that are none and does not know strangers', async () => {
    const refused = [{ balances: { USDT: '-1' } }, { balance: {} }, { balances: { USDT: '9'.repeat(20) } }]
    for (const body of refused) expect((await paper.control('POST', 'accounts', body)).status).toBe(400)
    expect((await paper.control('GET', 'accounts/nobody')).status).toBe(404)
    expect((await paper.control('GET', 'accounts/__proto__')).status).toBe(404)
    const broken = await ask(`${paper.root}/control/accounts`, { method: 'POST', body: '{' })
    expect(broken.status).toBe(400)
  })

  test('resets one: its orders and positions are gone, its key stays', async () => {
    const owner = await paper.open({ USDT: '50000' })
    await place(paper, owner)
    await place(paper, owner, { type: 'LIMIT', price: '59000', timeInForce: 'GTC' })
    const reset = await paper.control('POST', `accounts/${owner.apiKey}/reset`, { balances: { USDT: '777' } })
    expect(reset).toMatchObject({
      status: 200,
      body: { apiKey: owner.apiKey, balances: { USDT: '777' }, positions: [], openOrders: [] },
    })
    expect((await call(paper, owner, 'GET', '/fapi/v1/openOrders')).body).toEqual([])
    await paper.control('POST', `accounts/${owner.apiKey}/reset`)
    expect((await paper.control('GET', `accounts/${owner.apiKey}`)).body).toMatchObject({
      balances: { USDT: '10000' },
    })
    const wrong = { balances: { USDT: 'many' } }
    expect((await paper.control('POST', `accounts/${owner.apiKey}/reset`, wrong)).status).toBe(400)
    expect((await paper.control('POST', 'accounts/nobody/reset')).status).toBe(404)
  })
})

describe('a browser', () => {
  const visit = async (path: string) => {
    const response = await fetch(`${paper.root}/control/${path}`, {
      headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  test('sees an account as a page', async () => {
    const owner = await paper.open({ USDT: '50000' })
    await place(paper, owner)
    await place(paper, owner, {
      type: 'LIMIT',
      price: '59000',
      timeInForce: 'GTC',
      newClientOrderId: 'tSeen',
    })
    const { status, headers, text } = await visit(`accounts/${owner.apiKey}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    for (const shown of [owner.apiKey, 'BTCUSDT', 'tSeen', '60000.1', 'Latest fills', 'width=device-width'])
      expect(text).toContain(shown)
    expect(text).not.toContain(owner.secret)
  })

  test('sees every account in a list that leads to each', async () => {
    const { apiKey } = await paper.open({ USDT: '123.45' })
    const { text } = await visit('accounts')
    expect(text).toContain(`href="accounts/${apiKey}"`)
    expect(text).toContain('123.45 USDT')
  })
})

describe('control of prices', () => {
  test('pins every market with the symbol until it is released', async () => {
    const { body } = await paper.control('PUT', 'prices/ETHUSDT', {
      bid: '3100',
      ask: '3100.02',
      mark: '3101.5',
    })
    const { markets } = body as { markets: { venue: string }[] }
    expect(markets.map(({ venue }) => venue)).toEqual([
      'binance-spot',
      'binance-futures',
      'bybit-spot',
      'bybit-linear',
      'okx-spot',
      'okx-linear',
    ])
    expect(markets[1]).toEqual({
      venue: 'binance-futures',
      symbol: 'ETHUSDT',
      bid: '3100.00',
      ask: '3100.02',
      last: '3100.01',
      mark: '3101.5',
      index: '3101.5',
    })
    const read = async (path: string) => (await ask(`${paper.root}/${path}?symbol=ETHUSDT`)).body
    expect(await read('fapi/v1/ticker/bookTicker')).toMatchObject({
      bidPrice: '3100.00',
      askPrice: '3100.02',
    })
    expect(await read('fapi/v1/premiumIndex')).toMatchObject({ markPrice: '3101.50000000' })
    expect(await read('api/v3/ticker/bookTicker')).toMatchObject({ bidPrice: '3100.00000000' })
    expect((await paper.control('DELETE', 'prices/ETHUSDT')).body).toMatchObject({
      markets: [{ bid: '2999.99', ask: '3000.01' }, {}, {}, {}, {}, {}],
    })
    expect(await read('fapi/v1/ticker/24hr')).toMatchObject({ lastPrice: '3000.00' })
  })

  test('rounds prices outward to the tick of each market', async () => {
    const pinned = await paper.control('PUT', 'prices/SOLUSDT', { bid: '150.0061', ask: '150.0139' })
    expect(pinned.body).toMatchObject({
      markets: [
        { venue: 'binance-spot', bid: '150.00', ask: '150.02' },
        { venue: 'binance-futures', bid: '150.0000', ask: '150.0200' },
        { venue: 'bybit-spot', bid: '150.00', ask: '150.02' },
        { venue: 'bybit-linear', bid: '150.000', ask: '150.020' },
        { venue: 'okx-spot', bid: '150.00', ask: '150.02' },
        { venue: 'okx-linear', bid: '150.00', ask: '150.02' },
      ],
    })
    await paper.control('DELETE', 'prices/SOLUSDT')
  })

  test.each([
    [{ bid: '3000' }],
    [{ bid: '3001', ask: '3000' }],
    [{ bid: '0', ask: '3000' }],
    [{ bid: 3000, ask: 3001 }],
    [{ bid: '3000', ask: '3001', mark: 'high' }],
    [{ bid: '3000', ask: '9'.repeat(20) }],
    [{ bid: '3000', ask: '3001', close: '3000' }],
    [[]],
    [null],
  ])('refuses %j', async (body) => {
    expect((await paper.control('PUT', 'prices/ETHUSDT', body)).status).toBe(400)
  })

  test('does not know other symbols', async () => {
    expect((await paper.control('PUT', 'prices/NOPEUSDT', { bid: '1', ask: '1' })).status).toBe(404)
    expect((await paper.control('DELETE', 'prices/NOPEUSDT')).status).toBe(404)
  })
})

describe('control of symbols', () => {
  const COIN = { base: 'NEWC', tick: '0.001', step: '0.1', bid: '9.999', ask: '10.001', minNotional: '10' }

  test('lists a new one in every family of markets, to be traded at once', async () => {
    const listed = await paper.control('PUT', 'symbols/NEWCUSDT', COIN)
    expect(listed).toMatchObject({ status: 200, body: { symbol: 'NEWCUSDT' } })
    expect((listed.body as { markets: string[] }).markets).toHaveLength(6)
    const owner = await paper.open()
    const order = { symbol: 'NEWCUSDT', quantity: '2.5' }
    expect((await place(paper, owner, order)).body).toMatchObject({ status: 'FILLED' })
    expect((await place(paper, owner, { ...order, quantity: '0.5' })).body).toMatchObject({ code: -4164 })
    const info = await ask(`${paper.root}/fapi/v1/exchangeInfo`)
    expect(JSON.stringify(info.body)).toContain('NEWCUSDT')
  })

  test('gives one other filters, but never other places', async () => {
    await paper.control('PUT', 'symbols/OTHERUSDT', { ...COIN, base: 'OTHER' })
    const again = { ...COIN, base: 'OTHER', minNotional: '50' }
    expect((await paper.control('PUT', 'symbols/OTHERUSDT', again)).status).toBe(200)
    expect(
      (await place(paper, await paper.open(), { symbol: 'OTHERUSDT', quantity: '2.5' })).body,
    ).toMatchObject({ code: -4164 })
    const finer = { ...COIN, base: 'OTHER', tick: '0.0001' }
    expect((await paper.control('PUT', 'symbols/OTHERUSDT', finer)).status).toBe(409)
  })

  test('lists it only where it is wanted', async () => {
    const { body } = await paper.control('PUT', 'symbols/ONLYUSDT', {
      ...COIN,
      base: 'ONLY',
      venues: ['bybit-spot'],
    })
    expect(body).toEqual({ symbol: 'ONLYUSDT', markets: ['bybit-spot:ONLYUSDT'] })
    expect((await ask(`${paper.root}/fapi/v1/ticker/bookTicker?symbol=ONLYUSDT`)).status).toBe(400)
  })

  test.each([
    [{}],
    [{ ...COIN, tick: '0' }],
    [{ ...COIN, tick: '0.00000001' }],
    [{ ...COIN, step: '-1' }],
    [{ ...COIN, bid: '11' }],
    [{ ...COIN, bid: '0.0001' }],
    [{ ...COIN, minQuantity: '0.01' }],
    [{ ...COIN, venues: ['okx'] }],
    [{ ...COIN, venues: [] }],
    [{ ...COIN, fee: '0' }],
    ['NEWC'],
  ])('refuses %j', async (body) => {
    expect((await paper.control('PUT', 'symbols/BADUSDT', body)).status).toBe(400)
  })

  test('refuses names that are none', async () => {
    for (const name of ['lowerusdt', 'A', 'A'.repeat(21), '__proto__', ''])
      expect((await paper.control('PUT', `symbols/${name}`, COIN)).status).toBe(400)
  })
})

const ACTIONS = [
  'drop',
  'accept-then-drop',
  'delay',
  'accept-then-delay',
  'stall-body',
  'status',
  'accept-then-status',
  'reject',
  'read-lag',
  'clock-skew',
  'partial-fill',
  'duplicate-events',
  'reorder-events',
  'silent-stream',
  'disconnect',
  'expire-listen-key',
  'stuck-trigger',
  'reject-at-trigger',
]

describe('control of faults', () => {
  test('names the actions it knows when it does not know one', async () => {
    const answer = await paper.control('POST', 'faults', { match: {}, action: 'explode' })
    expect(answer.status).toBe(400)
    const { detail } = answer.body as { detail: string }
    for (const action of ACTIONS) expect(detail).toContain(action)
    expect((await paper.control('POST', 'faults', { action: 'delay' })).status).toBe(400)
    expect((await paper.control('POST', 'faults', { action: 'drop', match: { url: '/' } })).status).toBe(400)
  })

  test('lists armed faults, with how often they may still strike', async () => {
    await paper.control('DELETE', 'faults')
    const match = { symbol: 'NONE' }
    await paper.control('POST', 'faults', { action: 'partial-fill', ratio: 0.25, count: 2, match })
    await paper.control('POST', 'faults', { action: 'silent-stream', match })
    expect((await paper.control('GET', 'faults')).body).toMatchObject([
      { action: 'partial-fill', ratio: '0.25', left: 2, match },
      { action: 'silent-stream', left: null, match },
    ])
    await paper.control('DELETE', 'faults')
    expect((await paper.control('GET', 'faults')).body).toEqual([])
  })

  test.each([0, 1, '1.5', '-0.5', '0.1234567', 'half', null])('refuses the ratio %j', async (ratio) => {
    expect((await paper.control('POST', 'faults', { action: 'partial-fill', ratio })).status).toBe(400)
  })

  test('removes one by its id', async () => {
    const { body } = await paper.control('POST', 'faults', { action: 'drop', match: { symbol: 'NONE' } })
    const { id } = body as { id: string }
    expect((await paper.control('DELETE', `faults/${id}`)).status).toBe(204)
    expect((await paper.control('DELETE', `faults/${id}`)).status).toBe(404)
  })
})

describe('the journal', () => {
  test('lists every order request with its result, and nothing else', async () => {
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

  test('opens an account for the holder of the token', async () => {
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

  test('resets an account for the holder of the token', async () => {
    const owner = await paper.open({ USDT: '5' })
    const reset = async (apiKey: string, token: string) =>
      await ask(`${paper.root}/internal/accounts/${apiKey}/reset`, {
        method: 'POST',
        body: '{}',
        headers: { Authorization: `Bearer ${token}` },
      })
    expect(await reset(owner.apiKey, 'wrong')).toMatchObject({ status: 401 })
    expect(await reset('nobody', INTERNAL_TOKEN)).toMatchObject({ status: 404 })
    expect(await reset(owner.apiKey, INTERNAL_TOKEN)).toMatchObject({
      status: 200,
      body: { balances: { USDT: '10000' } },
    })
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
