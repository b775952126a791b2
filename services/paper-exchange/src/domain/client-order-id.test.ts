import { expect, test } from '@jest/globals'
import { faultOfBinanceId } from './client-order-id.ts'

test.each(['t01JDABCDEFGHJKMNPQRSTVWXYZ100000', 'a', 'x'.repeat(36), 'A.b:c/d_e-9'])(
  '%s is well formed',
  (id) => {
    expect(faultOfBinanceId(id)).toBeUndefined()
  },
)

test.each(['', 'a b', 'ä', 'a!', 'a\n'])('%j has illegal characters', (id) => {
  expect(faultOfBinanceId(id)).toBe('illegal')
})

test('37 characters are too long', () => {
  expect(faultOfBinanceId('x'.repeat(37))).toBe('tooLong')
})
