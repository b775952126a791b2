import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ROUTES } from '../../src/wire/bybit/catalogue.ts'
import { type Credentials, type Paper, startPaper } from '../paper.ts'
import { auth, open, type Reply, send, signed } from './raw-client.ts'

let paper: Paper
let credentials: Credentials

beforeAll(async () => {
  paper = await startPaper({ PAPER_TICK_MS: '0', PAPER_LIMITS: 'off', LOG_LEVEL: 'fatal' })
  credentials = await paper.open({ USDT: '100000', BTC: '2' })
})

afterAll(async () => await paper.stop())

const NAMES = [
  ...['category', 'symbol', 'side', 'orderType', 'qty', 'price', 'timeInForce', 'orderLinkId', 'orderId'],
  ...[
    'reduceOnly',
    'closeOnTrigger',
    'positionIdx',
    'triggerPrice',
    'triggerDirection',
    'triggerBy',
    'takeProfit',
  ],
  ...['stopLoss', 'tpslMode', 'tpOrderType', 'tpLimitPrice', 'tpSize', 'slSize', 'orderFilter', 'marketUnit'],
  ...['limit', 'cursor', 'startTime', 'endTime', 'openOnly', 'settleCoin', 'baseCoin', 'coin', 'accountType'],
  ...[
    'buyLeverage',
    'sellLeverage',
    'mode',
    'setMarginMode',
    'margin',
    'trailingStop',
    'activePrice',
    'interval',
  ],
  ...[
    'request',
    'timeWindow',
    'autoAddMargin',
    'status',
    'execType',
    'orderStatus',
    '__proto__',
    'constructor',
  ],
]
const LIKELY = [
  ...['linear', 'spot', 'inverse', 'option', 'BTCUSDT', 'ETHUSDT', '1000PEPEUSDT', 'Buy', 'Sell', 'Market'],
  ...[
    'Limit',
    'GTC',
    'IOC',
    'FOK',
    'PostOnly',
    '0',
    '1',
    '2',
    '3',
    '0.01',
    '58000',
    '60100',
    '62000',
    '59000',
  ],
  ...['Full', 'Partial', 'StopOrder', 'tpslOrder', 'USDT', 'UNIFIED', 'FUND', '10', '20', 'ISOLATED_MARGIN'],
  ...[
    '1e5',
    '-1',
    '99999999999999999999',
    '0.000000000001',
    '',
    ' ',
    'NaN',
    '%',
    'toString',
    'D',
    'MarkPrice',
  ],
]

const text = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...LIKELY) }, fc.string())
const value = fc.oneof(
  { weight: 6, arbitrary: text },
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue(),
)
const fields = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 12 })
const named = fc.record(
  { category: fc.constantFrom('linear', 'spot'), symbol: fc.constant('BTCUSDT') },
  { requiredKeys: [] },
)

// The venue's own words, whatever came: never a fault, never another form.
function expectEnvelope({ status, body }: Reply): void {
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(['result', 'retCode', 'retExtInfo', 'retMsg', 'time'])
  expect(body.retCode).not.toBe(10016)
}

async function ask(method: string, path: string, values: Readonly<Record<string, unknown>>): Promise<Reply> {
  const bytes = method === 'GET' ? queryOf(values) : JSON.stringify(values)
  return await send(paper, method, path, bytes, signed(credentials, bytes))
}

function textOf(one: unknown): string {
  return typeof one === 'string' ? one : JSON.stringify(one)
}

function queryOf(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, one]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(one).toWellFormed())}`)
    .join('&')
}

describe('any request is answered in the words of the venue', () => {
  test.each([...ROUTES.keys()])('%s', async (name) => {
    const [method = '', path = ''] = name.split(' ')
    const request = fc.array(
      fc.tuple(fields, named).map(([any, some]) => ({ ...any, ...some })),
      { maxLength: 3 },
    )
    const body = fc.tuple(fields, named, fc.option(request, { nil: undefined })).map(([any, some, list]) => ({
      ...any,
      ...some,
      ...(list && { request: list }),
    }))
    const run = fc.asyncProperty(body, async (values) => expectEnvelope(await ask(method, path, values)))
    await fc.assert(run, { numRuns: 60 })
  })

  test('a body that is no JSON object', async () => {
    for (const body of ['', '{', '[]', '"text"', 'null', '\u0000', '{"a":']) {
      const answer = await send(paper, 'POST', '/v5/order/create', body, signed(credentials, body))
      expect(answer).toMatchObject({ status: 200, body: { retCode: 10001 } })
    }
  })

  test('a path or a method that is not there', async () => {
    expect(await send(paper, 'GET', '/v5/nope', '')).toMatchObject({ status: 404, body: { retCode: 10017 } })
    expect(await send(paper, 'POST', '/v5/market/time', '{}')).toMatchObject({ status: 404 })
  })
})

test.each(['/v5/private', '/v5/trade', '/v5/public/linear', '/v5/public/spot'])(
  '%s answers every frame, and lives on',
  async (path) => {
    const socket = await open(paper, path)
    if (!path.includes('public')) await socket.ask(auth(credentials))
    const op = fc.oneof(
      fc.constantFrom('auth', 'subscribe', 'unsubscribe', 'order.create', 'order.cancel-batch'),
      text,
    )
    const frame = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record(
          { op, args: fc.array(fc.oneof(text, fields)), reqId: text, header: fields },
          { requiredKeys: ['op'] },
        ),
      },
      { weight: 1, arbitrary: fc.jsonValue() },
      { weight: 1, arbitrary: fc.string() },
    )
    await fc.assert(
      fc.asyncProperty(frame, async (said) => {
        const before = socket.frames.length
        expect(await socket.ask(said)).toEqual(expect.any(Object))
        expect(socket.frames.length).toBeGreaterThan(before)
      }),
      { numRuns: 150 },
    )
    expect(
      await socket.ask({ op: 'ping' }, ({ op: said }) => said === 'pong' || said === 'ping'),
    ).toBeDefined()
    await socket.close()
  },
)
