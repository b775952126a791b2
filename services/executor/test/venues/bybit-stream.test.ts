import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { link } from '@tripline/testkit/link'
import { waitFor } from '@tripline/testkit/wait-for'
import { WebSocketServer } from 'ws'
import { shownAfterMs } from '../../src/venue/account/shown-after.ts'
import type { StreamTiming } from '../../src/venue/bybit/stream/following.ts'
import type { VenueEvent } from '../../src/venue/venue.ts'
import {
  type BybitRig,
  buildBybitRig,
  follow,
  openOrders,
  place,
  planOf,
  refOf,
  untilLive,
  watchful,
} from './bybit-rig.ts'

let rig: BybitRig
beforeAll(async () => {
  rig = await buildBybitRig()
})
afterEach(async () => await rig.paper.clearFaults())
afterAll(async () => await rig.stop())

const privatePath = '/v5/private'

function statusesOf(events: readonly VenueEvent[], clientOrderId: string): string[] {
  return events.flatMap((event) =>
    event.kind === 'order' && event.order.clientOrderId === clientOrderId ? [event.order.status] : [],
  )
}

describe.each(['linear', 'spot'] as const)('the stream of %s', (market) => {
  test('begins with a gap, and reports the life of an order', async () => {
    const venue = (await rig.another())[market]
    const { events, stop } = follow(venue)
    await untilLive(events)
    const plan = planOf({ type: 'stop', triggerPrice: '61000' })
    await place(venue, plan)
    await rig.pin(61_100)
    await waitFor(() => statusesOf(events, plan.clientOrderId).includes('filled'))
    await rig.pin(60_000)
    const statuses = statusesOf(events, plan.clientOrderId)
    expect(statuses[0]).toBe('untriggered')
    expect(statuses.at(-1)).toBe('filled')
    stop()
  })

  test('reports a market order filled before its placement is done, without a look-up', async () => {
    const { apiKey, ...venues } = await rig.another()
    const venue = venues[market]
    const { events, stop } = follow(venue)
    await untilLive(events)
    await rig.paper.addFault({ match: { path: '/v5/order/realtime', apiKey }, action: 'drop' })
    expect(await place(venue, planOf())).toMatchObject({ status: 'filled' })
    stop()
  })

  test('reports an event once that the venue reports twice', async () => {
    const { apiKey, ...venues } = await rig.another()
    const venue = venues[market]
    const { events, stop } = follow(venue)
    await untilLive(events)
    await rig.paper.addFault({ match: { transport: 'ws', apiKey }, action: 'duplicate-events' })
    const plan = planOf({ type: 'limit', price: '59000' })
    await place(venue, plan)
    await venue.cancel(refOf(plan))
    await waitFor(() => statusesOf(events, plan.clientOrderId).includes('canceled'))
    expect(statusesOf(events, plan.clientOrderId)).toEqual(['open', 'canceled'])
    stop()
  })

  test('reports nothing older after something newer', async () => {
    const { apiKey, ...venues } = await rig.another()
    const venue = venues[market]
    const { events, stop } = follow(venue)
    await untilLive(events)
    await rig.paper.addFault({ match: { transport: 'ws', apiKey }, action: 'reorder-events' })
    const plan = planOf({ type: 'stop', triggerPrice: '61000' })
    await place(venue, plan)
    await rig.pin(61_100)
    await waitFor(() => statusesOf(events, plan.clientOrderId).includes('filled'))
    await rig.pin(60_000)
    expect(statusesOf(events, plan.clientOrderId).at(-1)).toBe('filled')
    stop()
  })

  test('is opened again when it is closed, with a gap', async () => {
    const { apiKey, ...venues } = await rig.another()
    const venue = venues[market]
    const { events, stop } = follow(venue)
    await untilLive(events)
    await rig.paper.addFault({ match: { path: privatePath, apiKey }, action: 'disconnect', count: 1 })
    await untilLive(events, 2)
    const plan = planOf()
    await place(venue, plan)
    await waitFor(() => statusesOf(events, plan.clientOrderId).includes('filled'))
    stop()
  })

  test('has reported an order until something may have been missed', async () => {
    const { apiKey, ...venues } = await rig.another()
    const venue = venues[market]
    const { events, stop } = follow(venue)
    await untilLive(events)
    const plan = planOf({ type: 'limit', price: '59000' })
    const currentStatus = () => venue.currentUpdateOf?.(refOf(plan))?.status
    await place(venue, plan)
    await waitFor(() => currentStatus() === 'open')
    await rig.paper.addFault({ match: { path: privatePath, apiKey }, action: 'disconnect', count: 1 })
    await untilLive(events, 2)
    expect(currentStatus()).toBeUndefined()
    stop()
  })

  test('that reports nothing of an order is found out, and begun again', async () => {
    const keys = await rig.paper.openAccount({ USDT: '100000', BTC: '1' })
    const venue = await rig.open(market, { credentials: keys }, watchful)
    const { events, stop } = follow(venue)
    await untilLive(events)
    const match = { path: privatePath, apiKey: keys.apiKey }
    await rig.paper.addFault({ match, action: 'silent-stream', count: 3 })
    expect(await place(venue, planOf())).toMatchObject({ status: 'filled' })
    await untilLive(events, 2)
    stop()
  })

  test('that reports no changes that others make to an order is found out, and begun again', async () => {
    const keys = await rig.paper.openAccount({ USDT: '100000', BTC: '1' })
    const venue = await rig.open(market, { credentials: keys }, watchful)
    const byHand = await rig.open(market, { credentials: keys })
    const plan = planOf({ type: 'limit', price: '59000' })
    await place(byHand, plan)
    // The stream's own look at what is open, which begins before this one, shows it.
    await sleep(shownAfterMs)
    const { events, stop } = follow(venue)
    await untilLive(events)
    await openOrders(venue)
    await rig.paper.addFault({
      match: { transport: 'ws', apiKey: keys.apiKey },
      action: 'silent-stream',
      count: 1,
    })
    await byHand.cancel(refOf(plan))
    await untilLive(events, 2)
    stop()
  })
})

