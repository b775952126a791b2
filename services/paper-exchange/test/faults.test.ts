import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { ask, type Credentials, call, find, form, type Paper, place, sign, startPaper } from './paper.ts'
import { until } from './until.ts'

const ORDERS = { method: 'POST', path: '/fapi/v1/order' }

let paper: Paper
let credentials: Credentials

beforeAll(async () => {
  paper = await startPaper()
})

afterEach(async () => await paper.control('DELETE', 'faults'))
afterAll(async () => await paper.stop())

async function arm(fault: object): Promise<void> {
  credentials = await paper.open()
  const match = { ...ORDERS, apiKey: credentials.apiKey }
  expect(await paper.control('POST', 'faults', { match, ...fault })).toMatchObject({ status: 201 })
}

const send = async (values = {}) => await place(paper, credentials, { newClientOrderId: 'tFault', ...values })
const found = async () => (await find(paper, credentials, 'tFault')).status === 200
/** Settles once the armed fault, which counts one, has struck. */
const struck = async () =>
  await until(async () =>
    ((await paper.control('GET', 'faults')).body as { left: number }[]).every(({ left }) => left === 0),
  )
/** Ends what the fault holds up. */
const lift = async () => await paper.control('DELETE', 'faults')
const written = async () =>
  (await paper.journal(credentials.apiKey)).map(({ outcome, code }) => [outcome, code])

describe('before acceptance', () => {
  test('drop closes the connection and places nothing', async () => {
    await arm({ action: 'drop' })
    await expect(send()).rejects.toThrow()
    expect(await found()).toBe(false)
    expect(await written()).toEqual([['dropped', null]])
  })

  test('delay places the order later', async () => {
    await arm({ action: 'delay', ms: 600_000, count: 1 })
    const answering = send({ recvWindow: 60_000 })
    await struck()
    expect(await found()).toBe(false)
    await lift()
    expect(await answering).toMatchObject({ status: 200, body: { status: 'FILLED' } })
  })

  test('a delay longer than the receive window ends in -1021, and the journal says so', async () => {
    await arm({ action: 'delay', ms: 300 })
    expect(await send({ recvWindow: 200 })).toMatchObject({ status: 400, body: { code: -1021 } })
    expect(await found()).toBe(false)
    expect(await written()).toEqual([['rejected', -1021]])
  })

  test('an order whose sender hung up during the delay is placed all the same', async () => {
    await arm({ action: 'delay', ms: 600_000, count: 1 })
    const values = {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'MARKET',
      quantity: '0.01',
      newClientOrderId: 'tFault',
      recvWindow: 60_000,
    }
    const hungUp = new AbortController()
    const payload = form(values)
    const url = `${paper.root}/fapi/v1/order?${payload}&signature=${sign(credentials, payload)}`
    const headers = { 'X-MBX-APIKEY': credentials.apiKey }
    const sent = fetch(url, { method: 'POST', headers, signal: hungUp.signal })
    await struck()
    hungUp.abort()
    await expect(sent).rejects.toThrow()
    expect(await found()).toBe(false)
    await lift()
    await until(found)
    expect(await written()).toEqual([['accepted', null]])
  })

  test.each([
    [429, -1003],
    [418, -1003],
    [503, -1016],
    [500, -1000],
  ])('status %i answers in the venue’s words and places nothing', async (status, code) => {
    await arm({ action: 'status', status })
    const answer = await send()
    expect(answer).toMatchObject({ status, body: { code } })
    expect(answer.headers.has('retry-after')).toBe(status === 429 || status === 418)
    expect(await found()).toBe(false)
    expect(await written()).toEqual([['rejected', code]])
  })

  test('a status says for how long it applies, where that is set', async () => {
    await arm({ action: 'status', status: 429, retryAfterS: 60 })
    expect((await send()).headers.get('retry-after')).toBe('60')
  })

  test('reject answers with any code and text', async () => {
    await arm({ action: 'reject', code: -4192, message: 'Trade forbidden due to Cooling-off Period.' })
    const body = { code: -4192, msg: 'Trade forbidden due to Cooling-off Period.' }
    expect(await send()).toMatchObject({ status: 400, body })
    expect(await written()).toEqual([['rejected', -4192]])
    await arm({ action: 'reject', code: -1008 })
    expect(await send()).toMatchObject({ status: 503, body: { code: -1008 } })
  })
})

describe('after acceptance', () => {
  test('accept-then-drop places the order and closes the connection', async () => {
    await arm({ action: 'accept-then-drop' })
    await expect(send()).rejects.toThrow()
    expect(await found()).toBe(true)
    expect(await written()).toEqual([['accepted', null]])
  })

  test('accept-then-delay places the order at once and answers later', async () => {
    await arm({ action: 'accept-then-delay', ms: 600_000 })
    let answered = false
    const answering = send().then((answer) => {
      answered = true
      return answer
    })
    await until(found)
    expect(answered).toBe(false)
    await lift()
    expect(await answering).toMatchObject({ status: 200, body: { status: 'FILLED' } })
  })

  test('accept-then-status places the order and says nobody knows', async () => {
    await arm({ action: 'accept-then-status', status: 503 })
    const msg = 'Unknown error, please check your request or try again later.'
    expect(await send()).toMatchObject({ status: 503, body: { msg } })
    expect(await found()).toBe(true)
  })

  test('stall-body sends the headers and half of the body, and the rest later', async () => {
    await arm({ action: 'stall-body', ms: 600_000 })
    const values = {
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'MARKET',
      quantity: '0.01',
      newClientOrderId: 'tFault',
    }
    const payload = form(values)
    const url = `${paper.root}/fapi/v1/order?${payload}&signature=${sign(credentials, payload)}`
    const response = await fetch(url, { method: 'POST', headers: { 'X-MBX-APIKEY': credentials.apiKey } })
    let whole = false
    const reading = response.text().then((text) => {
      whole = true
      return text
    })
    expect(await found()).toBe(true)
    expect(whole).toBe(false)
    await lift()
    expect(JSON.parse(await reading)).toMatchObject({ clientOrderId: 'tFault' })
  })
})

