import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '../contract/suite.ts'
import { type Credentials, type Paper, startPaper } from '../paper.ts'
import { BTC, nextId } from './kinds.ts'
import { auth, type Frame, get, open, post } from './raw-client.ts'

type Socket = Awaited<ReturnType<typeof open>>

let paper: Paper
let credentials: Credentials
const sockets: Socket[] = []

beforeAll(async () => {
  paper = await startPaper({ PAPER_TICK_MS: '0', PAPER_LIMITS: 'off' })
})

afterAll(async () => {
  for (const socket of sockets) await socket.close()
  await paper.stop()
})

async function connect(path: string): Promise<Socket> {
  const socket = await open(paper, path)
  sockets.push(socket)
  return socket
}

async function privately(topics: readonly string[], USDT = '100000'): Promise<Socket> {
  credentials = await paper.open({ USDT, BTC: '1' })
  const socket = await connect('/v5/private')
  await socket.ask(auth(credentials))
  expect(await socket.ask({ op: 'subscribe', args: topics })).toMatchObject({
    success: true,
    op: 'subscribe',
  })
  return socket
}

const ORDER = {
  category: 'linear',
  symbol: BTC,
  side: 'Buy',
  orderType: 'Limit',
  qty: '0.01',
  price: '58000',
}

async function place(values: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { body } = await post(paper, credentials, '/v5/order/create', { ...ORDER, ...values })
  expect(body.retMsg).toBe('OK')
  return `${body.result['orderId']}`
}

const pin = async (bid: string, ask: string) => await paper.control('PUT', `prices/${BTC}`, { bid, ask })
const unpin = async () => await paper.control('DELETE', `prices/${BTC}`)

function rows(frames: readonly Frame[]): Frame[] {
  return frames.flatMap(({ data }) => data as Frame[])
}

const statuses = (frames: readonly Frame[]): unknown[] => rows(frames).map(({ orderStatus }) => orderStatus)

