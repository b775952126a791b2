import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { type GatewayFixture, startFixture } from './gateway-fixture.ts'

type State = 'ready' | 'not ready' | 'away' | 'hanging'
const names = ['auth', 'keys', 'intake', 'executor', 'history'] as const
const states = new Map<string, State>()

let gateway: GatewayFixture
let servers: Server[]
beforeAll(async () => {
  const started = await Promise.all(names.map(async (name) => [name, await serveReadiness(name)] as const))
  servers = started.map(([, server]) => server)
  const urls = Object.fromEntries(started.map(([name, server]) => [name, urlOf(server)]))
  gateway = await startFixture({ HEALTH_URLS: JSON.stringify(urls) })
})
beforeEach(() => {
  for (const name of names) states.set(name, 'ready')
})
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await gateway.stop()
})

test('is ok once every service can do its duty', async () => {
  expect(await healthOf('ok')).toEqual({
    status: 200,
    services: { auth: 'ok', keys: 'ok', intake: 'ok', executor: 'ok', history: 'ok' },
  })
})

test('is degraded while alerts are executed and something else is not well', async () => {
  states.set('history', 'not ready')
  states.set('auth', 'away')
  expect(await healthOf('degraded')).toEqual({
    status: 200,
    services: { auth: 'down', keys: 'ok', intake: 'ok', executor: 'ok', history: 'degraded' },
  })
})

test.each(['intake', 'executor'])('is down while %s cannot do its duty, and ok again after', async (name) => {
  states.set(name, 'not ready')
  expect(await healthOf('down')).toMatchObject({ status: 503, services: { [name]: 'degraded' } })
  states.set(name, 'ready')
  expect(await healthOf('ok')).toMatchObject({ status: 200 })
})

test('does not wait for a service that hangs', async () => {
  states.set('executor', 'hanging')
  expect(await healthOf('down')).toMatchObject({ status: 503, services: { executor: 'down' } })
})

test('is down while nobody told where intake and executor are', async () => {
  const lost = await startFixture()
  expect(await lost.call('/api/health')).toMatchObject({
    status: 503,
    body: { status: 'down', services: {} },
  })
  await lost.stop()
})

/** The health once it is this; an answer may be as old as the one who asked before. */
async function healthOf(status: 'ok' | 'degraded' | 'down') {
  return await waitFor(async () => {
    const answer = await gateway.call('/api/health')
    const { status: told, services } = answer.body as { status: string; services: Record<string, string> }
    return told === status && { status: answer.status, services }
  })
}

async function serveReadiness(name: string): Promise<Server> {
  const server = createServer((request, response) => {
    const state = states.get(name)
    if (state === 'away') request.socket.destroy()
    if (state === 'ready' || state === 'not ready') {
      response.writeHead(request.url === '/readyz' && state === 'ready' ? 200 : 503).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function urlOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}
