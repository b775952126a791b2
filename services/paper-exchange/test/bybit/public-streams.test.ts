import { describe, expect, test } from '@jest/globals'
import { streamRig } from './stream-rig.ts'

const rig = streamRig()

describe('the public streams', () => {
  test('a book is a snapshot and its changes since, a depth of one is always whole', async () => {
    const socket = await rig.connect('/v5/public/linear')
    const topics = ['orderbook.50.ETHUSDT', 'orderbook.1.ETHUSDT', 'tickers.ETHUSDT']
    expect(await socket.ask({ op: 'subscribe', args: topics, req_id: '1' })).toMatchObject({
      success: true,
      req_id: '1',
    })
    await rig.paper.control('PUT', 'prices/ETHUSDT', { bid: '3100.00', ask: '3100.02' })
    const [snapshot, delta] = await socket.reported('orderbook.50.ETHUSDT', 2)
    const best = await socket.reported('orderbook.1.ETHUSDT', 2)
    await rig.paper.control('DELETE', 'prices/ETHUSDT')
    expect(snapshot).toMatchObject({ type: 'snapshot', data: { s: 'ETHUSDT', u: 1 } })
    expect(delta).toMatchObject({ type: 'delta', data: { s: 'ETHUSDT', u: 2 } })
    expect(best[1]).toMatchObject({ type: 'snapshot', data: { b: [['3100.00', expect.any(String)]] } })
    expect(await socket.ask({ op: 'ping', req_id: '2' }, ({ op }) => op === 'ping')).toMatchObject({
      ret_msg: 'pong',
    })
    const left = await socket.ask({ op: 'unsubscribe', args: topics }, ({ op }) => op === 'unsubscribe')
    expect(left).toMatchObject({ success: true })
  })

  test('a linear ticker is sent whole at first, and then by its changes', async () => {
    await rig.paper.control('PUT', 'prices/ETHUSDT', { bid: '3100.00', ask: '3100.02', mark: '3100.01' })
    const socket = await rig.connect('/v5/public/linear')
    await socket.ask({ op: 'subscribe', args: ['tickers.ETHUSDT'] })
    await rig.paper.control('PUT', 'prices/ETHUSDT', { bid: '3100.00', ask: '3100.02', mark: '3100.05' })
    const [snapshot, delta] = await socket.reported('tickers.ETHUSDT', 2)
    await rig.paper.control('DELETE', 'prices/ETHUSDT')
    expect(snapshot).toMatchObject({ type: 'snapshot', data: { bid1Price: '3100.00', markPrice: '3100.01' } })
    expect(delta).toMatchObject({ type: 'delta', data: { symbol: 'ETHUSDT', markPrice: '3100.05' } })
    expect(delta?.['data']).not.toHaveProperty('bid1Price')
  })

  test('the first level of a book is sent again while nothing changes', async () => {
    await rig.paper.control('PUT', 'prices/ETHUSDT', { bid: '3100.00', ask: '3100.02' })
    const socket = await rig.connect('/v5/public/linear')
    await socket.ask({ op: 'subscribe', args: ['orderbook.1.ETHUSDT'] })
    const [first, again] = await socket.reported('orderbook.1.ETHUSDT', 2)
    await rig.paper.control('DELETE', 'prices/ETHUSDT')
    expect(again?.['data']).toEqual(first?.['data'])
  })

  test('a resting order shows in the book of its category only', async () => {
    await rig.enter()
    const socket = await rig.connect('/v5/public/spot')
    const other = await rig.connect('/v5/public/linear')
    for (const one of [socket, other]) await one.ask({ op: 'subscribe', args: ['orderbook.200.SOLUSDT'] })
    await rig.place({ category: 'spot', symbol: 'SOLUSDT', qty: '1', price: '140' })
    const [, delta] = await socket.reported('orderbook.200.SOLUSDT', 2)
    expect(delta).toMatchObject({ type: 'delta', data: { b: [['140.00', '1.000']], a: [] } })
    expect(other.frames.filter(({ topic }) => topic === 'orderbook.200.SOLUSDT')).toHaveLength(1)
  })

  test('an unknown topic is refused', async () => {
    const socket = await rig.connect('/v5/public/spot')
    const refused = async (args: unknown) => await socket.ask({ op: 'subscribe', args })
    expect(await refused(['tickers.NOPE'])).toMatchObject({ success: false })
    expect(await refused(['orderbook.7.BTCUSDT'])).toMatchObject({ success: false })
    expect(await refused([7])).toMatchObject({ success: false })
    expect(await socket.ask('[]')).toMatchObject({ success: false })
  })
})
