import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { eventually } from '../contract/suite.ts'
import { ask, type Credentials, call, find, form, type Paper, place, sign, startPaper } from '../paper.ts'

let paper: Paper
let credentials: Credentials

beforeAll(async () => {
  paper = await startPaper()
  credentials = await paper.open({ USDT: '1000000' })
})

afterAll(async () => await paper.stop())

const ORDER = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' }

async function post(query: string, body: string, apiKey: string | undefined = credentials.apiKey) {
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    ...(apiKey && { 'X-MBX-APIKEY': apiKey }),
  }
  return await ask(`${paper.root}/fapi/v1/order${query && `?${query}`}`, { method: 'POST', headers, body })
}

describe('a signature holds', () => {
  test('in the query of a request without body', async () => {
    const payload = form(ORDER)
    expect((await post(`${payload}&signature=${sign(credentials, payload)}`, '')).status).toBe(200)
  })

  test('in the body', async () => {
    const payload = form(ORDER)
    expect((await post('', `${payload}&signature=${sign(credentials, payload)}`)).status).toBe(200)
  })

  test('over query and body joined without a separator', async () => {
    const [query, body] = [form(ORDER), 'newClientOrderId=tBoth']
    const answer = await post(query, `${body}&signature=${sign(credentials, query + body)}`)
    expect(answer.body).toMatchObject({ clientOrderId: 'tBoth' })
  })

  test('in the query over a body that has none', async () => {
    const [query, body] = [form(ORDER), 'newClientOrderId=tQuery']
    expect((await post(`${query}&signature=${sign(credentials, query + body)}`, body)).status).toBe(200)
  })

  test('in capitals', async () => {
    const payload = form(ORDER)
    expect((await post(`${payload}&signature=${sign(credentials, payload).toUpperCase()}`, '')).status).toBe(
      200,
    )
  })

  test('over escaped and unescaped bytes as they were sent', async () => {
    const payload = form({ ...ORDER }).replace('BTCUSDT', '%42TCUSDT')
    expect((await post(`${payload}&signature=${sign(credentials, payload)}`, '')).status).toBe(200)
  })

  test('and the query takes precedence over the body', async () => {
    const [query, body] = ['newClientOrderId=tFromQuery', `${form(ORDER)}&newClientOrderId=tFromBody`]
    const answer = await post(query, `${body}&signature=${sign(credentials, query + body)}`)
    expect(answer.body).toMatchObject({ clientOrderId: 'tFromQuery' })
  })
})

