import { createServer, type Server } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { type GatewayFixture, startFixture } from './gateway-fixture.ts'

type ServiceHealth = 'ready' | 'not ready' | 'away' | 'hanging' | 'refusing EVENTS' | 'refusing ALERTS'
const names = ['auth', 'keys', 'intake', 'executor', 'history'] as const
const states = new Map<string, ServiceHealth>()

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

const allOk = { auth: 'ok', keys: 'ok', intake: 'ok', executor: 'ok', history: 'ok' }

test('is ok once every service can do its duty', async () => {
  await healthBecomes({ status: 'ok', code: 200, services: allOk })
})

test('is degraded while alerts are executed and something else is not well', async () => {
  states.set('history', 'not ready')
  states.set('auth', 'away')
  const services = { ...allOk, auth: 'down', history: 'degraded' }
  await healthBecomes({ status: 'degraded', code: 200, services })
})

test.each(['intake', 'executor'])('is down while %s cannot do its duty, and ok again after', async (name) => {
  states.set(name, 'not ready')
  await healthBecomes({ status: 'down', code: 503, services: { ...allOk, [name]: 'degraded' } })
  states.set(name, 'ready')
  await healthBecomes({ status: 'ok', code: 200, services: allOk })
})

test('names the store that takes no writes, and is down where that is the one of alerts', async () => {
  states.set('executor', 'refusing EVENTS')
  await healthBecomes({ status: 'degraded', code: 200, services: allOk, refusing: ['EVENTS'] })
  states.set('intake', 'refusing ALERTS')
  await healthBecomes({ status: 'down', code: 503, services: allOk, refusing: ['ALERTS', 'EVENTS'] })
})

test('does not wait for a service that hangs', async () => {
  states.set('executor', 'hanging')
  await healthBecomes({ status: 'down', code: 503, services: { ...allOk, executor: 'down' } })
})

test('is down while the addresses of intake and executor are unknown', async () => {
  const lost = await startFixture()
  expect(await lost.call('/api/health')).toMatchObject({
    status: 503,
    body: { status: 'down', services: {} },
  })
  await lost.stop()
})

interface Health {
  status: 'ok' | 'degraded' | 'down'
  code: number
  services: Record<string, string>
  refusing?: string[]
}

/** Settles once the gateway answers with this health; an answer may be as old as the check before the change. */
async function healthBecomes({ code, ...body }: Health): Promise<void> {
  await waitFor(async () => {
    const answer = await gateway.call('/api/health')
    return isDeepStrictEqual([answer.status, answer.body], [code, body])
  })
}

async function serveReadiness(name: string): Promise<Server> {
  const server = createServer((request, response) => {
    const state = states.get(name)
    if (state === 'away') request.socket.destroy()
    if (state === undefined || state === 'away' || state === 'hanging') return
    response.writeHead(request.url === '/readyz' && state !== 'not ready' ? 200 : 503)
    const [word, store] = state.split(' ')
    response.end(word === 'refusing' ? JSON.stringify({ status: 'ok', refusing: [store] }) : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function urlOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}
