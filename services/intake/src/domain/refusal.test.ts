import { expect, test } from '@jest/globals'
import { WebhookRefusal } from '@tripline/proto/http/webhook'
import { diagnosed, refusalBody, statusOf, tooManyAlerts } from './refusal.ts'

const view = (code: string): { code: string; message: string } => ({ code, message: `${code} cause` })

test.each([
  [['E201'], 400, 'E201'],
  [['W701', 'E301', 'E401'], 400, 'E301'],
  [['E403', 'E201'], 400, 'E403'],
  [['E403', 'E401'], 422, 'E403'],
  [['E507'], 422, 'E507'],
  [['E507', 'E301'], 400, 'E507'],
])('errors %p answer %i with the first code', (codes, status, errorCode) => {
  const refusal = diagnosed(codes.map(view))
  expect(statusOf(refusal)).toBe(status)
  const body = WebhookRefusal.parse(refusalBody(refusal))
  expect(body).toMatchObject({ error_code: errorCode, error: `${errorCode} cause`, detail: body.message })
  expect(body.diagnostics).toHaveLength(codes.length)
})

test.each([
  [1, 1],
  [1000, 1],
  [1001, 2],
  [59_999.5, 60],
])('a wait of %p ms is announced as %i s', (waitMs, seconds) => {
  expect(refusalBody(tooManyAlerts({ most: 5, origin: 'own' }, waitMs)).retry_after).toBe(seconds)
})
