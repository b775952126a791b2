import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { accountRoutes } from '../../src/wire/binance-spot/account-routes.ts'
import { listRoutes } from '../../src/wire/binance-spot/list-routes.ts'
import { marketRoutes } from '../../src/wire/binance-spot/market-routes.ts'
import { orderRoutes } from '../../src/wire/binance-spot/order-routes.ts'
import { replaceRoutes } from '../../src/wire/binance-spot/replace-route.ts'
import { METHODS } from '../../src/wire/binance-spot/ws-methods.ts'
import { eventually } from '../contract/suite.ts'
import { ask, type Credentials, form, type Paper, sign, startPaper } from '../paper.ts'
import { openSocket, signedParams } from './socket-client.ts'

const NO_TAPE = { trades: () => [], minutes: () => [] }
const ROUTES = [
  ...marketRoutes(NO_TAPE, () => 1),
  ...accountRoutes,
  ...orderRoutes,
  ...listRoutes,
  ...replaceRoutes,
].map(([endpoint, { reads }]) => [endpoint, reads ?? []] as const)

let paper: Paper
let credentials: Credentials

beforeAll(async () => {
  paper = await startPaper({ PAPER_TICK_MS: '0', PAPER_LIMITS: 'off', LOG_LEVEL: 'fatal' })
  credentials = await paper.open({ USDT: '1000000', BTC: '10' })
})

afterAll(async () => await paper.stop())

async function send(endpoint: string, query: string, body?: Uint8Array | string) {
  const [method = '', path = ''] = endpoint.split(' ')
  const carries = method !== 'GET' && body !== undefined
  return await ask(`${paper.root}/binance${path}${query && `?${query}`}`, {
    method,
    headers: { 'X-MBX-APIKEY': credentials.apiKey, 'Content-Type': 'application/x-www-form-urlencoded' },
    ...(carries && { body: body as NonNullable<RequestInit['body']> }),
  })
}

function expectVenue({ status, body }: { status: number; body: unknown }): void {
  expect([200, 400, 401, 409]).toContain(status)
  if (status === 200) return
  expect(body).toMatchObject({ code: expect.any(Number), msg: expect.any(String) })
  expect((body as { code: number }).code).not.toBe(-1000)
}

const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    '9'.repeat(20),
    '9'.repeat(400),
    'NaN',
    'null',
    '__proto__',
    'constructor',
    '[]',
    '{}',
  ),
  fc.constantFrom(
    '["BTCUSDT"]',
    '["__proto__"]',
    '[[',
    'toString',
    '0.00000000000000000001',
    '\u0000',
    '%',
    '%E0%A4%A',
    '💥',
  ),
)
const plausible: Readonly<Record<string, readonly string[]>> = {
  symbol: ['BTCUSDT', 'ETHUSDT'],
  side: ['BUY', 'SELL'],
  type: ['LIMIT', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'LIMIT_MAKER'],
  aboveType: ['LIMIT_MAKER', 'STOP_LOSS', 'TAKE_PROFIT'],
  belowType: ['LIMIT_MAKER', 'STOP_LOSS', 'TAKE_PROFIT_LIMIT'],
  timeInForce: ['GTC', 'IOC', 'FOK'],
  quantity: ['0.01', '1', '100000', '0.00001'],
  quoteOrderQty: ['10', '0.00000001', '1000000000'],
  price: ['59000', '61000', '1', '999999'],
  abovePrice: ['65000', '55000'],
  belowPrice: ['65000', '55000'],
  aboveStopPrice: ['65000'],
  belowStopPrice: ['55000'],
  stopPrice: ['59000', '61000'],
  trailingDelta: ['10', '2000'],
  interval: ['1m', '1M'],
  cancelReplaceMode: ['STOP_ON_FAILURE', 'ALLOW_FAILURE'],
  limit: ['1', '1000'],
  orderId: ['4000000001', '1'],
}

const paramsOf = (names: readonly string[]) =>
  fc.record(
    Object.fromEntries(
      [...names, 'recvWindow', 'anything'].map((name) => [
        name,
        fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom(...(plausible[name] ?? ['1'])) },
          { weight: 1, arbitrary: odd },
        ),
      ]),
    ),
    { requiredKeys: [] },
  )

describe('input of any kind gets an answer of the venue', () => {
  test.each(ROUTES)('at %s', async (endpoint, reads) => {
    await fc.assert(
      fc.asyncProperty(paramsOf(reads), fc.boolean(), fc.nat(4), async (values, inBody, dice) => {
        const { anything: _anything, ...rest } = values
        const payload = form((dice === 0 ? values : rest) as Record<string, string>)
        const signed = `${payload}&signature=${sign(credentials, payload)}`
        const isGet = endpoint.startsWith('GET')
        const isPublic = endpoint.includes('/api/v3/') && isGet && marketNames.has(endpoint)
        const plain = new URLSearchParams(rest as Record<string, string>).toString()
        if (isPublic) expectVenue(await send(endpoint, plain))
        else expectVenue(inBody && !isGet ? await send(endpoint, '', signed) : await send(endpoint, signed))
      }),
      { numRuns: 40 },
    )
  })

  test.each(ROUTES)('twice the same name at %s', async (endpoint) => {
    const payload = `${form({ symbol: 'BTCUSDT' })}&symbol=ETHUSDT`
    const answer = await send(endpoint, `${payload}&signature=${sign(credentials, payload)}`)
    expect(answer).toMatchObject({ status: 400, body: { code: -1101 } })
  })

  test.each(ROUTES.filter(([endpoint]) => !endpoint.startsWith('GET')))('bytes at %s', async (endpoint) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const body = Buffer.concat([
          Buffer.from(`${form({ symbol: 'BTCUSDT' })}&newClientOrderId=`),
          Buffer.from(bytes),
        ])
        const signature = createHmac('sha256', credentials.secret).update(body).digest('hex')
        const signed = Buffer.concat([body, Buffer.from(`&signature=${signature}`)])
        expectVenue(await send(endpoint, '', signed))
      }),
      { numRuns: 10 },
    )
  })
})

const marketNames = new Set(marketRoutes(NO_TAPE, () => 1).map(([endpoint]) => endpoint))

describe('frames of any kind get an answer of the venue', () => {
  const read = new Map(ROUTES)
  test.each([...METHODS])('with the method %s', async (method, endpoint) => {
    const client = await openSocket(paper, '/binance/ws-api/v3')
    await fc.assert(
      fc.asyncProperty(paramsOf(read.get(endpoint) ?? []), async (values) => {
        const answer = await client.ask(method, signedParams(credentials, values as Record<string, string>))
        const { status, error, result } = answer as { status: number; error?: unknown; result?: unknown }
        expectVenue({ status, body: error ?? result })
      }),
      { numRuns: 10 },
    )
    client.close()
  })

  test('with no sense at all', async () => {
    const client = await openSocket(paper, '/binance/ws-api/v3')
    const streams = await openSocket(paper, '/binance/ws')
    const nonsense = fc.sample(
      fc.oneof(fc.string(), fc.json(), fc.constantFrom('null', '[]', '{}', '1', '""')),
      200,
    )
    for (const text of nonsense) {
      client.socket.send(text)
      streams.socket.send(text)
    }
    await eventually(
      () => [client.frames.length, streams.frames.length],
      ([a, b]) => a === 200 && b === 200,
    )
    for (const { error } of client.frames) expect(error).toMatchObject({ code: expect.any(Number) })
    client.close()
    streams.close()
  })
})
