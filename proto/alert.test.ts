import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { overallStatus } from './alert.ts'

describe('the overall status', () => {
  test.each([
    [[true], 'success'],
    [[true, true], 'success'],
    [[true, false], 'partial'],
    [[false, true], 'partial'],
    [[false], 'failed'],
    [[false, false], 'failed'],
  ])('of %j is %s', (parts, expected) => {
    expect(overallStatus(parts.map((succeeded) => ({ succeeded })))).toBe(expected)
  })

  test('does not hang on the order of the parts', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ succeeded: fc.boolean() }), { minLength: 1 }), (parts) => {
        expect(overallStatus([...parts].reverse())).toBe(overallStatus(parts))
      }),
    )
  })
})
