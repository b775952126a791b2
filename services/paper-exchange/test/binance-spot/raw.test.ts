import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ask, type Credentials, call, form, type Paper, sign, startPaper } from '../paper.ts'

let paper: Paper
let credentials: Credentials

beforeAll(async () => {
  paper = await startPaper({ PAPER_TICK_MS: '0', PAPER_LIMITS: 'off' })
})

afterAll(async () => await paper.stop())

const MARKET = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' }
const LIMIT = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.01',
  price: '59000',
}

async function fresh(): Promise<void> {
  credentials = await paper.open({ USDT: '100000', BTC: '1' })
}

async function post(query: string, body: string) {
  const headers = { 'X-MBX-APIKEY': credentials.apiKey, 'Content-Type': 'application/x-www-form-urlencoded' }
  return await ask(`${paper.root}/api/v3/order${query && `?${query}`}`, { method: 'POST', headers, body })
}

describe('a signed request', () => {
  test('may have its parameters in the query, in the body, or in both', async () => {
    await fresh()
    const whole = form(MARKET)
    expect((await post(`${whole}&signature=${sign(credentials, whole)}`, '')).status).toBe(200)
    expect((await post('', `${whole}&signature=${sign(credentials, whole).toUpperCase()}`)).status).toBe(200)
    const rest = 'newClientOrderId=tBoth'
    const split = await post(whole, `${rest}&signature=${sign(credentials, whole + rest)}`)
    expect(split).toMatchObject({ status: 200, body: { clientOrderId: 'tBoth' } })
  })

  test('may give its time in microseconds', async () => {
    await fresh()
    const answer = await call(paper, credentials, 'GET', '/api/v3/account', { timestamp: Date.now() * 1_000 })
    expect(answer.status).toBe(200)
  })
})

describe('the venue', () => {
  test('answers at the root and under its base, and keeps connections for at least 75 s', async () => {
    for (const base of ['', '/binance']) {
      const { status, headers } = await ask(`${paper.root}${base}/api/v3/ping`)
      expect(status).toBe(200)
      expect(headers.get('content-length')).toBe('2')
      expect(Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThanOrEqual(75)
    }
  })

  test('knows no other paths, and has no listen keys any more', async () => {
    expect((await ask(`${paper.root}/binance/api/v3/nothing`)).status).toBe(404)
    expect((await ask(`${paper.root}/binance/api/v3/userDataStream`, { method: 'POST' })).status).toBe(410)
    expect(await ask(`${paper.root}/binance/sapi/v1/capital/config/getall`)).toMatchObject({
      status: 401,
      body: { code: -2014 },
    })
  })
})

describe('the rule of client order ids', () => {
  test('an id is refused while its order is open and free again once it is filled', async () => {
    await fresh()
    const place = async (values: Record<string, string>) =>
      await call(paper, credentials, 'POST', '/api/v3/order', { ...values, newClientOrderId: 'tOne' })
    expect((await place(LIMIT)).status).toBe(200)
    expect(await place(MARKET)).toMatchObject({
      status: 400,
      body: { code: -2010, msg: 'Duplicate order sent.' },
    })
    await call(paper, credentials, 'DELETE', '/api/v3/order', {
      symbol: 'BTCUSDT',
      origClientOrderId: 'tOne',
    })
    expect((await place(MARKET)).status).toBe(200)
    expect((await place(MARKET)).status).toBe(200)
    const { body } = await call(paper, credentials, 'GET', '/api/v3/account', { omitZeroBalances: 'true' })
    expect(body).toMatchObject({ balances: [{ asset: 'USDT' }, { asset: 'BTC', free: '1.01998000' }] })
  })
})

describe('a replacement that works in part', () => {
  test('has its own status, and the journal shows both halves', async () => {
    await fresh()
    const answer = await call(paper, credentials, 'POST', '/api/v3/order/cancelReplace', {
      ...LIMIT,
      newClientOrderId: 'tNew',
      cancelReplaceMode: 'ALLOW_FAILURE',
      cancelOrderId: 1,
    })
    expect(answer).toMatchObject({ status: 409, body: { code: -2021, data: { newOrderResult: 'SUCCESS' } } })
    expect(await paper.journal(credentials.apiKey)).toMatchObject([
      { op: 'amend', outcome: 'rejected', code: -2011 },
      { op: 'amend', outcome: 'accepted', clientOrderId: 'tNew', code: null },
    ])
  })
})

describe('reads that lag', () => {
  test('show the former balance of the account and its locked part', async () => {
    await fresh()
    const match = { apiKey: credentials.apiKey, path: '/api/v3/account' }
    await call(paper, credentials, 'POST', '/api/v3/order', LIMIT)
    await paper.control('POST', 'faults', { match, action: 'read-lag', ms: 30_000, count: 1 })
    const read = async () =>
      (await call(paper, credentials, 'GET', '/api/v3/account', { omitZeroBalances: 'true' })).body
    expect(await read()).toMatchObject({ balances: [{ locked: '0.00000000' }, {}] })
    expect(await read()).toMatchObject({ balances: [{ locked: '590.00000000' }, {}] })
  })
})
