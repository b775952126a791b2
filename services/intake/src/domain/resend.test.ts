import { expect, test } from '@jest/globals'
import type { AlertId } from '@tripline/proto/id'
import { type Attempt, resentAttempt } from './resend.ts'

const now = 1_000_000

function attempt(alertId: string, openForMs: number): Attempt {
  return { alertId: alertId as AlertId, openAt: now - openForMs }
}

test.each([
  ['an attempt that is open since now', [attempt('A', 0)], 'A'],
  ['an attempt whose answer was lost 20 s ago', [attempt('A', 20_000)], 'A'],
  ['the earliest of several', [attempt('B', 5000), attempt('A', 1000)], 'A'],
  ['the one that is not under way', [attempt('A', -100), attempt('B', 50)], 'B'],
])('a resend takes over %s', (_name, attempts, alertId) => {
  expect(resentAttempt(attempts, now)?.alertId).toBe(alertId)
})

test.each([
  ['nothing is unanswered', []],
  ['the other one is under way', [attempt('A', -1)]],
  ['its answer was lost longer ago', [attempt('A', 20_001)]],
])('an equal text is a new alert where %s', (_name, attempts) => {
  expect(resentAttempt(attempts, now)).toBeUndefined()
})