describe('the private stream', () => {
  test('lets in who signs, and nobody else', async () => {
    credentials = await paper.open()
    const socket = await connect('/v5/private')
    const topics = { op: 'subscribe', args: ['order'], req_id: 'mine' }
    expect(await socket.ask(topics)).toMatchObject({ success: false, req_id: 'mine' })
    const wrong = auth({ ...credentials, secret: 'other' })
    expect(await socket.ask(wrong)).toMatchObject({ success: false, op: 'auth' })
    expect(await socket.ask(auth(credentials, Date.now() - 1))).toMatchObject({ success: false })
    expect(await socket.ask(auth(credentials))).toMatchObject({ success: true, ret_msg: '', op: 'auth' })
    expect(await socket.ask(topics)).toMatchObject({
      success: true,
      ret_msg: '',
      op: 'subscribe',
      req_id: 'mine',
    })
    expect(await socket.ask({ op: 'ping', req_id: 'p' })).toMatchObject({ op: 'pong', req_id: 'p' })
  })

  test('refuses topics that are unknown, or that mix all and one category', async () => {
    const socket = await privately(['wallet'])
    const refused = async (args: unknown) => await socket.ask({ op: 'subscribe', args })
    expect(await refused(['nope'])).toMatchObject({
      success: false,
      ret_msg: 'error:handler not found,topic:nope',
    })
    expect(await refused(['order', 'order.linear'])).toMatchObject({ success: false })
    expect(await refused([])).toMatchObject({ success: false })
    expect(await socket.ask('{')).toMatchObject({ success: false })
  })

  test('gives no snapshot, and after it each change once to a topic of its category', async () => {
    const socket = await privately(['order.linear', 'execution.fast', 'position', 'wallet'])
    await place({ category: 'spot' })
    await place({ price: '60100' })
    const orders = await socket.told('order.linear', 2)
    expect(statuses(orders)).toEqual(['New', 'Filled'])
    expect(orders[0]).toMatchObject({ id: expect.any(String), creationTime: expect.any(Number) })
    const [fast] = rows(await socket.told('execution.fast', 1))
    expect(fast).toMatchObject({ category: 'linear', execQty: '0.010', isMaker: false, side: 'Buy' })
    const [position] = rows(await socket.told('position', 1))
    expect(position).toMatchObject({ category: 'linear', side: 'Buy', size: '0.010', entryPrice: '60000.1' })
    const wallets = rows(await socket.told('wallet', 1))
    expect(wallets.at(-1)).toMatchObject({ accountType: 'UNIFIED', coin: [{ coin: 'USDT' }] })
  })

  test('a position is told with every order, and after a fill by its number', async () => {
    const socket = await privately(['execution', 'position'])
    const orderId = await place({ price: '50000' })
    await post(paper, credentials, '/v5/order/cancel', { category: 'linear', symbol: BTC, orderId })
    const [created, canceled] = rows(await socket.told('position', 2))
    const flat = { symbol: BTC, side: '', size: '0.000', seq: -1 }
    expect([created, canceled]).toMatchObject([flat, flat])
    await place({ orderType: 'Market' })
    const [fill] = rows(await socket.told('execution', 1))
    const held = rows(await socket.told('position', 4)).at(-1)
    expect(held).toMatchObject({ size: '0.010', seq: fill?.['seq'] })
    await place({ orderType: 'Market', side: 'Sell' })
    const [, closing] = rows(await socket.told('execution', 2))
    const gone = rows(await socket.told('position', 6)).at(-1)
    expect(gone).toMatchObject({ side: '', size: '0.000', seq: closing?.['seq'] })
  })

  test('a conditional order goes from untriggered over triggered and new to filled', async () => {
    const socket = await privately(['order'])
    const orderLinkId = nextId()
    await place({ orderType: 'Market', triggerPrice: '61000', triggerDirection: 1, orderLinkId })
    await pin('61099.9', '61100.1')
    const orders = await socket.told('order', 4)
    await unpin()
    expect(statuses(orders)).toEqual(['Untriggered', 'Triggered', 'New', 'Filled'])
    const first = {
      orderLinkId,
      stopOrderType: 'Stop',
      createType: 'CreateByStopOrder',
      triggerBy: 'LastPrice',
    }
    expect(rows(orders)[0]).toMatchObject(first)
  })

  test('a canceled conditional order is deactivated, and post-only that would take is canceled', async () => {
    const socket = await privately(['order'])
    const orderId = await place({ triggerPrice: '61000', triggerDirection: 1 })
    await post(paper, credentials, '/v5/order/cancel', { category: 'linear', symbol: BTC, orderId })
    await place({ price: '60100', timeInForce: 'PostOnly' })
    const orders = await socket.told('order', 4)
    expect(rows(orders)).toMatchObject([
      { orderStatus: 'Untriggered' },
      { orderStatus: 'Deactivated', cancelType: 'CancelByUser' },
      { orderStatus: 'New' },
      { orderStatus: 'Cancelled', rejectReason: 'EC_PostOnlyWillTakeLiquidity', cumExecQty: '0.000' },
    ])
  })

  test('a spot order that is canceled with a part filled says so', async () => {
    const socket = await privately(['order.spot'], '1000000')
    await place({ category: 'spot', qty: '10', price: '60000.1', timeInForce: 'IOC' })
    const orders = rows(await socket.told('order.spot', 3))
    const last = orders.at(-1)
    expect(last).toMatchObject({
      orderStatus: 'PartiallyFilledCanceled',
      rejectReason: 'EC_NoImmediateQtyToFill',
    })
    expect(orders.map(({ orderStatus }) => orderStatus)).toContain('PartiallyFilled')
  })

  test('the legs of a pair: one triggers, the other one is told why it ends', async () => {
    const socket = await privately(['order'])
    await place({ price: '60100' })
    const legs = { takeProfit: '62000', stopLoss: '59000', tpSize: '0.01', slSize: '0.01' }
    const position = { category: 'linear', symbol: BTC, tpslMode: 'Partial', positionIdx: 0 }
    await post(paper, credentials, '/v5/position/trading-stop', { ...position, ...legs })
    await pin('62099.9', '62100.1')
    const isOver = (heard: readonly Frame[]) =>
      heard.some(
        ({ stopOrderType, orderStatus }) => stopOrderType === 'PartialTakeProfit' && orderStatus === 'Filled',
      )
    const orders = await eventually(
      () => rows(socket.frames.filter(({ topic }) => topic === 'order')),
      isOver,
    )
    await unpin()
    const stop = orders.filter(({ stopOrderType }) => stopOrderType === 'PartialStopLoss')
    expect(stop.at(-1)).toMatchObject({
      orderStatus: 'Deactivated',
      cancelType: 'CancelByOCOSlCanceledByTpTriggered',
    })
    const take = orders.filter(({ stopOrderType }) => stopOrderType === 'PartialTakeProfit')
    expect(take.map(({ orderStatus }) => orderStatus)).toEqual(['Untriggered', 'Triggered', 'New', 'Filled'])
    expect(take.at(-1)).toMatchObject({
      createType: 'CreateByPartialTakeProfit',
      closedPnl: expect.any(String),
    })
  })

  test('what protects a position ends with it', async () => {
    const socket = await privately(['order'])
    await place({ price: '60100', takeProfit: '62000', stopLoss: '59000' })
    await place({ side: 'Sell', orderType: 'Market', reduceOnly: true })
    const isOver = (heard: readonly Frame[]) =>
      heard.filter(({ orderStatus }) => orderStatus === 'Deactivated').length === 2
    const orders = await eventually(
      () => rows(socket.frames.filter(({ topic }) => topic === 'order')),
      isOver,
    )
    expect(orders.filter(({ orderStatus }) => orderStatus === 'Deactivated')).toMatchObject([
      { cancelType: 'CancelByTpSlTsClear', reduceOnly: true, closeOnTrigger: true },
      { cancelType: 'CancelByTpSlTsClear' },
    ])
  })

  test('a trailing stop follows the price and closes the position once it turns', async () => {
    const socket = await privately(['order'])
    await place({ price: '60100' })
    const trailing = { trailingStop: '500', activePrice: '60500', tpslMode: 'Full', positionIdx: 0 }
    const position = { category: 'linear', symbol: BTC }
    await post(paper, credentials, '/v5/position/trading-stop', { ...position, ...trailing })
    for (const price of ['60400', '61000', '62000', '61600']) await pin(price, `${price}.1`)
    const waiting = rows(socket.frames.filter(({ topic }) => topic === 'order')).at(-1)
    await pin('61400', '61400.1')
    const orders = await eventually(
      () => rows(socket.frames.filter(({ topic }) => topic === 'order')),
      (heard) => heard.filter(({ orderStatus }) => orderStatus === 'Filled').length === 2,
    )
    await unpin()
    expect(waiting).toMatchObject({ orderStatus: 'Untriggered', stopOrderType: 'TrailingStop' })
    expect(orders.at(-1)).toMatchObject({
      createType: 'CreateByTrailingStop',
      side: 'Sell',
      avgPrice: '61400',
    })
  })

  test('a position that cannot keep its margin is closed by the venue', async () => {
    const socket = await privately(['order', 'execution', 'position', 'wallet'], '100')
    await post(paper, credentials, '/v5/position/set-leverage', {
      ...{ category: 'linear', symbol: BTC, buyLeverage: '50', sellLeverage: '50' },
    })
    await place({ price: '60100', qty: '0.05' })
    await pin('57999.9', '58000.1')
    const isLiquidated = ({ execType }: Frame): boolean => execType === 'BustTrade'
    const fills = await eventually(
      () => rows(socket.frames.filter(({ topic }) => topic === 'execution')),
      (heard) => heard.some(isLiquidated),
    )
    await unpin()
    expect(fills.find(isLiquidated)).toMatchObject({
      side: 'Sell',
      createType: 'CreateByLiq',
      closedSize: '0.050',
    })
    const asked = { category: 'linear', settleCoin: 'USDT' }
    expect((await get(paper, credentials, '/v5/position/list', asked)).body.result['list']).toEqual([])
  })

  test('events can be doubled and silenced while pings are answered', async () => {
    const socket = await privately(['order'])
    const match = { wire: 'bybit', apiKey: credentials.apiKey }
    await paper.control('POST', 'faults', { match, action: 'duplicate-events', count: 1 })
    await place()
    expect(statuses(await socket.told('order', 2))).toEqual(['New', 'New'])
    await paper.control('POST', 'faults', { match, action: 'silent-stream', count: 1 })
    await place({ price: '57000' })
    expect(await socket.ask({ op: 'ping' })).toMatchObject({ op: 'pong' })
    expect(socket.frames.filter(({ topic }) => topic === 'order')).toHaveLength(2)
  })

  test('who wants it has its orders canceled after a silence', async () => {
    const socket = await privately(['order'])
    await place()
    await post(paper, credentials, '/v5/order/disconnected-cancel-all', { timeWindow: 3 })
    sockets.splice(sockets.indexOf(socket), 1)
    await socket.close()
    const left = async () => {
      const { body } = await get(paper, credentials, '/v5/order/realtime', {
        category: 'linear',
        symbol: BTC,
      })
      return body.result['list'] as unknown[]
    }
    expect(await left()).toHaveLength(1)
    await eventually(left, (list) => list.length === 0, 10_000)
  })
})