describe('a request is refused', () => {
  const refusal = (code: number, msg: string) => ({ code, msg })

  test('with 401 without a key or with an unknown one', async () => {
    const payload = form(ORDER)
    const none = await post(`${payload}&signature=${sign(credentials, payload)}`, '', '')
    expect(none).toMatchObject({ status: 401, body: refusal(-2014, 'API-key format invalid.') })
    const unknown = await post(`${payload}&signature=${sign(credentials, payload)}`, '', 'nobody')
    expect(unknown).toMatchObject({ status: 401, body: { code: -2015 } })
  })

  test('when the signature is wrong, missing, or covers something else', async () => {
    const payload = form(ORDER)
    expect((await post(`${payload}&signature=${'0'.repeat(64)}`, '')).body).toMatchObject({ code: -1022 })
    expect((await post(`${payload}&signature=abc`, '')).body).toMatchObject({ code: -1022 })
    const changed = payload.replace('0.01', '0.02')
    expect((await post(`${changed}&signature=${sign(credentials, payload)}`, '')).body).toMatchObject({
      code: -1022,
    })
    const text = "Mandatory parameter 'signature' was not sent, was empty/null, or malformed."
    expect(await post(payload, '')).toMatchObject({ status: 400, body: refusal(-1102, text) })
  })

  test('when its time is missing, too old or ahead', async () => {
    const at = async (timestamp: string | number, more = {}) =>
      await place(paper, credentials, { timestamp, ...more })
    expect((await at('')).body).toMatchObject({ code: -1102 })
    expect((await at('soon')).body).toMatchObject({ code: -1100 })
    const old = 'Timestamp for this request is outside of the recvWindow.'
    expect((await at(Date.now() - 5_500)).body).toEqual(refusal(-1021, old))
    const ahead = "Timestamp for this request was 1000ms ahead of the server's time."
    expect((await at(Date.now() + 60_000)).body).toEqual(refusal(-1021, ahead))
    expect((await at(Date.now() - 5_500, { recvWindow: 20_000 })).status).toBe(200)
    expect((await at(Date.now(), { recvWindow: 60_001 })).body).toMatchObject({ code: -1131 })
  })

  const malformed: [name: string, values: Record<string, string>, code: number][] = [
    ['no symbol', { symbol: '' }, -1102],
    ['an unknown symbol', { symbol: 'NOPEUSDT' }, -1121],
    ['no side', { side: '' }, -1102],
    ['an unknown side', { side: 'LONG' }, -1117],
    ['an unknown type', { type: 'ICEBERG' }, -1116],
    ['no quantity', { quantity: '' }, -1102],
    ['a negative quantity', { quantity: '-1' }, -1100],
    ['a zero quantity', { quantity: '0' }, -4003],
    ['a quantity that is too fine', { quantity: '0.0015' }, -1111],
    ['a time in force on a market order', { timeInForce: 'GTC' }, -1106],
    ['a price on a market order', { price: '60000' }, -1106],
    ['a limit order without price', { type: 'LIMIT', timeInForce: 'GTC' }, -1102],
    ['a limit order without time in force', { type: 'LIMIT', price: '60000' }, -1102],
    ['a price off the tick', { type: 'LIMIT', timeInForce: 'GTC', price: '60000.05' }, -4014],
    ['an unknown answer type', { newOrderRespType: 'FULL' }, -1136],
    ['a hedge position side', { positionSide: 'LONG' }, -4061],
    ['a flag that is none', { reduceOnly: 'maybe' }, -1130],
    ['an empty client id', { newClientOrderId: '' }, -1100],
  ]
  test.each(malformed)('with %s', async (_name, values, code) => {
    expect(await place(paper, credentials, values)).toMatchObject({ status: 400, body: { code } })
  })

  test('with a parameter sent twice', async () => {
    const payload = `${form(ORDER)}&side=SELL`
    const answer = await post(`${payload}&signature=${sign(credentials, payload)}`, '')
    expect(answer.body).toMatchObject({ code: -1101 })
  })

  test('with 404 at a path that does not exist', async () => {
    const answer = await ask(`${paper.root}/binance-futures/fapi/v1/nothing`)
    expect(answer).toMatchObject({
      status: 404,
      body: refusal(-5000, 'Path /fapi/v1/nothing, Method GET is invalid'),
    })
  })
})

describe('an answer', () => {
  test('to a market order contains its result, or only that it was taken', async () => {
    const result = await place(paper, credentials, { newClientOrderId: 'tResult' })
    expect(result.body).toMatchObject({ status: 'FILLED', executedQty: '0.010', origQty: '0.010' })
    const ack = await place(paper, credentials, { newOrderRespType: 'ACK' })
    expect(ack.body).toMatchObject({
      status: 'NEW',
      executedQty: '0.000',
      price: '0.00',
      clientOrderId: expect.any(String),
    })
    // Since 2026-06-30 queries and the stream alone have the price.
    for (const { body } of [result, ack]) {
      expect(body).not.toHaveProperty('avgPrice')
      expect(body).not.toHaveProperty('cumQuote')
    }
    const shown = await find(paper, credentials, 'tResult')
    expect(shown.body).toMatchObject({ avgPrice: '60000.10000', cumQuote: '600.00100' })
  })

  test('names some orders by a whole number that no double holds, and takes it back', async () => {
    const placed = await fetchText('POST', {
      symbol: 'ETHUSDT',
      side: 'BUY',
      type: 'MARKET',
      quantity: '0.01',
    })
    const orderId = /"orderId":(\d+)/.exec(placed)?.[1] ?? ''
    expect(orderId).toMatch(/^8389766\d{12}$/)
    const shown = await fetchText('GET', { symbol: 'ETHUSDT', orderId })
    expect(shown).toContain(`"orderId":${orderId},`)
    expect(shown).toContain('"status":"FILLED"')
    expect((await paper.journal(credentials.apiKey)).at(-1)).toMatchObject({ venueOrderId: orderId })
  })

  test('counts weight and orders, and keeps the connection for at least 75 s', async () => {
    // Counts begin anew every ten seconds.
    await eventually(
      () => Date.now() % 10_000,
      (ms) => ms < 5_000,
    )
    const first = await place(paper, credentials)
    const second = await place(paper, credentials)
    const count = (name: string) => Number(second.headers.get(name)) - Number(first.headers.get(name))
    expect(count('x-mbx-order-count-10s')).toBe(1)
    expect(count('x-mbx-order-count-1m')).toBe(1)
    const ping = await ask(`${paper.root}/fapi/v1/ping`)
    expect(Number(ping.headers.get('x-mbx-used-weight-1m'))).toBeGreaterThan(0)
    expect(ping.headers.get('content-length')).toBe('2')
    const seconds = Number(/timeout=(\d+)/.exec(ping.headers.get('keep-alive') ?? '')?.[1])
    expect(seconds).toBeGreaterThanOrEqual(75)
  })

  test('comes from the root and from the base alike', async () => {
    for (const base of ['', '/binance-futures']) {
      const answer = await call(paper, credentials, 'GET', `${base}/fapi/v3/balance`)
      expect(answer.body).toMatchObject([{ asset: 'USDT' }])
    }
    expect((await ask(`${paper.root}/binance/fapi/v1/ping`)).status).toBe(404)
  })

  test('comes over one connection again and again', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    for (let round = 0; round < 5; round += 1) ports.add(await pingThrough(agent))
    agent.destroy()
    expect(ports.size).toBe(1)
  })
})

