import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Answered, ask, type Credentials, call, type Paper, sign, startPaper } from './paper.ts'

let paper: Paper
let owner: Credentials

beforeAll(async () => {
  paper = await startPaper()
})

afterEach(async () => await paper.control('DELETE', 'faults'))
afterAll(async () => await paper.stop())

async function sendToBybit(clientOrderId: string): Promise<Answered> {
  const order = { category: 'linear', symbol: 'BTCUSDT', side: 'Buy', orderType: 'Market', qty: '0.01' }
  const body = JSON.stringify({ ...order, orderLinkId: clientOrderId })
  const timestamp = String(Date.now())
  const headers = {
    'Content-Type': 'application/json',
    'X-BAPI-API-KEY': owner.apiKey,
    'X-BAPI-TIMESTAMP': timestamp,
    'X-BAPI-RECV-WINDOW': '5000',
    'X-BAPI-SIGN': sign(owner, `${timestamp}${owner.apiKey}5000${body}`),
  }
  return await ask(`${paper.root}/bybit/v5/order/create`, { method: 'POST', headers, body })
}

const sendToBinance = (path: string) => async (newClientOrderId: string) => {
  const order = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01', newClientOrderId }
  return await call(paper, owner, 'POST', path, order)
}

const codeIn = ({ body }: Answered): unknown => {
  const { code, retCode } = body as { code?: number; retCode?: number }
  return code ?? retCode
}

const WIRES = [
  {
    wire: 'binance-futures',
    path: '/fapi/v1/order',
    send: sendToBinance('/binance-futures/fapi/v1/order'),
    rejected: { code: -1008, status: 503 },
  },
  {
    wire: 'binance-spot',
    path: '/api/v3/order',
    send: sendToBinance('/binance/api/v3/order'),
    rejected: { code: -2010, status: 400 },
  },
  { wire: 'bybit', path: '/v5/order/create', send: sendToBybit, rejected: { code: 10016, status: 200 } },
]

describe.each(WIRES)('on $wire', ({ wire, path, send, rejected }) => {
  const arm = async (fault: object) => {
    owner = await paper.open({ USDT: '100000' })
    const match = { wire, method: 'POST', path, apiKey: owner.apiKey, symbol: 'BTCUSDT' }
    expect(await paper.control('POST', 'faults', { match, count: 1, ...fault })).toMatchObject({
      status: 201,
    })
  }
  const written = async () =>
    (await paper.journal(owner.apiKey)).map(({ clientOrderId, outcome }) => [clientOrderId, outcome])

  test('drop does nothing and says nothing, once', async () => {
    await arm({ action: 'drop' })
    await expect(send('t1')).rejects.toThrow()
    expect((await send('t2')).status).toBe(200)
    expect(await written()).toEqual([
      ['t1', 'dropped'],
      ['t2', 'accepted'],
    ])
  })

  test('accept-then-drop does it and says nothing', async () => {
    await arm({ action: 'accept-then-drop' })
    await expect(send('t1')).rejects.toThrow()
    expect(await written()).toEqual([['t1', 'accepted']])
  })

  test('reject answers with any code of the venue', async () => {
    await arm({ action: 'reject', code: rejected.code })
    const answer = await send('t1')
    expect([answer.status, codeIn(answer)]).toEqual([rejected.status, rejected.code])
    expect(await written()).toEqual([['t1', 'rejected']])
  })

  test.each([429, 500, 503])('status %i does nothing', async (status) => {
    await arm({ action: 'status', status })
    expect((await send('t1')).status).toBeGreaterThanOrEqual(400)
    expect(await written()).toEqual([['t1', 'rejected']])
  })

  test('accept-then-status does it and says that nobody knows', async () => {
    await arm({ action: 'accept-then-status', status: 503 })
    expect((await send('t1')).status).toBe(503)
    expect(await written()).toEqual([['t1', 'accepted']])
  })

  test.each(['delay', 'accept-then-delay', 'stall-body'])(
    '%s answers late, and all of it',
    async (action) => {
      await arm({ action, ms: 50 })
      expect((await send('t1')).status).toBe(200)
      expect(await written()).toEqual([['t1', 'accepted']])
    },
  )

  test('clock-skew makes a request too old', async () => {
    await arm({ action: 'clock-skew', ms: 60_000 })
    const answer = await send('t1')
    expect(codeIn(answer)).toBe(wire === 'bybit' ? 10002 : -1021)
  })

  test('a storm lasts as long as it is counted', async () => {
    await arm({ action: 'status', status: 429, count: 3 })
    const statuses: number[] = []
    for (let round = 0; round < 4; round += 1) statuses.push((await send(`t${round}`)).status)
    expect(statuses.slice(0, 3).every((status) => status >= 400)).toBe(true)
    expect(statuses[3]).toBe(200)
  })
})
