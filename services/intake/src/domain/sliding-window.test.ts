import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { waitBefore, windowMs } from './sliding-window.ts'

const limit = fc.integer({ min: 1, max: 60 })
const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 })

function admittedAt(gapsMs: number[], atMost: number): number[] {
  let now = 1_000_000
  let times: number[] = []
  for (const gapMs of gapsMs) {
    now += gapMs
    if (waitBefore(times, atMost, now) === 0) times = [now, ...times]
  }
  return times
}

test('no window of a minute ever holds more than the limit', () => {
  fc.assert(
    fc.property(gaps, limit, (gapsMs, atMost) => {
      const times = admittedAt(gapsMs, atMost)
      for (const end of times) {
        const inside = times.filter((time) => time <= end && time > end - windowMs)
        expect(inside.length).toBeLessThanOrEqual(atMost)
      }
    }),
  )
})

test('a caller that waits as long as announced is admitted, and not a moment earlier', () => {
  fc.assert(
    fc.property(gaps, limit, (gapsMs, atMost) => {
      const times = admittedAt(gapsMs, atMost)
      const now = times[0] ?? 0
      const waitMs = waitBefore(times, atMost, now)
      expect(waitBefore(times, atMost, now + waitMs)).toBe(0)
      if (waitMs > 0) expect(waitBefore(times, atMost, now + waitMs - 1)).toBeGreaterThan(0)
    }),
  )
})

test('a lower limit holds from the next alert on', () => {
  const times = [59_000, 40_000, 20_000]
  expect(waitBefore(times, 10, 60_000)).toBe(0)
  expect(waitBefore(times, 2, 60_000)).toBe(40_000)
})
