import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { eventually } from '../contract/suite.ts'
import { type Credentials, call, type Paper, startPaper } from '../paper.ts'
import { openSocket, type SocketClient, signedParams } from './socket-client.ts'

let paper: Paper
let credentials: Credentials
let open: SocketClient[] = []

beforeAll(async () => {
  paper = await startPaper({ PAPER_TICK_MS: '0', PAPER_LIMITS: 'off' })
})

beforeEach(async () => {
  credentials = await paper.open({ USDT: '100000', BTC: '2' })
})

afterEach(async () => {
  for (const client of open) client.close()
  open = []
  await paper.control('DELETE', 'prices/BTCUSDT')
  await paper.control('DELETE', 'faults')
})

afterAll(async () => await paper.stop())

async function connect(path: string): Promise<SocketClient> {
  const client = await openSocket(paper, path)
  open.push(client)
  return client
}

const LIMIT = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.01',
  price: '59000',
}
const place = async (values = {}) =>
  await call(paper, credentials, 'POST', '/api/v3/order', { ...LIMIT, ...values })
const pin = async (bid: string, ask: string) => await paper.control('PUT', 'prices/BTCUSDT', { bid, ask })

type Event = Readonly<Record<string, unknown>>
const eventsOf = ({ frames }: SocketClient) =>
  frames.flatMap((frame) => (frame['event'] === undefined ? [] : [frame['event'] as Event]))
const kinds = (client: SocketClient) =>
  eventsOf(client).map((event) => event['x'] ?? event['l'] ?? event['e'])

async function listening(): Promise<SocketClient> {
  const client = await connect('/binance/ws-api/v3')
  const answer = await client.ask('userDataStream.subscribe.signature', signedParams(credentials, {}))
  expect(answer).toMatchObject({ status: 200, result: { subscriptionId: 0 } })
  return client
}

