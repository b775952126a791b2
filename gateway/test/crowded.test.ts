import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { freePort } from '@tripline/testkit/infra/free-port'
import { waitFor } from '@tripline/testkit/wait-for'
import { ada, bob, type GatewayFixture, startFixture } from './gateway-fixture.ts'
import { readPublicSse, readSse, type SseReader } from './sse-reader.ts'

let gateway: GatewayFixture
let metricsUrl: string
const readers: SseReader[] = []
beforeAll(async () => {
  const port = await freePort()
  metricsUrl = `http://127.0.0.1:${port}/metrics`
  gateway = await startFixture({
    TRUST_PROXY: '1',
    CONNECTIONS_PER_ADDRESS: '4',
    STREAMS_PER_ADDRESS: '2',
    METRICS_PORT: String(port),
  })
})
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close()
})
afterAll(async () => await gateway.stop())

const cameFrom = (address: string) => ({ 'x-forwarded-for': address })

async function listen(session: typeof ada, from: string): Promise<SseReader> {
  const reader = await readSse(gateway.url, gateway.token(session), { headers: cameFrom(from) })
  readers.push(reader)
  return reader
}

const countOf = async (kind: string): Promise<number> => {
  const metrics = await (await fetch(metricsUrl)).text()
  return Number(new RegExp(`tripline_crowded_total\\{of="${kind}",[^}]*\\} (\\d+)`).exec(metrics)?.[1])
}

test('an address has so many live streams behind the proxy, with any users logged in there', async () => {
  const first = await listen(ada, '2001:db8:1:1::1')
  const second = await listen(bob, '2001:db8:1:1::2')
  expect([first.status, second.status]).toEqual([200, 200])
  const third = await listen(bob, '2001:db8:1:1::3')
  expect(third.status).toBe(429)
  expect(third.refusal).toMatchObject({
    code: 'rate_limited',
    detail: 'At most 2 live streams from one address at a time',
  })
  expect(await countOf('streams')).toBeGreaterThan(0)
  expect((await listen(bob, '2001:db8:1:2::1')).status).toBe(200)
  first.close()
  await waitFor(async () => (await listen(ada, '2001:db8:1:1::4')).status === 200)
})

test('an address has so many requests open behind the proxy, and others have theirs', async () => {
  for (let count = 0; count < 4; count++)
    readers.push(await readPublicSse(gateway.url, cameFrom('203.0.113.7')))
  expect(readers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const call = async (from: string) => await gateway.call('/api/nothing', { headers: cameFrom(from) })
  const refused = await call('203.0.113.7')
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'rate_limited', detail: 'At most 4 requests from one address at a time' },
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await countOf('requests')).toBeGreaterThan(0)
  expect((await call('203.0.113.8')).status).toBe(404)
  readers.pop()?.close()
  await waitFor(async () => (await call('203.0.113.7')).status === 404)
})
