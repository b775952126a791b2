import { expect, test } from '@jest/globals'
import { isLimitAge, isLimitValue } from './limit-text.ts'

test.each([
  ['1', true],
  ['86400', true],
  ['0', false],
  ['86401', false],
  ['1.5', false],
  ['', false],
])('the age "%s" is a limit: %s', (text, expected) => {
  expect(isLimitAge(text)).toBe(expected)
})

test.each([
  ['', true],
  ['500', true],
  ['99.5', true],
  ['0', false],
  ['0.000', false],
  ['-5', false],
  ['5,5', false],
  ['1e3', false],
])('the value "%s" is a limit: %s', (text, expected) => {
  expect(isLimitValue(text)).toBe(expected)
})