describe('the stream of an account reports', () => {
  test('that an order rests, and the amount it locks', async () => {
    const client = await listening()
    await place({ newClientOrderId: 'tRest' })
    await eventually(
      () => eventsOf(client).length,
      (length) => length >= 2,
    )
    const [report, position] = eventsOf(client)
    expect(report).toMatchObject({
      e: 'executionReport',
      s: 'BTCUSDT',
      c: 'tRest',
      C: '',
      S: 'BUY',
      o: 'LIMIT',
      f: 'GTC',
      q: '0.01000000',
      p: '59000.00000000',
      x: 'NEW',
      X: 'NEW',
      w: true,
      g: -1,
      t: -1,
      N: null,
      z: '0.00000000',
    })
    expect(position).toMatchObject({
      e: 'outboundAccountPosition',
      u: report?.['T'],
      B: [{ a: 'USDT', f: '99410.00000000', l: '590.00000000' }],
    })
  })

  test('every fill with its price and its fee', async () => {
    const client = await listening()
    await place({ type: 'MARKET', side: 'SELL', timeInForce: undefined, price: undefined } as never)
    await call(paper, credentials, 'POST', '/api/v3/order', {
      symbol: 'BTCUSDT',
      side: 'SELL',
      type: 'MARKET',
      quantity: '0.01',
    })
    const trade = await eventually(
      () => eventsOf(client).find((event) => event['x'] === 'TRADE'),
      (event) => event !== undefined,
    )
    expect(trade).toMatchObject({
      X: 'FILLED',
      l: '0.01000000',
      z: '0.01000000',
      L: '59999.90000000',
      n: '0.59999900',
      N: 'USDT',
      m: false,
      Z: '599.99900000',
      Y: '599.99900000',
    })
  })

  test('a cancel under a name of its own', async () => {
    const client = await listening()
    await place({ newClientOrderId: 'tGone' })
    await call(paper, credentials, 'DELETE', '/api/v3/order', {
      symbol: 'BTCUSDT',
      origClientOrderId: 'tGone',
      newClientOrderId: 'tCancel',
    })
    const report = await eventually(
      () => eventsOf(client).find((event) => event['x'] === 'CANCELED'),
      (event) => event !== undefined,
    )
    expect(report).toMatchObject({ c: 'tCancel', C: 'tGone', X: 'CANCELED', w: false })
  })

  test('the life of a list', async () => {
    const client = await listening()
    await call(paper, credentials, 'POST', '/api/v3/orderList/oco', {
      symbol: 'BTCUSDT',
      side: 'SELL',
      quantity: '0.01',
      aboveType: 'LIMIT_MAKER',
      abovePrice: '65000',
      belowType: 'STOP_LOSS',
      belowStopPrice: '55000',
    })
    await eventually(
      () => kinds(client),
      (seen) => seen.includes('EXEC_STARTED'),
    )
    await pin('54999.9', '55000.1')
    const seen = await eventually(
      () => kinds(client),
      (all) => all.includes('ALL_DONE'),
    )
    expect(seen).toEqual(expect.arrayContaining(['EXEC_STARTED', 'NEW', 'EXPIRED', 'TRADE', 'ALL_DONE']))
  })

  test('that a list was taken with both of its orders, and ends with either', async () => {
    const client = await listening()
    const { body } = await call(paper, credentials, 'POST', '/api/v3/orderList/oco', {
      symbol: 'BTCUSDT',
      side: 'SELL',
      quantity: '0.01',
      aboveType: 'LIMIT_MAKER',
      abovePrice: '65000',
      aboveClientOrderId: 'tAbove',
      belowType: 'STOP_LOSS',
      belowStopPrice: '55000',
      belowClientOrderId: 'tBelow',
    })
    const { orders, orderListId } = body as { orders: { orderId: number; clientOrderId: string }[] } & Event
    await call(paper, credentials, 'DELETE', '/api/v3/order', {
      symbol: 'BTCUSDT',
      origClientOrderId: 'tBelow',
      newClientOrderId: 'tCancel',
    })
    await eventually(
      () => kinds(client),
      (seen) => seen.includes('ALL_DONE'),
    )
    const legs = orders.map(({ orderId, clientOrderId }) => ({ s: 'BTCUSDT', i: orderId, c: clientOrderId }))
    const expected = { s: 'BTCUSDT', g: orderListId, c: 'OCO', r: 'NONE', O: legs }
    const events = eventsOf(client)
    expect(events.filter(({ e }) => e === 'listStatus')).toMatchObject([
      { ...expected, l: 'EXEC_STARTED', L: 'EXECUTING' },
      { ...expected, l: 'ALL_DONE', L: 'ALL_DONE' },
    ])
    const reports = (x: string) =>
      events.filter((event) => event['x'] === x).map(({ i, c, C, g }) => ({ i, c, C, g }))
    const g = orderListId
    expect(reports('NEW')).toEqual(expect.arrayContaining(legs.map(({ i, c }) => ({ i, c, C: '', g }))))
    expect(reports('CANCELED')).toEqual(
      expect.arrayContaining(legs.map(({ i, c }) => ({ i, c: 'tCancel', C: c, g }))),
    )
  })

  test('the changes of a reset', async () => {
    const client = await listening()
    await paper.control('POST', `accounts/${credentials.apiKey}/reset`, { balances: { USDT: '5' } })
    const seen = await eventually(
      () => eventsOf(client).filter((event) => event['e'] === 'balanceUpdate'),
      (events) => events.length >= 2,
    )
    expect(seen).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ a: 'USDT', d: '-99995.00000000' }),
        expect.objectContaining({ a: 'BTC', d: '-2.00000000' }),
      ]),
    )
  })

  test('nothing of other accounts', async () => {
    const client = await listening()
    credentials = await paper.open()
    await place({ quantity: '0.001' })
    expect((await client.ask('ping'))['status']).toBe(200)
    expect(eventsOf(client)).toEqual([])
  })

  test('nothing more once it is unsubscribed', async () => {
    const client = await listening()
    expect(await client.ask('userDataStream.unsubscribe', { subscriptionId: 0 })).toMatchObject({
      status: 200,
      result: {},
    })
    await place()
    expect((await client.ask('ping'))['status']).toBe(200)
    expect(eventsOf(client)).toEqual([])
  })

  test('itself to many clients, and many accounts to one', async () => {
    const [one, two] = [await listening(), await listening()]
    const other = await paper.open({ USDT: '1000' })
    const answer = await one.ask('userDataStream.subscribe.signature', signedParams(other, {}))
    expect(answer).toMatchObject({ result: { subscriptionId: 1 } })
    await call(paper, other, 'POST', '/api/v3/order', { ...LIMIT, quantity: '0.001' })
    await place()
    await eventually(
      () => [eventsOf(one).length, eventsOf(two).length],
      ([a = 0, b = 0]) => a >= 4 && b >= 2,
    )
    expect(one.frames.map((frame) => frame['subscriptionId']).filter((id) => id !== undefined)).toEqual([
      1, 1, 0, 0,
    ])
  })
})

