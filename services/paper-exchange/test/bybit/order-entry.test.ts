import { describe, expect, test } from '@jest/globals'
import { BTC, nextId, ORDER } from './kinds.ts'
import { auth, get } from './raw-client.ts'
import { type Socket, streamRig } from './stream-rig.ts'

const rig = streamRig()

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
    await rig.enter()
    const socket = await rig.connect('/v5/trade')
    expect(await socket.ask(auth(rig.credentials))).toMatchObject({ retCode: 0, retMsg: 'OK', op: 'auth' })
    return socket
  }

  test('tolerates a second auth, and refuses requests before the first', async () => {
    await rig.enter()
    const socket = await rig.connect('/v5/trade')
    expect(await socket.ask(request('order.create'))).toMatchObject({ retCode: 10003, op: 'order.create' })
    expect(await socket.ask({ ...auth(rig.credentials), reqId: 'a' })).toMatchObject({
      retCode: 0,
      reqId: 'a',
    })
    expect(await socket.ask(auth(rig.credentials))).toMatchObject({ retCode: 20001 })
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
    const match = { wire: 'bybit', apiKey: rig.credentials.apiKey, transport: 'ws' }
    await rig.paper.control('POST', 'faults', { match, action: 'status', status: 429, count: 1 })
    expect(await socket.ask(request('order.create'))).toMatchObject({ retCode: 10429, data: {} })
    await rig.paper.control('POST', 'faults', { match, action: 'accept-then-drop', count: 1 })
    const lost = request('order.create')
    socket.say(lost)
    expect(await socket.ask({ op: 'ping' })).toMatchObject({ op: 'pong' })
    expect(socket.frames.filter(({ reqId }) => reqId === lost.reqId)).toEqual([])
    const asked = { category: 'linear', symbol: BTC }
    const { body } = await get(rig.paper, rig.credentials, '/v5/order/realtime', asked)
    expect(body.result['list']).toHaveLength(1)
  })

  test('the journal shows the requests over a socket', async () => {
    const socket = await trader()
    await socket.ask(request('order.create', { args: [{ ...ORDER, qty: '0' }] }))
    expect(await rig.paper.journal(rig.credentials.apiKey)).toMatchObject([
      { transport: 'ws', path: '/v5/order/create', op: 'place', outcome: 'rejected', code: 10001 },
    ])
  })
})