describe('order entry over a socket', () => {
  const header = () => ({ 'X-BAPI-TIMESTAMP': `${Date.now()}`, 'X-BAPI-RECV-WINDOW': '5000' })
  const request = (op: string, more: object = {}) => ({
    op,
    reqId: nextId(),
    header: header(),
    args: [ORDER],
    ...more,
  })

  async function trader(): Promise<Socket> {
    credentials = await paper.open()
    const socket = await connect('/v5/trade')
    expect(await socket.ask(auth(credentials))).toMatchObject({ retCode: 0, retMsg: 'OK', op: 'auth' })
    return socket
  }

  test('tolerates a second auth, and refuses what came before the first', async () => {
    credentials = await paper.open()
    const socket = await connect('/v5/trade')
    expect(await socket.ask(request('order.create'))).toMatchObject({ retCode: 10003, op: 'order.create' })
    expect(await socket.ask({ ...auth(credentials), reqId: 'a' })).toMatchObject({ retCode: 0, reqId: 'a' })
    expect(await socket.ask(auth(credentials))).toMatchObject({ retCode: 20001 })
    expect(await socket.ask(request('order.create'))).toMatchObject({ retCode: 0 })
  })

  test('refuses an id that was used, an unknown op, a stale header and unreadable frames', async () => {
    const socket = await trader()
    const once = request('order.create')
    expect(await socket.ask(once)).toMatchObject({ retCode: 0, reqId: once.reqId, data: { orderLinkId: '' } })
    expect(await socket.ask(once)).toMatchObject({ retCode: 20006, retMsg: 'Duplicate reqId' })
    expect(await socket.ask(request('order.sing'))).toMatchObject({ retCode: 10404 })
    const inverse = { args: [{ ...ORDER, category: 'inverse' }] }
    expect(await socket.ask(request('order.create', inverse))).toMatchObject({ retCode: 10404 })
    expect(await socket.ask(request('order.create', { header: {} }))).toMatchObject({ retCode: 10002 })
    expect(await socket.ask(request('order.create', { args: [] }))).toMatchObject({ retCode: 10001 })
    expect(await socket.ask('no json')).toMatchObject({ retCode: 10001 })
    expect(await socket.ask({ op: 'ping' })).toMatchObject({ retCode: 0, op: 'pong' })
  })

  test('faults strike requests over a socket, too', async () => {
    const socket = await trader()
    const match = { wire: 'bybit', apiKey: credentials.apiKey, transport: 'ws' }
    await paper.control('POST', 'faults', { match, action: 'status', status: 429, count: 1 })
    expect(await socket.ask(request('order.create'))).toMatchObject({ retCode: 10429, data: {} })
    await paper.control('POST', 'faults', { match, action: 'accept-then-drop', count: 1 })
    const lost = request('order.create')
    socket.say(lost)
    expect(await socket.ask({ op: 'ping' })).toMatchObject({ op: 'pong' })
    expect(socket.frames.filter(({ reqId }) => reqId === lost.reqId)).toEqual([])
    const asked = { category: 'linear', symbol: BTC }
    const { body } = await get(paper, credentials, '/v5/order/realtime', asked)
    expect(body.result['list']).toHaveLength(1)
  })

  test('the journal tells what came over a socket', async () => {
    const socket = await trader()
    await socket.ask(request('order.create', { args: [{ ...ORDER, qty: '0' }] }))
    expect(await paper.journal(credentials.apiKey)).toMatchObject([
      { transport: 'ws', path: '/v5/order/create', op: 'place', outcome: 'rejected', code: 10001 },
    ])
  })
})

