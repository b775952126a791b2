import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { WebsocketClient } from 'binance'
import { QUIET } from '../contract/quiet.ts'
import { type Credentials, call, type Paper, startPaper } from '../paper.ts'
import { connect } from '../socket-rig.ts'
import { until } from '../until.ts'

type Client = Awaited<ReturnType<typeof connect>>
type Event = Record<string, unknown> & { e?: string; o?: Record<string, unknown> }

let paper: Paper
let credentials: Credentials
let open: Client[] = []

beforeAll(async () => {
  paper = await startPaper({ PAPER_TICK_MS: '0', PAPER_LIMITS: 'off' })
})

beforeEach(async () => {
  credentials = await paper.open({ USDT: '100000' })
})

afterEach(async () => {
  for (const { socket } of open) socket.terminate()
  open = []
  await paper.control('DELETE', 'prices/BTCUSDT')
  await paper.control('DELETE', 'faults')
})

afterAll(async () => await paper.stop())

async function join(path: string): Promise<Client> {
  const client = await connect(`${paper.root.replace('http', 'ws')}/binance-futures${path}`)
  open.push(client)
  return client
}

async function listenKey(): Promise<string> {
  const { body } = await call(paper, credentials, 'POST', '/fapi/v1/listenKey')
  return (body as { listenKey: string }).listenKey
}

const listening = async () => await join(`/private/ws?listenKey=${await listenKey()}`)
const eventsOf = ({ texts }: Client): Event[] => texts.map((text) => JSON.parse(text) as Event)
const kindsOf = (client: Client) => eventsOf(client).map(({ e, o }) => (o ? `${e} ${o['X']}` : e))
const received = async (client: Client, last: string) =>
  await until(() => Promise.resolve(kindsOf(client).includes(last)))

const pin = async (bid: string, ask: string) => await paper.control('PUT', 'prices/BTCUSDT', { bid, ask })
const order = async (values: Record<string, string> = {}) => {
  const usual = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' }
  const answer = await call(paper, credentials, 'POST', '/fapi/v1/order', { ...usual, ...values })
  expect(answer.status).toBe(200)
}
const algo = async (values: Record<string, string> = {}) => {
  const stop = { algoType: 'CONDITIONAL', symbol: 'BTCUSDT', side: 'SELL', type: 'STOP_MARKET' }
  const usual = { ...stop, quantity: '0.01', triggerPrice: '58000', clientAlgoId: 'sStop' }
  const answer = await call(paper, credentials, 'POST', '/fapi/v1/algoOrder', { ...usual, ...values })
  expect(answer.status).toBe(200)
}

