import { expect, test } from '@jest/globals'
import Big from 'big.js'
import fc from 'fast-check'
import { isSameNumber, plainNumber, shiftPoint } from './number-text.ts'

const digits = fc
  .tuple(fc.stringMatching(/^\d{1,25}$/), fc.stringMatching(/^\d{0,25}$/))
  .map(([whole, fraction]) => (fraction === '' ? whole : `${whole}.${fraction}`))

test('a number with an exponent is the same number in plain text', () => {
  fc.assert(
    fc.property(digits, fc.integer({ min: -30, max: 9 }), (text, exponent) => {
      const plain = plainNumber(text, String(exponent))
      if (plain === undefined) return
      expect(plain).toMatch(/^\d+(\.\d+)?$/)
      expect(Big(plain).eq(Big(`${text}e${exponent}`))).toBe(true)
    }),
  )
})

test('a plain number keeps every digit', () => {
  fc.assert(
    fc.property(digits, (text) => {
      expect(plainNumber(text, undefined)).toBe(text.replace(/^0+(?=\d)/, ''))
    }),
  )
})

test('a shifted point multiplies by a power of ten', () => {
  expect([shiftPoint('2', 2), shiftPoint('0.5', 2), shiftPoint('1.234', 2)]).toEqual(['200', '50', '123.4'])
})

test('numbers are equal whatever zeros end them', () => {
  expect(isSameNumber('1.50', '1.5')).toBe(true)
  expect(isSameNumber('100', '1')).toBe(false)
  expect(isSameNumber('2.0', '2')).toBe(true)
})
