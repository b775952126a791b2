import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { durationText, utcTimeText, wholeDurationText } from './format.ts'

describe('a duration', () => {
  test.each([
    [0.42, '0.4 ms'],
    [9.96, '10 ms'],
    [123.4, '123 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [1000, '1.0 s'],
    [61_249, '61.2 s'],
  ])('of %d ms reads %s', (ms, text) => {
    expect(durationText(ms)).toBe(text)
  })

  test('never says 1000 ms', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100_000, noNaN: true }), (ms) => {
        const [value, unit] = durationText(ms).split(' ')
        expect(unit === 's' || Number(value) < 1000).toBe(true)
      }),
    )
  })
})

test('an instant is shown as its time in UTC with milliseconds', () => {
  expect(utcTimeText('2026-02-03T23:04:05.006+02:00')).toBe('21:04:05.006')
})

test.each([
  [0, '0 ms'],
  [2, '2 ms'],
  [999, '999 ms'],
  [1000, '1.0 s'],
  [61_249, '61.2 s'],
])('%d whole milliseconds read %s', (ms, text) => {
  expect(wholeDurationText(ms)).toBe(text)
})