describe('a socket refuses', () => {
  test('a second subscription of the same account, and the end of one that is not there', async () => {
    const client = await listening()
    const again = await client.ask('userDataStream.subscribe.signature', signedParams(credentials, {}))
    expect(again).toMatchObject({ status: 400, error: { code: -2035 } })
    const gone = await client.ask('userDataStream.unsubscribe', { subscriptionId: 9 })
    expect(gone).toMatchObject({ error: { code: -2036, msg: 'User Data Stream subscription not active.' } })
  })

  test('a session for a key that cannot have one', async () => {
    const client = await connect('/binance/ws-api/v3')
    expect(await client.ask('session.logon', signedParams(credentials, {}))).toMatchObject({
      status: 400,
      error: { code: -4056, msg: 'HMAC_SHA256 API key is not supported.' },
    })
  })

  test('malformed requests, and a method it does not know', async () => {
    const client = await connect('/binance/ws-api/v3')
    client.socket.send('not json')
    await eventually(
      () => client.frames.length,
      (length) => length === 1,
    )
    expect(client.frames[0]).toMatchObject({
      id: null,
      status: 400,
      error: { code: -1135, msg: 'Invalid JSON Request' },
    })
    expect((await client.ask('order.guess'))['status']).toBeGreaterThanOrEqual(400)
  })

  test('limits in its answers when they are not wanted', async () => {
    const client = await connect('/binance/ws-api/v3')
    expect(await client.ask('time', { returnRateLimits: false })).not.toHaveProperty('rateLimits')
    expect(await client.ask('time')).toHaveProperty('rateLimits')
  })
})

