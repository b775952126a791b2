import { describe, expect, test } from '@jest/globals'
import { eventually } from '../contract/suite.ts'
import { BTC, nextId } from './kinds.ts'
import { auth, type Frame, get, post } from './raw-client.ts'
import { streamRig } from './stream-rig.ts'

const rig = streamRig()

function rows(frames: readonly Frame[]): Frame[] {
  return frames.flatMap(({ data }) => data as Frame[])
}

const statuses = (frames: readonly Frame[]): unknown[] => rows(frames).map(({ orderStatus }) => orderStatus)

describe('the private stream', () => {
  test('lets in clients that sign, and nobody else', async () => {
    await rig.enter()
    const socket = await rig.connect('/v5/private')
    const topics = { op: 'subscribe', args: ['order'], req_id: 'mine' }
    expect(await socket.ask(topics)).toMatchObject({ success: false, req_id: 'mine' })
    const wrong = auth({ ...rig.credentials, secret: 'other' })
    expect(await socket.ask(wrong)).toMatchObject({ success: false, op: 'auth' })
    expect(await socket.ask(auth(rig.credentials, Date.now() - 1))).toMatchObject({ success: false })
    expect(await socket.ask(auth(rig.credentials))).toMatchObject({ success: true, ret_msg: '', op: 'auth' })
    expect(await socket.ask(topics)).toMatchObject({
      success: true,
      ret_msg: '',
      op: 'subscribe',
      req_id: 'mine',
    })
    expect(await socket.ask({ op: 'ping', req_id: 'p' })).toMatchObject({ op: 'pong', req_id: 'p' })
  })

  test('refuses topics that are unknown, or that mix all and one category', async () => {
    const socket = await rig.privately(['wallet'])
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
    const socket = await rig.privately(['order.linear', 'execution.fast', 'position', 'wallet'])
    await rig.place({ category: 'spot' })
    await rig.place({ price: '60100' })
    const orders = await socket.reported('order.linear', 2)
    expect(statuses(orders)).toEqual(['New', 'Filled'])
    expect(orders[0]).toMatchObject({ id: expect.any(String), creationTime: expect.any(Number) })
    const [fast] = rows(await socket.reported('execution.fast', 1))
    expect(fast).toMatchObject({ category: 'linear', execQty: '0.010', isMaker: false, side: 'Buy' })
    const [position] = rows(await socket.reported('position', 1))
    expect(position).toMatchObject({ category: 'linear', side: 'Buy', size: '0.010', entryPrice: '60000.1' })
    const wallets = rows(await socket.reported('wallet', 1))
    expect(wallets.at(-1)).toMatchObject({ accountType: 'UNIFIED', coin: [{ coin: 'USDT' }] })
  })

  test('a position is reported with every order, and after a fill by its number', async () => {
    const socket = await rig.privately(['execution', 'position'])
    const orderId = await rig.place({ price: '50000' })
    await post(rig.paper, rig.credentials, '/v5/order/cancel', { category: 'linear', symbol: BTC, orderId })
    const [created, canceled] = rows(await socket.reported('position', 2))
    const flat = { symbol: BTC, side: '', size: '0.000', seq: -1 }
    expect([created, canceled]).toMatchObject([flat, flat])
    await rig.place({ orderType: 'Market' })
    const [fill] = rows(await socket.reported('execution', 1))
    const held = rows(await socket.reported('position', 4)).at(-1)
    expect(held).toMatchObject({ size: '0.010', seq: fill?.['seq'] })
    await rig.place({ orderType: 'Market', side: 'Sell' })
    const [, closing] = rows(await socket.reported('execution', 2))
    const gone = rows(await socket.reported('position', 6)).at(-1)
    expect(gone).toMatchObject({ side: '', size: '0.000', seq: closing?.['seq'] })
  })

  test('a conditional order goes from untriggered over triggered and new to filled', async () => {
    const socket = await rig.privately(['order'])
    const orderLinkId = nextId()
    await rig.place({ orderType: 'Market', triggerPrice: '61000', triggerDirection: 1, orderLinkId })
    await rig.pin('61099.9', '61100.1')
    const orders = await socket.reported('order', 4)
    await rig.unpin()
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
    const socket = await rig.privately(['order'])
    const orderId = await rig.place({ triggerPrice: '61000', triggerDirection: 1 })
    await post(rig.paper, rig.credentials, '/v5/order/cancel', { category: 'linear', symbol: BTC, orderId })
    await rig.place({ price: '60100', timeInForce: 'PostOnly' })
    const orders = await socket.reported('order', 4)
    expect(rows(orders)).toMatchObject([
      { orderStatus: 'Untriggered' },
      { orderStatus: 'Deactivated', cancelType: 'CancelByUser' },
      { orderStatus: 'New' },
      { orderStatus: 'Cancelled', rejectReason: 'EC_PostOnlyWillTakeLiquidity', cumExecQty: '0.000' },
    ])
  })

  test('a spot order that is canceled with a part filled says so', async () => {
    const socket = await rig.privately(['order.spot'], '1000000')
    await rig.place({ category: 'spot', qty: '10', price: '60000.1', timeInForce: 'IOC' })
    const orders = rows(await socket.reported('order.spot', 3))
    const last = orders.at(-1)
    expect(last).toMatchObject({
      orderStatus: 'PartiallyFilledCanceled',
      rejectReason: 'EC_NoImmediateQtyToFill',
    })
    expect(orders.map(({ orderStatus }) => orderStatus)).toContain('PartiallyFilled')
  })

  test('the legs of a pair: one triggers, the other is reported with the reason of its end', async () => {
    const socket = await rig.privately(['order'])
    await rig.place({ price: '60100' })
    const legs = { takeProfit: '62000', stopLoss: '59000', tpSize: '0.01', slSize: '0.01' }
    const position = { category: 'linear', symbol: BTC, tpslMode: 'Partial', positionIdx: 0 }
    await post(rig.paper, rig.credentials, '/v5/position/trading-stop', { ...position, ...legs })
    await rig.pin('62099.9', '62100.1')
    const isOver = (received: readonly Frame[]) =>
      received.some(
        ({ stopOrderType, orderStatus }) => stopOrderType === 'PartialTakeProfit' && orderStatus === 'Filled',
      )
    const orders = await eventually(
      () => rows(socket.frames.filter(({ topic }) => topic === 'order')),
      isOver,
    )
    await rig.unpin()
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

  test('the protection of a position ends with it', async () => {
    const socket = await rig.privately(['order'])
    await rig.place({ price: '60100', takeProfit: '62000', stopLoss: '59000' })
    await rig.place({ side: 'Sell', orderType: 'Market', reduceOnly: true })
    const isOver = (received: readonly Frame[]) =>
      received.filter(({ orderStatus }) => orderStatus === 'Deactivated').length === 2
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
    const socket = await rig.privately(['order'])
    await rig.place({ price: '60100' })
    const trailing = { trailingStop: '500', activePrice: '60500', tpslMode: 'Full', positionIdx: 0 }
    const position = { category: 'linear', symbol: BTC }
    await post(rig.paper, rig.credentials, '/v5/position/trading-stop', { ...position, ...trailing })
    for (const price of ['60400', '61000', '62000', '61600']) await rig.pin(price, `${price}.1`)
    const waiting = rows(socket.frames.filter(({ topic }) => topic === 'order')).at(-1)
    await rig.pin('61400', '61400.1')
    const orders = await eventually(
      () => rows(socket.frames.filter(({ topic }) => topic === 'order')),
      (received) => received.filter(({ orderStatus }) => orderStatus === 'Filled').length === 2,
    )
    await rig.unpin()
    expect(waiting).toMatchObject({ orderStatus: 'Untriggered', stopOrderType: 'TrailingStop' })
    expect(orders.at(-1)).toMatchObject({
      createType: 'CreateByTrailingStop',
      side: 'Sell',
      avgPrice: '61400',
    })
  })

  test('a position that cannot keep its margin is closed by the venue', async () => {
    const socket = await rig.privately(['order', 'execution', 'position', 'wallet'], '100')
    await post(rig.paper, rig.credentials, '/v5/position/set-leverage', {
      ...{ category: 'linear', symbol: BTC, buyLeverage: '50', sellLeverage: '50' },
    })
    await rig.place({ price: '60100', qty: '0.05' })
    await rig.pin('57999.9', '58000.1')
    const isLiquidated = ({ execType }: Frame): boolean => execType === 'BustTrade'
    const fills = await eventually(
      () => rows(socket.frames.filter(({ topic }) => topic === 'execution')),
      (received) => received.some(isLiquidated),
    )
    await rig.unpin()
    expect(fills.find(isLiquidated)).toMatchObject({
      side: 'Sell',
      createType: 'CreateByLiq',
      closedSize: '0.050',
    })
    const asked = { category: 'linear', settleCoin: 'USDT' }
    expect((await get(rig.paper, rig.credentials, '/v5/position/list', asked)).body.result['list']).toEqual(
      [],
    )
  })

  test('events can be doubled and silenced while pings are answered', async () => {
    const socket = await rig.privately(['order'])
    const match = { wire: 'bybit', apiKey: rig.credentials.apiKey }
    await rig.paper.control('POST', 'faults', { match, action: 'duplicate-events', count: 1 })
    await rig.place()
    expect(statuses(await socket.reported('order', 2))).toEqual(['New', 'New'])
    await rig.paper.control('POST', 'faults', { match, action: 'silent-stream', count: 1 })
    await rig.place({ price: '57000' })
    expect(await socket.ask({ op: 'ping' })).toMatchObject({ op: 'pong' })
    expect(socket.frames.filter(({ topic }) => topic === 'order')).toHaveLength(2)
  })

  test('an account that wants it has its orders canceled after a silence', async () => {
    const socket = await rig.privately(['order'])
    await rig.place()
    await post(rig.paper, rig.credentials, '/v5/order/disconnected-cancel-all', { timeWindow: 10 })
    await socket.close()
    const left = async () => {
      const { body } = await get(rig.paper, rig.credentials, '/v5/order/realtime', {
        category: 'linear',
        symbol: BTC,
      })
      return body.result['list'] as unknown[]
    }
    expect(await left()).toHaveLength(1)
    await eventually(left, (list) => list.length === 0)
  })
})