test('a second follower begins with a gap of its own, and the last one ends the stream', async () => {
  const { linear } = await rig.another()
  const first = follow(linear)
  await untilLive(first.events)
  const second = follow(linear)
  await untilLive(second.events)
  first.stop()
  const plan = planOf()
  await place(linear, plan)
  await waitFor(() => statusesOf(second.events, plan.clientOrderId).includes('filled'))
  expect(statusesOf(first.events, plan.clientOrderId)).toEqual([])
  second.stop()
  const third = follow(linear)
  await untilLive(third.events)
  third.stop()
})

test('a stream whose way is cut is opened again once it is mended', async () => {
  const way = await link(rig.paper.url)
  const streamUrl = `${way.url.replace('http', 'ws').replace(/\/$/, '')}/bybit`
  const venue = await rig.open('linear', { streamUrl })
  const { events, stop } = follow(venue)
  await untilLive(events)
  way.cut()
  const plan = planOf()
  expect(await place(venue, plan)).toMatchObject({ status: 'filled' })
  expect(statusesOf(events, plan.clientOrderId)).toEqual([])
  way.mend()
  await untilLive(events, 2)
  stop()
  await way.stop()
})

/** A stream of our own making, which answers each frame of a client with these. */
async function streamServer(
  answersTo: (op: string) => readonly object[],
  timing: Partial<StreamTiming> = {},
) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket) => {
    socket.on('message', (bytes) => {
      const { op } = JSON.parse(String(bytes))
      for (const answer of answersTo(op)) socket.send(JSON.stringify(answer))
    })
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const venue = await rig.open('linear', { streamUrl: `ws://127.0.0.1:${port}` }, timing)
  return { venue, stop: () => server.close() }
}

test('a connection that answers no ping is given up for a new one', async () => {
  const asked: string[] = []
  const server = await streamServer(
    (op) => {
      asked.push(op)
      return op === 'ping' ? [] : [{ op, success: true }]
    },
    { pingMs: 1000, pongMs: 300 },
  )
  const { events, stop } = follow(server.venue)
  await untilLive(events, 2)
  expect(asked.slice(0, 3)).toEqual(['auth', 'subscribe', 'ping'])
  stop()
  server.stop()
})

test('a stream that does not let us in is tried again', async () => {
  let logins = 0
  const server = await streamServer((op) => {
    if (op === 'ping') return [{ op: 'pong' }]
    return [{ op, success: op !== 'auth' || ++logins > 1 }]
  })
  const { events, stop } = follow(server.venue)
  await untilLive(events)
  expect(logins).toBe(2)
  stop()
  server.stop()
})

test('an unreadable message is reported as a gap', async () => {
  const unreadable = { topic: 'order.linear', data: [{ orderId: '1' }] }
  const server = await streamServer((op) => {
    if (op === 'ping') return [{ op: 'pong' }]
    return op === 'subscribe' ? [{ op, success: true }, unreadable] : [{ op, success: true }]
  })
  const { events, stop } = follow(server.venue)
  await untilLive(events, 2)
  expect(events).toEqual([{ kind: 'gap' }, { kind: 'gap' }])
  stop()
  server.stop()
})
