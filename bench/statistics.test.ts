import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { median, overRounds, percentile, summarize } from './statistics.ts'

const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 })

describe('a percentile', () => {
  test('is the measured value at the nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([0.5, 0.9, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 90, 99, 100])
  })

  test('of few values is one of them', () => {
    expect([0, 0.5, 0.99].map((share) => percentile([7], share))).toEqual([7, 7, 7])
    expect(percentile([10, 9, 100], 0.99)).toBe(100)
  })

  test('has at least its share of the values at or below it', () => {
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (all, share) => {
        const limit = percentile(all, share)
        expect(all).toContain(limit)
        expect(all.filter((value) => value <= limit).length).toBeGreaterThanOrEqual(share * all.length)
      }),
    )
  })

  test('of nothing is an error', () => {
    expect(() => percentile([], 0.5)).toThrow('There are no values')
    expect(() => median([])).toThrow('There are no values')
  })
})

test('the median is the middle, or the mean of the two in the middle', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([10, 2, 4, 100])).toBe(7)
})

test('values are compared as numbers and left in their order', () => {
  const all = [100, 20, 3]
  expect(summarize(all)).toEqual({ count: 3, p50: 20, p90: 100, p99: 100 })
  expect(all).toEqual([100, 20, 3])
})

test('one disturbed round does not move the medians over the rounds', () => {
  const calm = { count: 10, p50: 1, p90: 2, p99: 3 }
  const disturbed = { count: 10, p50: 50, p90: 60, p99: 70 }
  expect(overRounds([calm, disturbed, calm])).toEqual({ ...calm, count: 30 })
})
