import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freePort } from '@tripline/testkit/infra/free-port'
import { waitFor } from '@tripline/testkit/wait-for'
import { ada, type GatewayFixture, startFixture } from './gateway-fixture.ts'

let gateway: GatewayFixture
let metricsUrl: string
beforeAll(async () => {
  const port = await freePort()
  metricsUrl = `http://127.0.0.1:${port}/metrics`
  gateway = await startFixture({ METRICS_PORT: String(port) })
})
afterAll(async () => await gateway.stop())

const metrics = async (): Promise<string> => await (await fetch(metricsUrl)).text()

test('metrics are served on their own port, and not on the public one', async () => {
  expect(await gateway.call('/metrics')).toMatchObject({ status: 404 })
  expect(await metrics()).toContain('tripline_ready{process="gateway"} 1')
})

test('requests are counted by the pattern of their route, not by their address', async () => {
  await gateway.call('/api/executions/0193f5a0-0000-7000-8000-000000000001', { token: gateway.token(ada) })
  await gateway.call('/nobody/knows/0193f5a0')
  const text = await waitFor(async () => {
    const exposed = await metrics()
    return exposed.includes('route="unknown"') && exposed
  })
  expect(text).not.toContain('0193f5a0')
  expect(text).toMatch(/tripline_http_requests_total\{class="4xx",process="gateway"\} [1-9]/)
})

test('browsers that listen are counted while they do', async () => {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${gateway.token(ada)}` }
  const stream = await fetch(`${gateway.url}/api/events/stream`, { headers, signal: leaving.signal })
  expect(stream.status).toBe(200)
  const counted = (count: number) => async () =>
    (await metrics()).includes(`tripline_sse_clients{audience="own",process="gateway"} ${count}`)
  await waitFor(counted(1))
  leaving.abort()
  await waitFor(counted(0))
})
