import { expect, test } from '@jest/globals'
import type { AlertId } from '@tripline/proto/id'
import { type Attempt, resentAttempt } from './resend.ts'

const now = 1_000_000

function attempt(alertId: string, state: Attempt['state'], ageMs: number): Attempt {
  return { alertId: alertId as AlertId, state, at: now - ageMs }
}

test.each([
  ['a failed attempt, at once', [attempt('A', 'failed', 0)], 'A'],
  ['a pending attempt that is 4 s old', [attempt('A', 'pending', 4000)], 'A'],
  ['the earliest of several', [attempt('B', 'failed', 5000), attempt('A', 'failed', 6000)], 'A'],
  ['the one that is not under way', [attempt('A', 'pending', 100), attempt('B', 'failed', 50)], 'B'],
])('a resend takes over %s', (_name, attempts, alertId) => {
  expect(resentAttempt(attempts, now)?.alertId).toBe(alertId)
})

test.each([
  ['nothing is unanswered', []],
  ['the other one is under way', [attempt('A', 'pending', 3999)]],
  ['the failed one is older than a minute', [attempt('A', 'failed', 60_001)]],
])('an equal text is a new alert where %s', (_name, attempts) => {
  expect(resentAttempt(attempts, now)).toBeUndefined()
})
