import { expect, test } from '@jest/globals'
import { isAboveZeroAt, isAt } from '../../probe/json-text.ts'

test.each([
  ['60000.10', true, true],
  [60_000.1, true, true],
  ['60000.10000000000001', false, true],
  ['0.00', false, false],
  ['-60000.1', false, false],
  ['', false, false],
  ['none', false, false],
  [null, false, false],
  [undefined, false, false],
])('an amount of %j is compared as a decimal, and differs where it is none', (price, isIt, isAbove) => {
  const row = { price }
  expect([isAt(row, 'price', '60000.1'), isAboveZeroAt(row, 'price')]).toEqual([isIt, isAbove])
})

test('a field that is missing is no zero', () => {
  expect(isAt({}, 'positionAmt', '0')).toBe(false)
})
