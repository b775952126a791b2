import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Course, followed, wallAt } from './wall-course.ts'

const hourMs = 3_600_000
const fromStart: Course = { steady: 0, wall: 1_000_000, slowMs: 0 }

describe('a course', () => {
  test('goes on as the steady clock does while the clocks agree', () => {
    expect(followed(fromStart, { steady: 5000, wall: 1_005_100 })).toBe(fromStart)
    expect(wallAt(fromStart, 5000.25)).toBe(1_005_000.25)
  })

  test('joins a wall clock that was set forward, or went on while the machine slept, at once', () => {
    const course = followed(fromStart, { steady: 5000, wall: 1_005_000 + hourMs })
    expect(wallAt(course, 5000)).toBe(1_005_000 + hourMs)
    expect(wallAt(course, 6000)).toBe(1_006_000 + hourMs)
  })

  test('waits at half speed for one that was set back, until it is there', () => {
    const course = followed(fromStart, { steady: 5000, wall: 1_005_000 - 1000 })
    expect(wallAt(course, 5000)).toBe(1_005_000)
    expect(wallAt(course, 6000)).toBe(1_005_500)
    expect(wallAt(course, 7000)).toBe(1_006_000)
    expect(wallAt(course, 9000)).toBe(1_008_000)
  })

  test('is the same when it is looked at again on its way', () => {
    const course = followed(fromStart, { steady: 5000, wall: 1_005_000 - 8000 })
    const again = followed(course, { steady: 9000, wall: 1_009_000 - 8000 })
    for (const steady of [9000, 15_000, 21_000, 30_000])
      expect(wallAt(again, steady)).toBe(wallAt(course, steady))
  })

  test('never goes back, and comes to the wall clock however that is set', () => {
    const steps = fc.array(fc.record({ forMs: fc.integer({ min: 0, max: 60_000 }), setBy: fc.integer() }))
    fc.assert(
      fc.property(steps, (all) => {
        let [course, steady, setBy, last] = [fromStart, 0, 0, fromStart.wall]
        for (const step of all) {
          steady += step.forMs
          setBy = step.setBy % hourMs
          expect(wallAt(course, steady)).toBeGreaterThanOrEqual(last)
          course = followed(course, { steady, wall: fromStart.wall + steady + setBy })
          last = wallAt(course, steady)
        }
        const later = steady + 4 * hourMs
        const wall = fromStart.wall + later + setBy
        course = followed(course, { steady: later, wall })
        expect(Math.abs(wallAt(course, later) - wall)).toBeLessThanOrEqual(250)
      }),
    )
  })
})
