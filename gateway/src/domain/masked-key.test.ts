import { expect, test } from '@jest/globals'
import { maskedKey } from './masked-key.ts'

test('an API key shows its ends only, and a short one nothing', () => {
  expect(maskedKey('abcdefghijklmnopqrstuvwxyz')).toBe('abcd…wxyz')
  expect(maskedKey('abcdefghijklmnop')).toBe('abcd…mnop')
  expect(maskedKey('abcdefghijklmno')).toBe('…')
  expect(maskedKey('')).toBe('…')
})
