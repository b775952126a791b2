import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openDemoAccount } from './demo-account.ts'

const webhookUrl = 'http://localhost/webhook/token'
const webhook = {
  is_active: true,
  max_requests_per_minute: 10,
  alert_format: 'tripline',
  only_tradingview: false,
}
const tokens = { access_token: 'access', refresh_token: 'refresh' }
const answers: Record<string, unknown> = {
  'POST /api/auth/login': tokens,
  'GET /api/keys': [],
  'POST /api/keys': {},
  'GET /api/webhook-config': { webhook_url: webhookUrl, ...webhook },
}

let server: Server
let dataDir: string
let called: string[]
let refusedOnce: Map<string, number>

beforeEach(async () => {
  called = []
  refusedOnce = new Map()
  dataDir = mkdtempSync(path.join(tmpdir(), 'demo-account-'))
  server = createServer(({ method, url }, response) => {
    const call = `${method} ${url}`
    called.push(call)
    const status = refusedOnce.get(call) ?? (call in answers ? 200 : 404)
    refusedOnce.delete(call)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answers[call] ?? {}))
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
})
afterEach(async () => {
  await new Promise((closed) => server.close(closed))
  rmSync(dataDir, { recursive: true })
})

const open = async () =>
  await openDemoAccount(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, dataDir)

test.each(Object.keys(answers))(
  'begins again where %s is answered 503, and registers nobody',
  async (call) => {
    refusedOnce.set(call, 503)
    expect(await open()).toMatchObject({ accessToken: 'access', webhookUrl })
    expect(called.filter((one) => one === call)).toHaveLength(2)
    expect(called).not.toContain('POST /api/auth/register')
  },
)

test('gives up at any other refusal, with its answer', async () => {
  refusedOnce.set('GET /api/keys', 500)
  await expect(open()).rejects.toThrow('/api/keys answered 500')
  expect(called).toEqual(['POST /api/auth/login', 'GET /api/keys'])
})
