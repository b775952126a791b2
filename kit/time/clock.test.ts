import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { followWallClock, leaptWithin, now, steadyNow } from './clock.ts'

const hourMs = 3_600_000

beforeAll(() => {
  // Their steady clock begins at 0, as that of a process that only just began.
  jest.useFakeTimers({ now: Math.round(performance.timeOrigin) })
  followWallClock()
})
afterAll(() => {
  jest.useRealTimers()
})

test('a wall clock that is set is followed, while the steady clock only runs', () => {
  const steady = steadyNow()
  jest.advanceTimersByTime(5000)
  expect(leaptWithin(10_000)).toBe(false)
  jest.setSystemTime(Date.now() + hourMs)
  jest.advanceTimersByTime(5000)
  expect(Math.abs(now() - Date.now())).toBeLessThan(250)
  expect(leaptWithin(10_000)).toBe(true)
  expect(leaptWithin(1000)).toBe(false)
  expect(steadyNow() - steady).toBe(10_000)
})

test('one that is set back is waited for, and no reading is earlier than one before', () => {
  const before = now()
  jest.setSystemTime(Date.now() - 60_000)
  jest.advanceTimersByTime(1000)
  expect(now()).toBeGreaterThan(before)
  jest.advanceTimersByTime(2 * 60_000)
  expect(Math.abs(now() - Date.now())).toBeLessThan(250)
})
