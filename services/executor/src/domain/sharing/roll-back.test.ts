import { expect, test } from '@jest/globals'
import { cameBackUntil, lossOf } from './roll-back.ts'

const mark = { createdAt: 'monday', sequence: 9, seen: undefined }
const present = { createdAt: 'monday', sequence: 9, isOverwritten: false }

test.each([
  ['as long', {}, undefined],
  ['longer', { sequence: 10 }, undefined],
  ['shorter', { sequence: 8 }, 'shorter'],
  ['with another message in a marked place', { sequence: 12, isOverwritten: true }, 'overwritten'],
  ['made anew', { createdAt: 'tuesday', sequence: 12 }, 'made anew'],
  ['made anew, and shorter', { createdAt: 'tuesday', sequence: 0 }, 'made anew'],
])('a stream that is %s', (_name, change, loss) => {
  expect(lossOf(mark, { ...present, ...change })).toBe(loss)
})

test('alerts came back that were stored until the last mark, or until a process that lives was cut off', () => {
  expect(cameBackUntil(1000, undefined)).toBeGreaterThanOrEqual(2000)
  expect(cameBackUntil(1000, 5000)).toBeGreaterThanOrEqual(5000)
  expect(cameBackUntil(6000, 5000)).toBeGreaterThanOrEqual(6000)
  expect(cameBackUntil(6000, 5000)).toBeLessThan(7000)
})
