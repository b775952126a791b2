import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createDeadlines } from '../../src/wire/binance-futures/deadlines.ts'
import { createListenKeys } from '../../src/wire/binance-futures/listen-keys.ts'
import { routesOf } from '../../src/wire/binance-futures/routes.ts'
import { METHODS } from '../../src/wire/binance-futures/ws-methods.ts'
import { type Credentials, call, type Paper, sign, startPaper } from '../paper.ts'
import { connect } from '../socket-rig.ts'
import { until } from '../until.ts'

let paper: Paper
let credentials: Credentials

beforeAll(async () => {
  paper = await startPaper({ PAPER_LIMITS: 'off', LOG_LEVEL: 'fatal' })
  credentials = await paper.open({ USDT: '1000000' })
})

afterAll(async () => await paper.stop())

const deadlines = createDeadlines(() => 0)
const routes = [
  ...routesOf({ trades: () => [], updateId: () => 0 }, deadlines, createListenKeys(deadlines)).keys(),
]

const wild = fc.oneof(
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
    '[]',
    '{}',
    '[null]',
  ),
  fc.constantFrom(
    '0.00000000000000000001',
    '9007199254740993',
    '[[1]]',
    '["a"]',
    'null',
    '18446744073709551616',
  ),
)
const near = (...usual: string[]) => fc.oneof(fc.constantFrom(...usual), wild)
const order = JSON.stringify({ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: 1, price: null })
const values = fc.record(
  {
    symbol: near('BTCUSDT', 'DOGEUSDT', 'btcusdt'),
    pair: near('BTCUSDT'),
    side: near('BUY', 'SELL'),
    type: near('MARKET', 'LIMIT', 'STOP', 'STOP_MARKET', 'TRAILING_STOP_MARKET', '1', '2'),
    algoType: near('CONDITIONAL'),
    quantity: near('0.01', '1000'),
    price: near('59000', '60500'),
    triggerPrice: near('58000', '62000'),
    activatePrice: near('58000', '62000'),
    callbackRate: near('1', '0.1', '10'),
    timeInForce: near('GTC', 'IOC', 'FOK', 'GTX', 'GTD'),
    goodTillDate: near('9999999999999'),
    positionSide: near('BOTH', 'LONG'),
    reduceOnly: near('true', 'false'),
    closePosition: near('true', 'false'),
    workingType: near('MARK_PRICE'),
    newClientOrderId: near('fuzz'),
    clientAlgoId: near('fuzz'),
    orderId: near('4000000001'),
    algoId: near('4000000002'),
    origClientOrderId: near('fuzz'),
    batchOrders: near(`[${order}]`, `[${order},7]`),
    orderIdList: near('[1,2]'),
    origClientOrderIdList: near('["a"]'),
    startTime: near('1', '9999999999999'),
    endTime: near('1', '9999999999999'),
    fromId: wild,
    limit: near('5', '100'),
    page: wild,
    interval: near('1m', '1M'),
    incomeType: near('COMMISSION'),
    leverage: near('5', '125'),
    marginType: near('ISOLATED', 'CROSSED'),
    amount: near('1'),
    dualSidePosition: near('true', 'false'),
    multiAssetsMargin: near('true', 'false'),
    countdownTime: near('0', '60000'),
    newOrderRespType: near('ACK', 'RESULT'),
    recvWindow: near('5000', '60000'),
  },
  { requiredKeys: [] },
)

const refusal = { code: expect.any(Number), msg: expect.any(String) }

test.each(routes)('%s answers any input in the venue’s own words', async (route) => {
  const [method = '', path = ''] = route.split(' ')
  await fc.assert(
    fc.asyncProperty(values, async (sent) => {
      const { status, body } = await call(paper, credentials, method, path, sent)
      expect([200, 400]).toContain(status)
      if (status === 400) expect(body).toEqual(refusal)
    }),
    { numRuns: 40 },
  )
})

const signed = (sent: Record<string, unknown>) => {
  const params: Record<string, unknown> = { timestamp: Date.now(), ...sent, apiKey: credentials.apiKey }
  const known = Object.keys(params).filter((name) => params[name] !== null && params[name] !== undefined)
  const payload = known
    .sort()
    .map((name) => `${name}=${String(params[name])}`)
    .join('&')
  return { ...params, signature: sign(credentials, payload) }
}

test('requests over sockets answer any input in the venue’s own words', async () => {
  const { socket, texts } = await connect(`${paper.root.replace('http', 'ws')}/ws-fapi/v1`)
  const methods = fc.oneof(fc.constantFrom(...METHODS.keys(), 'session.logon', 'session.status'), wild)
  let id = 0
  await fc.assert(
    fc.asyncProperty(methods, values, async (method, sent) => {
      id += 1
      const before = texts.length
      socket.send(JSON.stringify({ id, method, params: signed(sent) }))
      await until(() => Promise.resolve(texts.length > before))
      const answer = JSON.parse(texts.at(-1) ?? '{}') as { id: number; status: number; error?: unknown }
      expect(answer.id).toBe(id)
      expect([200, 400]).toContain(answer.status)
      if (answer.status === 400) expect(answer.error).toMatchObject(refusal)
    }),
    { numRuns: 400 },
  )
  socket.close()
})

test('frames to streams are answered or refused, and never end the connection', async () => {
  const { socket, texts } = await connect(`${paper.root.replace('http', 'ws')}/binance-futures/ws`)
  const frames = fc.oneof(
    wild,
    fc.json(),
    fc
      .record({
        method: near('SUBSCRIBE', 'UNSUBSCRIBE', 'LIST_SUBSCRIPTIONS', 'SET_PROPERTY', 'GET_PROPERTY'),
        params: fc.oneof(fc.array(near('btcusdt@bookTicker', '!markPrice@arr', 'combined', '!')), wild),
        id: fc.oneof(fc.integer(), wild),
      })
      .map((frame) => JSON.stringify(frame)),
  )
  await fc.assert(
    fc.asyncProperty(frames, async (frame) => {
      const before = texts.length
      socket.send(frame)
      await until(() => Promise.resolve(texts.length > before))
      expect(socket.readyState).toBe(socket.OPEN)
    }),
    { numRuns: 200 },
  )
  socket.close()
})