describe('the stream of an account reports', () => {
  test('that an order came and was filled, its cost and the position', async () => {
    const client = await listening()
    await order({ newClientOrderId: 'sMarket' })
    await received(client, 'ACCOUNT_UPDATE')
    await received(client, 'ORDER_TRADE_UPDATE FILLED')
    const trade = eventsOf(client).find(({ o }) => o?.['X'] === 'FILLED')?.o
    expect(kindsOf(client)).toEqual([
      'TRADE_LITE',
      'ORDER_TRADE_UPDATE NEW',
      'ACCOUNT_UPDATE',
      'ORDER_TRADE_UPDATE FILLED',
    ])
    expect(eventsOf(client)[1]?.o).toMatchObject({ p: '0', ap: '0', l: '0', n: '0', N: 'USDT' })
    expect(eventsOf(client)[0]).toMatchObject({ p: '0.00', L: '60000.10' })
    expect(trade).toMatchObject({
      s: 'BTCUSDT',
      c: 'sMarket',
      S: 'BUY',
      o: 'MARKET',
      x: 'TRADE',
      q: '0.01',
      l: '0.01',
      z: '0.01',
      L: '60000.1',
      ap: '60000.1',
      n: '0.3000005',
      N: 'USDT',
      m: false,
      R: false,
      ps: 'BOTH',
      rp: '0',
    })
    const account = eventsOf(client).find(({ e }) => e === 'ACCOUNT_UPDATE')?.['a']
    expect(account).toMatchObject({
      m: 'ORDER',
      B: [{ a: 'USDT', wb: '99999.6999995' }],
      P: [{ s: 'BTCUSDT', pa: '0.01', ep: '60000.1', mt: 'cross', ps: 'BOTH' }],
    })
  })

  test('every step of a stop that triggers', async () => {
    await order()
    const client = await listening()
    await algo({ reduceOnly: 'true' })
    await pin('57899.9', '57900.1')
    await received(client, 'ALGO_UPDATE FINISHED')
    const steps = kindsOf(client).filter((kind) => kind?.startsWith('ALGO_UPDATE'))
    expect(steps).toEqual(['NEW', 'TRIGGERING', 'TRIGGERED', 'FINISHED'].map((step) => `ALGO_UPDATE ${step}`))
    const last = eventsOf(client).findLast(({ e }) => e === 'ALGO_UPDATE')?.o
    expect(last).toMatchObject({
      caid: 'sStop',
      ai: expect.stringMatching(/^\d+$/),
      aq: '0.01',
      act: 'MARKET',
    })
    expect(kindsOf(client)).toContain('ORDER_TRADE_UPDATE FILLED')
  })

  test('that a stop was canceled, which never entered the matching engine', async () => {
    const client = await listening()
    await algo()
    await call(paper, credentials, 'DELETE', '/fapi/v1/algoOrder', { clientAlgoId: 'sStop' })
    await received(client, 'ALGO_UPDATE CANCELED')
    const [placed, canceled] = eventsOf(client).flatMap(({ o }) => (o === undefined ? [] : [o]))
    expect(placed).toMatchObject({ caid: 'sStop', X: 'NEW', ai: '', rm: '', ia: false })
    expect(canceled).toMatchObject({ caid: 'sStop', aid: placed?.['aid'], X: 'CANCELED', ai: '' })
    for (const field of ['ap', 'aq', 'act']) expect(canceled).not.toHaveProperty(field)
  })

  test('that a stop was canceled once it had become an order, by both', async () => {
    await order()
    const client = await listening()
    await algo({ type: 'STOP', price: '59000', reduceOnly: 'true' })
    await pin('57899.9', '57900.1')
    await received(client, 'ORDER_TRADE_UPDATE NEW')
    await call(paper, credentials, 'DELETE', '/fapi/v1/allOpenOrders', { symbol: 'BTCUSDT' })
    await received(client, 'ALGO_UPDATE FINISHED')
    const [child, finished] = eventsOf(client)
      .flatMap(({ o }) => (o === undefined ? [] : [o]))
      .slice(-2)
    expect(child).toMatchObject({ c: 'sStop', x: 'CANCELED', X: 'CANCELED', z: '0' })
    expect(finished).toMatchObject({ caid: 'sStop', ai: `${child?.['i']}`, aq: '0', ia: true })
  })

  test('that a stop hangs at its trigger', async () => {
    const client = await listening()
    await algo()
    await paper.control('POST', 'faults', { match: { symbol: 'BTCUSDT' }, action: 'stuck-trigger' })
    await pin('57899.9', '57900.1')
    await received(client, 'ALGO_UPDATE TRIGGERING')
    const found = await call(paper, credentials, 'GET', '/fapi/v1/algoOrder', { clientAlgoId: 'sStop' })
    expect(found.body).toMatchObject({ algoStatus: 'TRIGGERING', actualOrderId: '' })
  })

  test('that a stop was refused at its trigger', async () => {
    const client = await listening()
    await algo({ quantity: '100' })
    await pin('57899.9', '57900.1')
    await received(client, 'CONDITIONAL_ORDER_TRIGGER_REJECT')
    const rejected = eventsOf(client).find(({ o }) => o?.['X'] === 'REJECTED')?.o
    expect(rejected).toMatchObject({ rm: 'Margin is insufficient.', ai: '' })
  })

  test('its settings, and that an order was canceled', async () => {
    const client = await listening()
    await call(paper, credentials, 'POST', '/fapi/v1/leverage', { symbol: 'BTCUSDT', leverage: 7 })
    await order({ type: 'LIMIT', timeInForce: 'GTC', price: '59000' })
    await call(paper, credentials, 'DELETE', '/fapi/v1/allOpenOrders', { symbol: 'BTCUSDT' })
    await received(client, 'ORDER_TRADE_UPDATE CANCELED')
    expect(eventsOf(client)[0]).toMatchObject({ e: 'ACCOUNT_CONFIG_UPDATE', ac: { s: 'BTCUSDT', l: 7 } })
  })

  test('that its margin runs out', async () => {
    credentials = await paper.open({ USDT: '20000' })
    await call(paper, credentials, 'POST', '/fapi/v1/leverage', { symbol: 'BTCUSDT', leverage: 50 })
    await order({ quantity: '15' })
    const client = await listening()
    for (let price = 59_500; price > 58_900; price -= 10) await pin(`${price}`, `${price + 1}`)
    await received(client, 'MARGIN_CALL')
    const position = { s: 'BTCUSDT', ps: 'BOTH', pa: '15', mt: 'CROSSED' }
    expect(eventsOf(client).find(({ e }) => e === 'MARGIN_CALL')).toMatchObject({ p: [position] })
  })

  test('it all on every kind of path, and nothing more once its key expired', async () => {
    const key = await listenKey()
    const paths = [
      `/private/ws/${key}`,
      `/private/stream?listenKey=${key}`,
      `/ws/${key}`,
      `/stream?streams=${key}`,
    ]
    const clients = await Promise.all(paths.map(join))
    await order()
    for (const client of clients) await until(() => Promise.resolve(client.texts.length > 0))
    expect(eventsOf(clients[1] as Client)[0]).toMatchObject({ stream: key, data: { e: expect.any(String) } })
    await paper.control('POST', 'faults', {
      match: { apiKey: credentials.apiKey },
      action: 'expire-listen-key',
    })
    await received(clients[0] as Client, 'listenKeyExpired')
    const renewed = await call(paper, credentials, 'PUT', '/fapi/v1/listenKey')
    expect(renewed).toMatchObject({
      status: 400,
      body: { code: -1125, msg: 'This listenKey does not exist.' },
    })
  })

  test('the same to the binance SDK', async () => {
    const wsUrl = `${paper.root.replace('http', 'ws')}/binance-futures`
    const { apiKey, secret } = credentials
    const restOptions = { baseUrl: `${paper.root}/binance-futures`, disableTimeSync: true }
    const sdk = new WebsocketClient({ api_key: apiKey, api_secret: secret, wsUrl, restOptions }, QUIET)
    const timers = jest.spyOn(globalThis, 'setInterval')
    const events: unknown[] = []
    sdk.on('message', (event) => events.push(event))
    sdk.on('exception', () => undefined)
    await sdk.subscribeUsdFuturesUserDataStream('usdmPrivate')
    await order()
    await until(() => Promise.resolve(JSON.stringify(events).includes('ORDER_TRADE_UPDATE')))
    sdk.closeAll(true)
    // The SDK never ends the timer that prolongs its key, which would keep the runner from ending.
    for (const { value } of timers.mock.results) clearInterval(value as NodeJS.Timeout)
    timers.mockRestore()
    expect(JSON.stringify(events)).toContain('"FILLED"')
  })
})

