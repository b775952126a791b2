import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { type Surroundings, surroundings, type TestUser } from './surroundings.ts'

const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
const most = 3

let around: Surroundings
beforeAll(async () => {
  // Nobody executes here, so a caller that waits for a result holds a request open.
  around = await surroundings({ CONNECTIONS_PER_ADDRESS: String(most) })
})
afterAll(async () => await around.stop())

/** Holds so many requests open from an address; returns how to hang up. */
async function hold(user: TestUser, count: number, from: string): Promise<() => Promise<void>> {
  const before = (await around.alertsOf(user)).length
  const leaving = new AbortController()
  const requests = Array.from({ length: count }, async () => {
    await around.post(user.token, message, { wait: 60_000, from, signal: leaving.signal })
  })
  await waitFor(async () => (await around.alertsOf(user)).length === before + count)
  return async () => {
    leaving.abort()
    await Promise.allSettled(requests)
  }
}

test('an address that has so many requests open behind the proxy gets no further one, and others do', async () => {
  const user = await around.addUser()
  const hangUp = await hold(user, most, '2001:db8:7:7::1')
  const refused = await around.post(user.token, message, { wait: 0, from: '2001:db8:7:7::2' })
  expect([refused.status, refused.body.error_code]).toEqual([429, 'rate_limited'])
  expect(refused.body.error).toMatch(
    /^At most 3 requests from one address at a time\. Nothing was executed\. Try again in \d+ s\.$/,
  )
  expect(refused.headers.get('retry-after')).toBe(String(refused.body.retry_after))
  expect(await around.alertsOf(user)).toHaveLength(most)
  // Neither reported nor stored: it costs its victim nothing.
  expect(await around.refusalsOf(user)).toEqual([])
  const metrics = await (await fetch(`http://127.0.0.1:${around.intake.port}/metrics`)).text()
  expect(metrics).toMatch(/tripline_crowded_total\{of="requests",process="intake"\} [1-9]/)

  const other = await around.post(user.token, message, { wait: 0, from: '2001:db8:7:8::1' })
  expect(other.status).toBe(202)
  await hangUp()
  await waitFor(
    async () => (await around.post(user.token, message, { wait: 0, from: '2001:db8:7:7::2' })).status === 202,
  )
})

test("TradingView's addresses send the alerts of everybody, and have no such limit", async () => {
  const user = await around.addUser()
  const hangUp = await hold(user, most + 1, '52.89.214.238')
  expect((await around.post(user.token, message, { wait: 0, from: '52.89.214.238' })).status).toBe(202)
  await hangUp()
})
