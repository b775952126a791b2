import { expect, test } from '@jest/globals'
import { costOf } from './call-cost.ts'

const costs = (method: string, route: string, bodyBytes = 0) => costOf({ method, route, bodyBytes })

test('a call that asks an exchange or reads everything costs many times a list', () => {
  expect(costs('GET', '/api/keys')).toEqual({ units: 1, isUrgent: false })
  expect(costs('POST', '/api/keys/:id/test').units).toBe(20)
  expect(costs('GET', '/api/webhook-executions/export').units).toBe(20)
})

test('a HEAD costs as much as its GET', () => {
  expect(costs('HEAD', '/api/webhook-executions/export').units).toBe(20)
})

test('a route that no table knows costs something', () => {
  expect(costs('DELETE', '/api/unknown')).toEqual({ units: 2, isUrgent: false })
})

test('a large body costs more', () => {
  expect(costs('POST', '/api/commands/preview', 64 * 1024).units).toBe(13)
})

test('stopping trades is urgent', () => {
  expect(costs('PUT', '/api/trading-state').isUrgent).toBe(true)
})