describe('the stream of a market reports', () => {
  test('its prices to subscribers, and nothing to those who left', async () => {
    const client = await join('/public/ws')
    client.socket.send(JSON.stringify({ method: 'SUBSCRIBE', params: ['btcusdt@bookTicker'], id: 1 }))
    await received(client, 'bookTicker')
    await pin('60999.9', '61000.1')
    await until(() =>
      Promise.resolve(eventsOf(client).some(({ e, b }) => e === 'bookTicker' && b === '60999.90')),
    )
    expect(eventsOf(client)).toContainEqual({ result: null, id: 1 })
    client.socket.send(JSON.stringify({ method: 'UNSUBSCRIBE', params: ['btcusdt@bookTicker'], id: 2 }))
    await until(() => Promise.resolve(eventsOf(client).some(({ id }) => id === 2)))
    const before = client.texts.length
    await pin('61999.9', '62000.1')
    await order()
    expect(client.texts).toHaveLength(before)
  })

  test('everything else there is, each by its name', async () => {
    const names = [
      '!markPrice@arr@1s',
      'btcusdt@ticker',
      'btcusdt@miniTicker',
      'btcusdt@depth5@100ms',
      'btcusdt@kline_1m',
    ]
    const client = await join(
      `/market/stream?streams=${[...names, 'btcusdt@trade', 'btcusdt@aggTrade'].join('/')}`,
    )
    await order()
    const streams = () => new Set(eventsOf(client).map(({ stream }) => stream))
    await until(() => Promise.resolve(streams().size === names.length + 2))
    const trade = eventsOf(client).find(({ stream }) => stream === 'btcusdt@trade')
    expect(trade).toMatchObject({ data: { e: 'trade', p: '60000.10', q: '0.010', m: false } })
  })

  test('that a name or a frame is wrong', async () => {
    const client = await join('/ws')
    const frames = ['{', { method: 'SUBSCRIBE', params: ['nope@nothing'], id: 1 }, { method: 'DANCE', id: 2 }]
    for (const frame of frames) client.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
    await until(() => Promise.resolve(client.texts.length === 3))
    expect(eventsOf(client).map(({ error }) => (error as { code: number }).code)).toEqual([3, 2, 2])
  })
})
