import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { divideRounded, fixed, formatFixed, formatTrimmed, parseFixed } from './fixed.ts'

describe('decimal text as whole counts', () => {
  test.each([
    ['60000.1', 2, 6_000_010n],
    ['0.001', 3, 1n],
    ['0.0010', 3, 1n],
    ['7', 0, 7n],
    ['007.50', 1, 75n],
  ])('%s with %i places', (text, scale, value) => {
    expect(parseFixed(text, scale)).toBe(value)
  })

  test.each([
    ['0.0015', 3],
    ['-1', 2],
    ['1e3', 2],
    ['.5', 2],
    ['5.', 2],
    ['', 2],
    ['1'.repeat(21), 2],
    ['1,5', 2],
  ])('%s with %i places is none', (text, scale) => {
    expect(parseFixed(text, scale)).toBeUndefined()
    expect(() => fixed(text, scale)).toThrow()
  })

  test('formatted text is read back unchanged', () => {
    const places = fc.integer({ min: 0, max: 12 })
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 19n }), places, (value, scale) => {
        expect(parseFixed(formatFixed(value, scale), scale)).toBe(value)
        expect(parseFixed(formatTrimmed(value, scale), scale)).toBe(value)
      }),
    )
  })

  test('text is as long as it must be', () => {
    expect(formatFixed(-5n, 2)).toBe('-0.05')
    expect(formatTrimmed(6_000_010n, 2)).toBe('60000.1')
    expect(formatTrimmed(6_000_000n, 2)).toBe('60000')
    expect(formatTrimmed(0n, 8, 1)).toBe('0.0')
  })

  test('quotients are rounded to the nearest, halves away from zero', () => {
    expect([
      divideRounded(5n, 2n),
      divideRounded(-5n, 2n),
      divideRounded(4n, 3n),
      divideRounded(5n, -2n),
    ]).toEqual([3n, -3n, 1n, -3n])
  })
})
