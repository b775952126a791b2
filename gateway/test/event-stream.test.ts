import { connect as connectTcp, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { store } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { diagnoseBots } from '@tripline/proto/executor-request'
import { SessionId } from '@tripline/proto/id'
import { eventSubject, partitionOf, sessionEndedSubject } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { accessToken, tokenKey } from './access-tokens.ts'
import { ada, bob, type GatewayFixture, startFixture } from './gateway-fixture.ts'
import { marketOrder, publishEvents, publishTogether } from './market-order.ts'
import { readSse, type SseReader } from './sse-reader.ts'

let gateway: GatewayFixture
const readers: SseReader[] = []
beforeAll(async () => {
  gateway = await startFixture({
    STREAM_KEEP_ALIVE_MS: '50',
    STREAM_SESSION_CHECK_MS: '50',
    STREAM_CLIENT_CHECK_MS: '50',
    STREAM_UNSENT_BYTES: String(512 * 1024),
    STREAMS_PER_USER: '3',
  })
})
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close()
})
afterAll(async () => await gateway.stop())

describe('GET /api/events/stream', () => {
  test('says connected first, and then each step of a market order in order', async () => {
    const reader = await open()
    expect(reader.headers.get('content-type')).toContain('text/event-stream')
    await publishOrders(1)
    await waitFor(() => reader.events.length === 7)
    const steps = reader.events.map(({ event }) => `${event.type} ${event.details?.phase ?? ''}`.trim())
    expect(steps).toEqual([
      'connected',
      'webhook received',
      'command start',
      'exchange sent',
      'exchange acknowledged',
      'command success',
      'webhook done',
    ])
    expect(reader.events[4]?.event.details).toMatchObject({ execution_time_ms: 1.5, symbol: 'BTCUSDT' })
  })

  test('has an id and one line of data an event, no names, and keep-alives in between', async () => {
    const reader = await open()
    await publishOrders(1)
    await waitFor(() => reader.events.length === 7 && reader.lines.includes(': keep-alive'))
    const kinds = new Set(
      reader.lines.map((line) => /^(id: \d+|data: |: keep-alive|)/.exec(line)?.[1]?.slice(0, 4)),
    )
    expect([...kinds].sort()).toEqual(['', ': ke', 'data', 'id: '])
    const ids = reader.events.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((one, other) => one - other))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('publishes now and then which bots are connected, under the id that a browser resumes by', async () => {
    const reader = await open()
    await publishOrders(1)
    await waitFor(() => reader.events.length === 7)
    const stop = serve(gateway.peers.executor, diagnoseBots(partitionOf(ada.sub)), async ({ userId }) => ({
      bots: [],
      connected: userId === ada.sub ? [{ label: 'MyBot', exchange: 'paper_futures' as const }] : [],
    }))
    await waitFor(() => reader.events.length > 8)
    expect(reader.events[7]).toMatchObject({
      id: reader.events[6]?.id,
      event: {
        type: 'client_pool',
        message: 'MyBot is connected to Paper Futures',
        details: { phase: 'keepalive' },
      },
    })
    const other = await open({ session: bob })
    const shown = reader.events.length
    await waitFor(() => reader.events.length > shown + 1)
    expect(other.events.map(({ event }) => event.type)).toEqual(['connected'])
    stop()
    await gateway.peers.executor.connection.flush()
  })

  test('replays the events that a browser missed, once', async () => {
    const before = await open()
    await publishOrders(1)
    await waitFor(() => before.events.length === 7)
    before.close()
    const [, , third] = before.events
    await publishOrders(1)
    const after = await open({ lastEventId: String(third?.id) })
    await waitFor(() => after.events.length === 11)
    await publishOrders(1)
    await waitFor(() => after.events.length === 17)
    expect(after.events[0]?.event.type).toBe('connected')
    const seen = [...before.events.slice(0, 3), ...after.events.slice(1)].map(({ id }) => id)
    expect(new Set(seen).size).toBe(seen.length)
    expect(after.events.slice(1, 5).map(({ id }) => id)).toEqual(before.events.slice(3).map(({ id }) => id))
  })

  test('sends events that were stored in one message as it sends others', async () => {
    const reader = await open()
    await publishOrders(1)
    await publishTogether(gateway.peers.executor, marketOrder(ada.sub))
    await waitFor(() => reader.events.length === 13)
    const shown = reader.events.map(({ event }) => event)
    expect(shown.slice(7)).toEqual(shown.slice(1, 7))
    const ids = reader.events.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((one, other) => one - other))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(['here', 'at a gateway that began later'])(
    'goes on behind each event of a message that holds several, %s',
    async (where) => {
      const before = await open()
      await publishOrders(1)
      await publishTogether(gateway.peers.executor, marketOrder(ada.sub))
      await publishOrders(1)
      await waitFor(() => before.events.length === 19)
      before.close()
      const later = where === 'here' ? undefined : await gateway.startReplica()
      try {
        for (const [index, { id }] of before.events.slice(4, 16).entries()) {
          const token = gateway.token(ada)
          const after = await readSse(later?.url ?? gateway.url, token, { lastEventId: String(id) })
          await waitFor(() => after.events.length === 15 - index)
          expect(after.events.slice(1)).toEqual(before.events.slice(5 + index))
          after.close()
          await waitFor(after.hasEnded)
        }
      } finally {
        await later?.stop()
      }
    },
  )

  test('goes on behind a part of a message that this gateway has not read yet', async () => {
    const before = await open()
    const next = (before.events[0]?.id ?? 0) + 0.003
    const reader = await open({ lastEventId: String(next) })
    await publishTogether(gateway.peers.executor, marketOrder(ada.sub))
    await waitFor(() => before.events.length === 7)
    expect(reader.events.slice(1)).toEqual(before.events.slice(1))
  })

  test('passes over an event that it does not understand, and sends those that came with it', async () => {
    const reader = await open()
    const [first, ...others] = marketOrder(ada.sub)
    const options = { messageId: 'not-understood-together', attemptMs: 2000, deadlineMs: 30_000 }
    const text = JSON.stringify([first, { kind: 'dream' }, ...others])
    await store(gateway.peers.executor, eventSubject(ada.sub, null), text, options)
    await waitFor(() => reader.events.length === 7)
  })

  test('misses nothing of a browser that was cut off before its first event', async () => {
    const before = await open()
    await waitFor(() => before.events.length === 1)
    before.close()
    await publishOrders(1)
    const after = await open({ lastEventId: String(before.events[0]?.id) })
    await waitFor(() => after.events.length === 7)
  })

  test('misses and repeats nothing of a browser that is cut off again and again while much happens', async () => {
    let isPublishing = true
    const publishing = (async () => {
      for (let round = 0; round < 40; round++) await publishOrders(1)
      isPublishing = false
    })()
    const start = await open()
    const seen: number[] = []
    let last = start.events[0]?.id ?? 0
    while (isPublishing) {
      const reader = await open({ lastEventId: String(last) })
      await waitFor(() => reader.events.length > 3 || !isPublishing)
      reader.close()
      seen.push(...reader.events.slice(1).map(({ id }) => id))
      last = seen.at(-1) ?? last
    }
    await publishing
    const rest = await open({ lastEventId: String(last) })
    await waitFor(() => seen.length + rest.events.length - 1 === 240)
    const all = [...seen, ...rest.events.slice(1).map(({ id }) => id)]
    expect(all).toEqual(start.events.slice(1).map(({ id }) => id))
  })

  test('reads events of before this gateway began, once for all streams of a user', async () => {
    const last = await publishOrders(2)
    const later = await gateway.startReplica()
    try {
      const readers = await Promise.all(
        [1, 2, 3].map(
          async () => await readSse(later.url, gateway.token(ada), { lastEventId: String(last - 7) }),
        ),
      )
      await waitFor(() => readers.every(({ events }) => events.length === 8))
      for (const reader of readers) {
        expect(reader.events.slice(1).map(({ id }) => id)).toEqual(
          [6, 5, 4, 3, 2, 1, 0].map((back) => last - back),
        )
        reader.close()
      }
    } finally {
      await later.stop()
    }
  })

  test('reads the event stream without a consumer, however many listen', async () => {
    await Promise.all([open(), open(), open({ session: bob }), open({ session: bob })])
    const ops = await gateway.nats.connect('ops')
    const consumers = await ops.manager.consumers.list('EVENTS').next()
    expect(consumers.filter(({ push_bound: isPushed }) => isPushed)).toEqual([])
  })

  test('replays the newest 200 of a long past', async () => {
    const last = await publishOrders(40)
    const reader = await open({ lastEventId: '0' })
    await waitFor(() => reader.events.at(-1)?.id === last)
    expect(reader.events).toHaveLength(201)
    await publishOrders(1)
    await waitFor(() => reader.events.length === 207)
  })

  test.each(['999999999', '999999999.001', '1.0001', '1.', 'nonsense', '-1', '1e3'])(
    'begins at the end after an id that we never gave: %s',
    async (id) => {
      const reader = await open({ lastEventId: id })
      await publishOrders(1)
      await waitFor(() => reader.events.length === 7)
    },
  )

  test('sends nobody the events of another user', async () => {
    const reader = await open({ session: bob })
    const everything = await open({ session: bob, lastEventId: '0' })
    await publishOrders(1)
    await publishEvents(gateway.peers.executor, marketOrder(bob.sub, 'BobsBot'))
    await waitFor(() => reader.events.length === 7 && everything.events.length === 7)
    expect(reader.lines.join('\n')).not.toContain('MyBot')
    expect(everything.lines.join('\n')).not.toContain('MyBot')
  })

  test('passes over an event that it does not understand', async () => {
    const reader = await open()
    const options = { messageId: 'not-understood', attemptMs: 2000, deadlineMs: 30_000 }
    await store(gateway.peers.executor, eventSubject(ada.sub, null), '{"kind": "dream"}', options)
    await publishOrders(1)
    await waitFor(() => reader.events.length === 7)
  })

  test('goes on when the access token runs out', async () => {
    const opening = async () => {
      const exp = Math.floor(Date.now() / 1000) + 2
      const token = accessToken(gateway.peers.signingKeys[0] ?? tokenKey('none'), ada, { claims: { exp } })
      const reader = await open({ token })
      return reader.status === 200 && { token, reader }
    }
    const { token, reader } = await waitFor(opening)
    await waitFor(async () => (await gateway.call('/api/keys', { token })).status === 401)
    await publishOrders(1)
    await waitFor(() => reader.events.length === 7)
  })

  test('ends when the session ends, and does not begin again', async () => {
    const session = { ...ada, sid: SessionId.parse('0193f5a0-0000-7000-8000-00000000ada7') }
    const reader = await open({ session })
    const other = await open()
    gateway.peers.endedSessions.add(session.sid)
    await waitFor(reader.hasEnded)
    expect(other.hasEnded()).toBe(false)
    expect((await open({ session })).status).toBe(401)
  })

  test('refuses one stream too many of a user, until one is closed', async () => {
    const opened = await Promise.all([1, 2, 3].map(async () => await open({ session: bob })))
    const refused = await open({ session: bob })
    expect(refused).toMatchObject({ status: 429, refusal: { code: 'rate_limited' } })
    expect(refused.headers.get('retry-after')).toBe('10')
    expect((await open()).status).toBe(200)
    opened[0]?.close()
    await waitFor(async () => (await open({ session: bob })).status === 200)
  })

  test('keeps no place for browsers that hang up while they are being admitted', async () => {
    const { hostname, port } = new URL(gateway.url)
    for (let round = 0; round < 30; round++) {
      const socket = connectTcp(Number(port), hostname)
      socket.on('error', () => undefined)
      await new Promise((resolve) => socket.once('connect', resolve))
      const head = [
        'GET /api/events/stream HTTP/1.1',
        'host: gateway',
        `authorization: Bearer ${gateway.token(bob)}`,
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n`, () => socket.destroy())
    }
    await waitFor(async () => {
      const opened = await Promise.all([1, 2, 3].map(async () => await open({ session: bob })))
      const isRoomy = opened.every(({ status }) => status === 200)
      for (const reader of opened) reader.close()
      return isRoomy
    })
  })

  test('drops a browser that does not read, and hurts no other', async () => {
    const reader = await open()
    const lazy = await openWithoutReading()
    // A line names the label twice, so these are 14 MB: more than what the kernel holds for one connection.
    const orders = Array.from({ length: 120 }, () => marketOrder(ada.sub, 'x'.repeat(10_000)))
    for (const order of orders) await publishEvents(gateway.peers.executor, order)
    await waitFor(() => reader.events.length === 1 + 120 * 6)
    lazy.resume()
    await waitFor(() => lazy.destroyed)
    expect(lazy.bytesRead).toBeLessThan(120 * 6 * 20_000)
  })

  test('asks nothing of a HEAD request', async () => {
    const answer = await gateway.call('/api/events/stream', { method: 'HEAD', token: gateway.token(ada) })
    expect(answer.status).toBe(404)
  })
})

describe('a gateway of its own', () => {
  test('ends its streams when it stops', async () => {
    const own = await startFixture()
    const reader = await readSse(own.url, own.token(ada))
    expect(reader.status).toBe(200)
    await own.stopGateway()
    await waitFor(reader.hasEnded)
    await own.stop()
  })

  test('ends a stream as soon as auth reports that its session is over, and no other', async () => {
    const own = await startFixture()
    const session = { ...ada, sid: SessionId.parse('0193f5a0-0000-7000-8000-00000000ada8') }
    const [reader, other] = await Promise.all(
      [session, ada].map(async (one) => await readSse(own.url, own.token(one))),
    )
    await waitFor(() => reader?.events.length === 1 && other?.events.length === 1)
    const auth = await own.nats.connect('auth')
    auth.connection.publish(sessionEndedSubject, JSON.stringify({ sessionId: session.sid }))
    await waitFor(() => reader?.hasEnded())
    expect(other?.hasEnded()).toBe(false)
    expect((await readSse(own.url, own.token(session))).status).toBe(401)
    await own.stop()
  })

  test('says unavailable while the bus is away', async () => {
    const own = await startFixture()
    await own.call('/api/keys', { token: own.token(ada) })
    await own.nats.stop()
    const reader = await readSse(own.url, own.token(ada))
    expect(reader).toMatchObject({ status: 503, refusal: { code: 'unavailable' } })
    expect((await own.call('/readyz')).status).toBe(503)
    await own.stopGateway()
  })
})

interface Opening {
  session?: typeof ada
  token?: string
  lastEventId?: string
}

async function open({ session = ada, token, lastEventId }: Opening = {}): Promise<SseReader> {
  const open = async (): Promise<SseReader> =>
    await readSse(gateway.url, token ?? gateway.token(session), { lastEventId })
  const reader = await open()
  readers.push(reader)
  if (reader.status === 200) await waitFor(() => reader.events.length > 0)
  return reader
}

async function publishOrders(orders: number): Promise<number> {
  const events = Array.from({ length: orders }, () => marketOrder(ada.sub)).flat()
  return await publishEvents(gateway.peers.executor, events)
}

async function openWithoutReading(): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url)
  const socket = connectTcp(Number(port), hostname)
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('connect', resolve))
  const head = [
    `GET /api/events/stream HTTP/1.1`,
    'host: gateway',
    `authorization: Bearer ${gateway.token(ada)}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  return socket.pause()
}
