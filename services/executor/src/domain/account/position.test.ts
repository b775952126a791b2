import { describe, expect, test } from '@jest/globals'
import { isExit } from './position.ts'

describe('an exit', () => {
  test.each([
    ['sell', '0.1', '0.1', true],
    ['sell', '0.101', '0.1', false],
    ['buy', '0.1', '-0.1', true],
    ['buy', '0.1', '0.1', false],
    ['sell', '0.1', '0', false],
  ] as const)('%s %s of %s: %s', (side, quantity, position, expected) => {
    expect(isExit(side, quantity, position)).toBe(expected)
  })
})
