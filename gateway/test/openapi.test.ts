import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type GatewayFixture, startFixture } from './gateway-fixture.ts'

interface Document {
  openapi: string
  paths: Record<string, Record<string, Described>>
}

interface Described {
  operationId: string
  responses: Record<string, unknown>
  security?: unknown[]
}

let gateway: GatewayFixture
let document: Document
beforeAll(async () => {
  gateway = await startFixture()
  document = (await gateway.call('/api/openapi.json')).body as Document
})
afterAll(async () => await gateway.stop())

test('the document names every call of the API, and nothing else', () => {
  expect(document.openapi).toBe('3.1.0')
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(calls.sort()).toEqual([
    'DELETE /api/auth/sessions',
    'DELETE /api/auth/sessions/{id}',
    'DELETE /api/keys/{id}',
    'DELETE /api/keys/{id}/close-only',
    'GET /api/accounts',
    'GET /api/auth/sessions',
    'GET /api/events/public-stream',
    'GET /api/events/stream',
    'GET /api/health',
    'GET /api/keys',
    'GET /api/keys/addresses',
    'GET /api/keys/{id}/close-only',
    'GET /api/keys/{id}/trading',
    'GET /api/notifications',
    'GET /api/receipts',
    'GET /api/receipts/export',
    'GET /api/trading-state',
    'GET /api/users/me',
    'GET /api/webhook-config',
    'GET /api/webhook-config/usage',
    'GET /api/webhook-executions',
    'GET /api/webhook-executions/export',
    'GET /api/webhook-executions/summary',
    'GET /api/webhook-executions/sums',
    'GET /api/webhook-executions/{id}',
    'POST /api/auth/login',
    'POST /api/auth/logout',
    'POST /api/auth/password-reset/confirm',
    'POST /api/auth/password-reset/request',
    'POST /api/auth/refresh',
    'POST /api/auth/register',
    'POST /api/auth/verify-email',
    'POST /api/auth/verify-email/resend',
    'POST /api/commands/preview',
    'POST /api/keys',
    'POST /api/keys/{id}/close-only',
    'POST /api/keys/{id}/close-only/regenerate',
    'POST /api/keys/{id}/reset',
    'POST /api/keys/{id}/test',
    'POST /api/notifications/test',
    'POST /api/waitlist',
    'POST /api/webhook-config/regenerate',
    'PUT /api/keys/{id}',
    'PUT /api/keys/{id}/trading',
    'PUT /api/notifications',
    'PUT /api/trading-state',
    'PUT /api/webhook-config',
  ])
})

test('every call has a name of its own', () => {
  const names = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(new Set(names.filter(Boolean)).size).toBe(names.length)
})

test('every call has a described answer for each of its statuses, and 401 exactly where a session matters', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const { responses, security } of Object.values(methods)) {
      for (const response of Object.values(responses)) expect(response).toHaveProperty('description')
      const isLogin = path === '/api/auth/login' || path === '/api/auth/refresh'
      expect('401' in responses).toBe(isLogin || security !== undefined)
      expect(responses).not.toHaveProperty('403')
    }
  }
})