describe('a public stream', () => {
  test('is wrapped on a combined connection and bare on a raw one', async () => {
    const combined = await connect('/binance/stream?streams=btcusdt@bookTicker/ethusdt@bookTicker')
    const raw = await connect('/binance/ws/btcusdt@bookTicker')
    await eventually(
      () => [combined.frames.length, raw.frames.length],
      ([a = 0, b = 0]) => a >= 2 && b >= 1,
    )
    expect(combined.frames[0]).toMatchObject({
      stream: 'btcusdt@bookTicker',
      data: { s: 'BTCUSDT', b: '59999.90000000', a: '60000.10000000' },
    })
    expect(raw.frames[0]).toMatchObject({ s: 'BTCUSDT', b: '59999.90000000' })
  })

  test('begins with a request and ends with one', async () => {
    const client = await connect('/binance/ws')
    expect(await client.ask('SUBSCRIBE', ['btcusdt@bookTicker'])).toMatchObject({ result: null })
    expect(await client.ask('LIST_SUBSCRIPTIONS')).toMatchObject({ result: ['btcusdt@bookTicker'] })
    await pin('61000', '61000.5')
    await eventually(
      () => client.frames.at(-1)?.['b'],
      (bid) => bid === '61000.00000000',
    )
    await client.ask('UNSUBSCRIBE', ['btcusdt@bookTicker'])
    const before = client.frames.length
    await pin('62000', '62000.5')
    expect(await client.ask('LIST_SUBSCRIPTIONS')).toMatchObject({ result: [] })
    expect(client.frames).toHaveLength(before + 1)
  })

  test('of reference prices sends the last price', async () => {
    await pin('61000', '61000.5')
    const client = await connect('/binance/ws/btcusdt@referencePrice')
    const [frame] = await eventually(
      () => client.frames,
      ({ length }) => length >= 1,
    )
    expect(frame).toEqual({
      e: 'referencePrice',
      s: 'BTCUSDT',
      r: expect.stringMatching(/^6100/),
      t: expect.any(Number),
    })
  })

  test('of few levels has as many', async () => {
    const client = await connect('/binance/ws/btcusdt@depth5@100ms')
    await eventually(
      () => client.frames.length,
      (length) => length >= 1,
    )
    const { bids, asks } = client.frames[0] as { bids?: unknown[]; asks?: unknown[] }
    expect([bids?.length, asks?.length]).toEqual([5, 5])
  })

  test('of trades shows the taker', async () => {
    const client = await connect('/binance/ws/btcusdt@trade')
    await client.ask('LIST_SUBSCRIPTIONS')
    await call(paper, credentials, 'POST', '/api/v3/order', {
      symbol: 'BTCUSDT',
      side: 'SELL',
      type: 'MARKET',
      quantity: '0.01',
    })
    const trade = await eventually(
      () => client.frames.find(({ e }) => e === 'trade'),
      (frame) => frame !== undefined,
    )
    expect(trade).toMatchObject({ s: 'BTCUSDT', p: '59999.90000000', q: '0.01000000', m: true })
  })

  test('that does not exist is refused', async () => {
    const client = await connect('/binance/ws')
    expect(await client.ask('SUBSCRIBE', ['nope@bookTicker'])).toMatchObject({ error: { code: 2 } })
    expect(await client.ask('SUBSCRIBE', 'btcusdt@trade')).toMatchObject({ error: { code: 2 } })
    expect(await client.ask('GUESS')).toMatchObject({ error: { code: 2 } })
  })

  test('outlives a method that has no text of its own', async () => {
    const client = await connect('/binance/ws')
    client.socket.send(JSON.stringify({ id: 7, method: { toString: false } }))
    const [refused] = await eventually(
      () => client.frames,
      ({ length }) => length === 1,
    )
    const msg = expect.stringContaining('unknown variant `{"toString":false}`')
    expect(refused).toMatchObject({ id: 7, error: { code: 2, msg } })
  })
})

describe('an order over a socket', () => {
  test('is journaled and bent by faults like one over HTTP', async () => {
    const client = await connect('/binance/ws-api/v3')
    const order = async (id: string) =>
      await client.ask('order.place', signedParams(credentials, { ...LIMIT, newClientOrderId: id }))
    expect(await order('tFirst')).toMatchObject({ status: 200, result: { clientOrderId: 'tFirst' } })
    const match = { wire: 'binance-spot', apiKey: credentials.apiKey }
    await paper.control('POST', 'faults', { match, action: 'reject', code: -1008, count: 1 })
    expect(await order('tSecond')).toMatchObject({ status: 503, error: { code: -1008 } })
    expect(await paper.journal(credentials.apiKey)).toMatchObject([
      { transport: 'ws', op: 'place', clientOrderId: 'tFirst', outcome: 'accepted', wire: 'binance-spot' },
      { transport: 'ws', op: 'place', clientOrderId: 'tSecond', outcome: 'rejected', code: -1008 },
    ])
  })
})
