import { expect, test } from '@jest/globals'
import { isLimitAge, isLimitValue, isRetryTime } from './limit-text.ts'

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
  ['0', true],
  ['3600', true],
  ['3601', false],
  ['-1', false],
  ['0.5', false],
  ['', false],
])('the time "%s" is one to try exits for: %s', (text, expected) => {
  expect(isRetryTime(text)).toBe(expected)
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
