import { expect, test } from '@jest/globals'
import { createRates, evenShare } from './rates.ts'

test('counts a second are those of the span that runs and the one before', () => {
  const rates = createRates<string>(500)
  for (let at = 0; at < 1000; at += 10) rates.count('busy', at)
  rates.count('once', 990)
  expect(rates.perSecond(999).get('busy')).toBeCloseTo(100, 0)
  expect(rates.perSecond(999).get('once')).toBeCloseTo(1, 0)
  expect(rates.perSecond(1600)).toEqual(new Map())
})

test('who wants less than an even share has it, and the others have the rest evenly', () => {
  expect(evenShare([1, 2, 3], 6)).toBe(Number.POSITIVE_INFINITY)
  expect(evenShare([1, 100, 1, 50], 42)).toBe(20)
  expect(evenShare([1, 1, 1, 1], 1)).toBe(0.25)
  expect(evenShare([], 0)).toBe(Number.POSITIVE_INFINITY)
})
