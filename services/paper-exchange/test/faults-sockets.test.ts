import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Credentials, call, type Paper, place, sign, startPaper } from './paper.ts'
import { connect } from './socket-rig.ts'
import { until } from './until.ts'

let paper: Paper
let owner: Credentials
const closing: (() => void)[] = []

beforeAll(async () => {
  paper = await startPaper()
})

afterEach(async () => {
  await paper.control('DELETE', 'faults')
  for (const close of closing.splice(0)) close()
})

afterAll(async () => await paper.stop())

async function arm(fault: object): Promise<void> {
  const match = { apiKey: owner.apiKey }
  expect(await paper.control('POST', 'faults', { match, ...fault })).toMatchObject({ status: 201 })
}

type Frame = Record<string, unknown>

async function open(path: string) {
  const { socket, texts, ended } = await connect(`${paper.root.replace('http', 'ws')}${path}`)
  closing.push(() => socket.terminate())
  const frames = (): Frame[] => texts.map((text) => JSON.parse(text) as Frame)
  const received = async (check: (frame: Frame) => boolean): Promise<Frame> => {
    await until(async () => frames().some(check))
    return frames().find(check) ?? {}
  }
  return { socket, frames, received, ended }
}

describe('orders over a socket', () => {
  const ORDER = { symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.01' }

  const openTrader = async () => {
    owner = await paper.open({ USDT: '100000' })
    const client = await open('/ws-fapi/v1')
    const send = (id: number, values = {}): void => {
      const params: Record<string, string> = {
        ...ORDER,
        newClientOrderId: `t${id}`,
        ...values,
        apiKey: owner.apiKey,
        timestamp: String(Date.now()),
      }
      const payload = Object.keys(params)
        .sort()
        .map((name) => `${name}=${params[name]}`)
        .join('&')
      const signature = sign(owner, payload)
      client.socket.send(JSON.stringify({ id, method: 'order.place', params: { ...params, signature } }))
    }
    return { ...client, send }
  }
  const outcomes = async () =>
    (await paper.journal(owner.apiKey)).map(({ transport, clientOrderId, outcome }) => [
      transport,
      clientOrderId,
      outcome,
    ])

  test('are dropped without a reply, while the next one is answered', async () => {
    const { send, received, frames } = await openTrader()
    await arm({ action: 'drop', count: 1 })
    send(1)
    send(2)
    await received(({ id }) => id === 2)
    expect(frames().map(({ id }) => id)).toEqual([2])
    expect(await outcomes()).toEqual([
      ['ws', 't1', 'dropped'],
      ['ws', 't2', 'accepted'],
    ])
  })

  test('are placed without a reply', async () => {
    const { send, received, frames } = await openTrader()
    await arm({ action: 'accept-then-drop', count: 1 })
    send(1)
    send(2)
    await received(({ id }) => id === 2)
    expect(frames()).toHaveLength(1)
    expect(await outcomes()).toEqual([
      ['ws', 't1', 'accepted'],
      ['ws', 't2', 'accepted'],
    ])
  })

  test('end with the connection where it is cut', async () => {
    const { send, ended } = await openTrader()
    await arm({ action: 'disconnect', count: 1 })
    send(1)
    expect((await ended).code).toBe(1001)
    expect(await outcomes()).toEqual([['ws', 't1', 'dropped']])
  })

  test.each([
    [{ action: 'reject', code: -1008 }, -1008],
    [{ action: 'status', status: 429 }, -1003],
    [{ action: 'status', status: 418 }, -1003],
    [{ action: 'accept-then-status', status: 503 }, -1000],
  ])('are answered with the code of %j', async (fault, code) => {
    const { send, received } = await openTrader()
    await arm(fault)
    send(1)
    expect(await received(({ id }) => id === 1)).toMatchObject({ error: { code } })
  })

  test('wait as long as they are delayed, and are overtaken', async () => {
    const { send, received, frames } = await openTrader()
    await arm({ action: 'delay', ms: 600_000, count: 1 })
    send(1, { recvWindow: '60000' })
    send(2)
    await received(({ id }) => id === 2)
    await paper.control('DELETE', 'faults')
    await received(({ id }) => id === 1)
    expect(frames().map(({ id }) => id)).toEqual([2, 1])
  })

  test('are met by faults that name their transport, and others are not', async () => {
    const { send, received } = await openTrader()
    await arm({ action: 'reject', code: -1001, match: { transport: 'ws', path: '/fapi/v1/order' } })
    expect((await place(paper, owner)).status).toBe(200)
    send(1)
    expect(await received(({ id }) => id === 1)).toMatchObject({ error: { code: -1001 } })
  })
})

describe('an account’s stream', () => {
  const listen = async () => {
    owner = await paper.open({ USDT: '100000' })
    const { body } = await call(paper, owner, 'POST', '/fapi/v1/listenKey')
    const { listenKey } = body as { listenKey: string }
    const client = await open(`/private/ws?listenKey=${listenKey}`)
    const filled = async () => await client.received(isFill)
    return { ...client, listenKey, filled }
  }
  const isFill = ({ e, o }: Frame): boolean => e === 'ORDER_TRADE_UPDATE' && (o as Frame)['X'] === 'FILLED'
  const fills = (frames: Frame[]) => frames.filter(isFill).length

  test('reports a fill once, and twice where events are doubled', async () => {
    const { filled, frames } = await listen()
    await place(paper, owner)
    await filled()
    expect(fills(frames())).toBe(1)
    await arm({ action: 'duplicate-events', match: { apiKey: owner.apiKey, path: '/private' } })
    await place(paper, owner)
    await until(async () => fills(frames()) === 3)
  })

  test('reports in another order where events are swapped', async () => {
    const { filled, frames } = await listen()
    await arm({ action: 'reorder-events', count: 1 })
    await place(paper, owner)
    await filled()
    const straight = await listen()
    await place(paper, owner)
    await straight.filled()
    const kinds = (all: Frame[]) => all.map(({ e, o }) => `${e} ${(o as Frame | undefined)?.['X'] ?? ''}`)
    expect(kinds(frames()).slice(0, 2)).toEqual(kinds(straight.frames()).slice(0, 2).reverse())
  })

  test('is silent where it shall be, and still answers pings', async () => {
    const { socket, frames } = await listen()
    await arm({ action: 'silent-stream' })
    await place(paper, owner)
    const ponged = new Promise((resolve) => socket.once('pong', resolve))
    socket.ping()
    await ponged
    expect(frames()).toEqual([])
  })

  test('is cut at once where it shall be', async () => {
    const { ended } = await listen()
    await arm({ action: 'disconnect', count: 1 })
    expect((await ended).code).toBe(1001)
  })

  test('ends with its key', async () => {
    const { received, listenKey } = await listen()
    const other = await listen()
    await arm({ action: 'expire-listen-key', count: 1 })
    expect(await other.received(({ e }) => e === 'listenKeyExpired')).toMatchObject({
      listenKey: other.listenKey,
    })
    expect((await call(paper, owner, 'PUT', '/fapi/v1/listenKey')).body).toMatchObject({ code: -1125 })
    await arm({ action: 'expire-listen-key', match: {} })
    expect(await received(({ e }) => e === 'listenKeyExpired')).toMatchObject({ listenKey })
  })
})