describe('the public streams', () => {
  test('a book is a snapshot and what changed since, a depth of one is always whole', async () => {
    const socket = await connect('/v5/public/linear')
    const topics = ['orderbook.50.ETHUSDT', 'orderbook.1.ETHUSDT', 'tickers.ETHUSDT']
    expect(await socket.ask({ op: 'subscribe', args: topics, req_id: '1' })).toMatchObject({
      success: true,
      req_id: '1',
    })
    await paper.control('PUT', 'prices/ETHUSDT', { bid: '3100.00', ask: '3100.02' })
    const [snapshot, delta] = await socket.told('orderbook.50.ETHUSDT', 2)
    const best = await socket.told('orderbook.1.ETHUSDT', 2)
    await paper.control('DELETE', 'prices/ETHUSDT')
    expect(snapshot).toMatchObject({ type: 'snapshot', data: { s: 'ETHUSDT', u: 1 } })
    expect(delta).toMatchObject({ type: 'delta', data: { s: 'ETHUSDT', u: 2 } })
    expect(best[1]).toMatchObject({ type: 'snapshot', data: { b: [['3100.00', expect.any(String)]] } })
    expect(await socket.ask({ op: 'ping', req_id: '2' }, ({ op }) => op === 'ping')).toMatchObject({
      ret_msg: 'pong',
    })
    const left = await socket.ask({ op: 'unsubscribe', args: topics }, ({ op }) => op === 'unsubscribe')
    expect(left).toMatchObject({ success: true })
  })

  test('a linear ticker is told whole at first, and then by what changed of it', async () => {
    await paper.control('PUT', 'prices/ETHUSDT', { bid: '3100.00', ask: '3100.02', mark: '3100.01' })
    const socket = await connect('/v5/public/linear')
    await socket.ask({ op: 'subscribe', args: ['tickers.ETHUSDT'] })
    await paper.control('PUT', 'prices/ETHUSDT', { bid: '3100.00', ask: '3100.02', mark: '3100.05' })
    const [snapshot, delta] = await socket.told('tickers.ETHUSDT', 2)
    await paper.control('DELETE', 'prices/ETHUSDT')
    expect(snapshot).toMatchObject({ type: 'snapshot', data: { bid1Price: '3100.00', markPrice: '3100.01' } })
    expect(delta).toMatchObject({ type: 'delta', data: { symbol: 'ETHUSDT', markPrice: '3100.05' } })
    expect(delta?.['data']).not.toHaveProperty('bid1Price')
  })

  test('the first level of a book is told again while nothing changes', async () => {
    await paper.control('PUT', 'prices/ETHUSDT', { bid: '3100.00', ask: '3100.02' })
    const socket = await connect('/v5/public/linear')
    await socket.ask({ op: 'subscribe', args: ['orderbook.1.ETHUSDT'] })
    const [first, again] = await socket.told('orderbook.1.ETHUSDT', 2)
    await paper.control('DELETE', 'prices/ETHUSDT')
    expect(again?.['data']).toEqual(first?.['data'])
  })

  test('a resting order shows in the book of its category only', async () => {
    credentials = await paper.open()
    const socket = await connect('/v5/public/spot')
    const other = await connect('/v5/public/linear')
    for (const one of [socket, other]) await one.ask({ op: 'subscribe', args: ['orderbook.200.SOLUSDT'] })
    await place({ category: 'spot', symbol: 'SOLUSDT', qty: '1', price: '140' })
    const [, delta] = await socket.told('orderbook.200.SOLUSDT', 2)
    expect(delta).toMatchObject({ type: 'delta', data: { b: [['140.00', '1.000']], a: [] } })
    expect(other.frames.filter(({ topic }) => topic === 'orderbook.200.SOLUSDT')).toHaveLength(1)
  })

  test('what is unknown is refused', async () => {
    const socket = await connect('/v5/public/spot')
    const refused = async (args: unknown) => await socket.ask({ op: 'subscribe', args })
    expect(await refused(['tickers.NOPE'])).toMatchObject({ success: false })
    expect(await refused(['orderbook.7.BTCUSDT'])).toMatchObject({ success: false })
    expect(await refused([7])).toMatchObject({ success: false })
    expect(await socket.ask('[]')).toMatchObject({ success: false })
  })
})
