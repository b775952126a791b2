import { expect, test } from '@jest/globals'
import { AlertsDelayed } from './executor-request.ts'

test('a report of delays of an executor from before 2026-11-28 names no rates', () => {
  const earlier = { executor: 'one', queue: 'loop', partitions: [3], delayMs: 300 }
  expect(AlertsDelayed.parse(earlier)).toEqual({ ...earlier, mostPerSecond: 0 })
})