async function pingThrough(agent: Agent): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    const sent = request(`${paper.root}/fapi/v1/ping`, { agent }, (response) => {
      const { localPort } = response.socket
      response.resume().on('end', () => resolve(localPort))
    })
    sent.on('error', reject).end()
  })
}

describe('input of any kind', () => {
  const READS = [
    'order',
    'openOrder',
    'openOrders',
    'allOrders',
    'userTrades',
    'leverageBracket',
    'symbolConfig',
  ]
  const PUBLIC = ['exchangeInfo', 'ticker/bookTicker', 'ticker/24hr', 'ticker/price', 'premiumIndex', 'time']
  const paths = fc.oneof(
    fc.constantFrom(...[...READS, ...PUBLIC].map((path) => `GET /fapi/v1/${path}`)),
    fc.constantFrom(
      'POST /fapi/v1/order',
      'DELETE /fapi/v1/order',
      'GET /fapi/v3/positionRisk',
      'GET /fapi/v2/account',
    ),
  )
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '',
      '0',
      '-1',
      '1e9',
      '99999999999999999999',
      'NaN',
      '__proto__',
      'true',
      '0.00000000000000000001',
    ),
  )
  const plausible = {
    symbol: fc.oneof(fc.constantFrom('BTCUSDT', 'btcusdt'), value),
    side: fc.oneof(fc.constantFrom('BUY', 'SELL'), value),
    type: fc.oneof(fc.constantFrom('MARKET', 'LIMIT', 'STOP_MARKET'), value),
    quantity: fc.oneof(fc.constantFrom('0.01', '1000'), value),
    price: value,
    timeInForce: fc.oneof(fc.constantFrom('GTC', 'GTX'), value),
    newClientOrderId: value,
    orderId: value,
    origClientOrderId: value,
    startTime: value,
    endTime: value,
    limit: value,
    recvWindow: value,
  }

  test('gets an answer of the venue, never a fault of the server', async () => {
    const values = fc.record(plausible, { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(paths, values, async (path, sent) => {
        const [method = '', target = ''] = path.split(' ')
        const answer = await call(paper, credentials, method, target, sent)
        expect([200, 400]).toContain(answer.status)
        if (answer.status === 400)
          expect(answer.body).toEqual({ code: expect.any(Number), msg: expect.any(String) })
      }),
      { numRuns: 400 },
    )
  })

  test('that is too large is refused', async () => {
    expect((await post('', 'x'.repeat(70_000))).status).toBe(413)
  })

  test('as raw bytes does not disturb the signature', async () => {
    const body = Buffer.concat([
      Buffer.from(`${form(ORDER)}&newClientOrderId=`),
      Buffer.from([0xff, 0xc3, 0x28]),
    ])
    const signature = createHmac('sha256', credentials.secret).update(body).digest('hex')
    const signed = Buffer.concat([body, Buffer.from(`&signature=${signature}`)])
    const headers = { 'X-MBX-APIKEY': credentials.apiKey }
    const answer = await ask(`${paper.root}/fapi/v1/order`, { method: 'POST', headers, body: signed })
    expect(answer.body).toMatchObject({ code: -1100 })
  })
})

async function fetchText(method: string, values: Record<string, string>): Promise<string> {
  const payload = form(values)
  const url = `${paper.root}/fapi/v1/order?${payload}&signature=${sign(credentials, payload)}`
  const response = await fetch(url, { method, headers: { 'X-MBX-APIKEY': credentials.apiKey } })
  return await response.text()
}