describe('the readings of the venue', () => {
  test('read-lag hides an order, its fill and its position for a while', async () => {
    await arm({ action: 'read-lag', ms: 60_000, match: { method: 'GET' } })
    expect((await send()).status).toBe(200)
    const read = async (path: string, values = {}) =>
      (await call(paper, credentials, 'GET', path, values)).body
    expect(await found()).toBe(false)
    expect(await read('/fapi/v1/allOrders', { symbol: 'BTCUSDT' })).toEqual([])
    expect(await read('/fapi/v1/userTrades', { symbol: 'BTCUSDT' })).toEqual([])
    expect(await read('/fapi/v3/positionRisk')).toEqual([])
    expect(await read('/fapi/v3/balance')).toMatchObject([{ balance: '10000.00000000' }])
    await paper.control('DELETE', 'faults')
    expect(await found()).toBe(true)
    expect(await read('/fapi/v3/positionRisk')).toMatchObject([{ positionAmt: '0.010' }])
  })

  test('read-lag shows a canceled order as it still was', async () => {
    let time = Date.now()
    const clock = { nowMs: () => time, nowNs: () => BigInt(time) * 1_000_000n }
    const timed = await startPaper({}, { clock })
    const owner = await timed.open()
    const asked = { symbol: 'BTCUSDT', origClientOrderId: 'tFault' }
    const query = async () =>
      (await call(timed, owner, 'GET', '/fapi/v1/order', { ...asked, timestamp: time })).body
    const limit = { type: 'LIMIT', price: '59000', timeInForce: 'GTC', newClientOrderId: 'tFault' }
    await place(timed, owner, { ...limit, timestamp: time })
    time += 5_000
    await call(timed, owner, 'DELETE', '/fapi/v1/order', { ...asked, timestamp: time })
    await timed.control('POST', 'faults', { action: 'read-lag', ms: 3_000, match: { method: 'GET' } })
    expect(await query()).toMatchObject({ status: 'NEW' })
    time += 3_000
    expect(await query()).toMatchObject({ status: 'CANCELED' })
    await timed.stop()
  })

  test('clock-skew moves the venue’s clock, so that requests are ahead or too old', async () => {
    await arm({ action: 'clock-skew', ms: 60_000 })
    expect((await send()).body).toMatchObject({ code: -1021 })
    await arm({ action: 'clock-skew', ms: -60_000 })
    expect((await send()).body).toMatchObject({ code: -1021, msg: expect.stringContaining('ahead') })
    await paper.control('POST', 'faults', {
      action: 'clock-skew',
      ms: 600_000,
      match: { path: '/fapi/v1/time' },
    })
    const { body } = await ask(`${paper.root}/fapi/v1/time`)
    expect((body as { serverTime: number }).serverTime - Date.now()).toBeGreaterThan(500_000)
  })
})

describe('a fault strikes', () => {
  test('as often as it counts', async () => {
    await arm({ action: 'reject', code: -1001, count: 2 })
    const statuses = [(await send()).status, (await send()).status, (await send()).status]
    expect(statuses).toEqual([503, 503, 200])
  })

  test('as likely as it says, and the same with the same seed', async () => {
    const strikes = async (seed: number) => {
      await arm({ action: 'reject', code: -1001, probability: 0.5, seed })
      const statuses: number[] = []
      for (let round = 0; round < 24; round += 1) statuses.push((await send()).status)
      return statuses.join(' ')
    }
    const first = await strikes(7)
    expect(await strikes(7)).toBe(first)
    expect(await strikes(8)).not.toBe(first)
    expect(first).toContain('200')
    expect(first).toContain('503')
  })

  test('only where wire, method, path, key and symbol match', async () => {
    await arm({ action: 'reject', code: -1001, match: { symbol: 'ETHUSDT', wire: 'binance-futures' } })
    expect((await send()).status).toBe(200)
    expect((await send({ symbol: 'ETHUSDT', quantity: '0.1' })).status).toBe(503)
    await arm({ action: 'reject', code: -1001, match: { path: '/binance-futures/fapi' } })
    expect((await send()).status).toBe(200)
    await arm({ action: 'reject', code: -1001, match: { wire: 'bybit' } })
    expect((await send()).status).toBe(200)
  })

  test('on requests through the base as well', async () => {
    await arm({ action: 'reject', code: -1001 })
    const values = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' }
    const answer = await call(paper, credentials, 'POST', '/binance-futures/fapi/v1/order', values)
    expect(answer.status).toBe(503)
  })
})
