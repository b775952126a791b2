import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { PublicEvent } from '@tripline/proto/public-event'
import { waitFor } from '@tripline/testkit/wait-for'
import { ada, type GatewayFixture, startFixture } from './gateway-fixture.ts'
import { marketOrder, publishEvents } from './market-order.ts'
import { readPublicSse, type SseReader } from './sse-reader.ts'

let gateway: GatewayFixture
const readers: SseReader[] = []
beforeAll(async () => {
  gateway = await startFixture({
    TRUST_PROXY: '1',
    STREAM_KEEP_ALIVE_MS: '50',
    PUBLIC_STREAMS: '6',
    PUBLIC_STREAMS_PER_ADDRESS: '2',
    PUBLIC_EVENTS_PER_SECOND: '5',
  })
})
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close()
})
afterAll(async () => await gateway.stop())

async function open(from: string): Promise<SseReader> {
  const reader = await readPublicSse(gateway.url, { 'x-forwarded-for': from })
  readers.push(reader)
  return reader
}

describe('GET /api/events/public-stream', () => {
  test('sends without a session the public part of events, and nothing else', async () => {
    const reader = await open('192.0.2.1')
    expect(reader.headers.get('content-type')).toContain('text/event-stream')
    await publishEvents(gateway.peers.executor, marketOrder(ada.sub, 'Secret bot'))
    await waitFor(() => reader.events.length === 6 && reader.lines.includes(': keep-alive'))
    const received = reader.lines
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)))
    expect(received.map((event) => PublicEvent.parse(event).message)).toEqual([
      'Connected',
      'Alert BTCUSDT received',
      'market BTCUSDT started',
      'market buy BTCUSDT acknowledged',
      'market BTCUSDT success',
      'Alert BTCUSDT success',
    ])
    expect(reader.lines.join('\n')).not.toMatch(/Secret|0\.01|60000|0193f5a0|01KAJ|t01|\.[1-9]\d{0,2}Z/)
    expect(reader.events.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('shows the newest events to later visitors', async () => {
    const reader = await open('192.0.2.2')
    await waitFor(() => reader.events.length >= 6)
    expect(reader.events[0]?.event.type).toBe('connected')
  })

  test('sends so many a second at most', async () => {
    const reader = await open('192.0.2.3')
    await waitFor(() => reader.events.length > 0)
    const before = reader.events.length
    const startedAt = Date.now()
    let rounds = 0
    await waitFor(async () => {
      await publishEvents(gateway.peers.executor, marketOrder(ada.sub))
      return ++rounds >= 40 && reader.events.length > before
    })
    const mostAllowed = 20 + ((Date.now() - startedAt) / 1000) * 5 + 1
    expect(reader.events.length - before).toBeLessThanOrEqual(mostAllowed)
  })

  test('refuses one stream too many of an address, and of everybody, until one is closed', async () => {
    await waitFor(async () => (await open('192.0.2.4')).status === 429)
    const fourth = readers.filter(({ status }) => status === 200)
    expect(fourth).toHaveLength(2)
    await waitFor(async () => (await open('192.0.2.5')).status === 429)
    await waitFor(async () => (await open('192.0.2.6')).status === 429)
    expect(await open('192.0.2.7')).toMatchObject({ status: 429, refusal: { code: 'rate_limited' } })
    fourth[0]?.close()
    await waitFor(async () => (await open('192.0.2.4')).status === 200)
  })

  test('ends when the gateway stops', async () => {
    const replica = await gateway.startReplica()
    const reader = await readPublicSse(replica.url)
    expect(reader.status).toBe(200)
    await replica.stop()
    await waitFor(reader.hasEnded)
  })
})
