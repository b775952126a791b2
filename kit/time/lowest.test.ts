import { expect, test } from '@jest/globals'
import { createLowest } from './lowest.ts'

test('the lowest share is reported for the minute in which it was noted and the next one', () => {
  let now = 0
  const lowest = createLowest({ readNow: () => now })
  expect(lowest.read()).toBe(1)
  lowest.note(0.4)
  lowest.note(0.7)
  expect(lowest.read()).toBe(0.4)
  now = 60_000
  lowest.note(0.6)
  expect(lowest.read()).toBe(0.4)
  now = 120_000
  expect(lowest.read()).toBe(0.6)
  now = 240_000
  expect(lowest.read()).toBe(1)
})
