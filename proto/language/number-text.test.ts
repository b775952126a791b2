import { expect, test } from '@jest/globals'
import Big from 'big.js'
import fc from 'fast-check'
import { formatBlocks } from './format-blocks.ts'
import { isAtMost, isSameNumber, plainNumber, shiftPoint, timesWhole } from './number-text.ts'
import { readMessage } from './read-message.ts'

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

test('numbers are compared digit by digit', () => {
  expect(isAtMost('200', '200')).toBe(true)
  expect(isAtMost('200.00000000000000000001', '200')).toBe(false)
  expect(isAtMost('9', '10')).toBe(true)
  expect(isAtMost('0.45', '0.5')).toBe(true)
  fc.assert(
    fc.property(digits, digits, (a, b) => {
      const [plainA = '', plainB = ''] = [plainNumber(a, undefined), plainNumber(b, undefined)]
      expect(isAtMost(plainA, plainB)).toBe(Big(a).lte(b))
    }),
  )
})

test('a product with a whole number is rounded once, halves up', () => {
  expect([timesWhole('1.5', 3_600_000), timesWhole('0.0005', 1_000), timesWhole('0.00049', 1_000)]).toEqual([
    5_400_000, 1, 0,
  ])
})

// As floats these would be other numbers: 0.30000000000000004, 1e-8, 12345678901234567000, 9007199254740992, 0.1.
test.each([
  ['0.3', '0.3'],
  ['0.30000000000000004', '0.30000000000000004'],
  ['1e-8', '0.00000001'],
  ['12345678901234567890', '12345678901234567890'],
  ['9007199254740993', '9007199254740993'],
  ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
  ['1.23456789e4', '12345.6789'],
  ['123456789.123456789e-12', '0.000123456789123456789'],
  ['1.10', '1.10'],
])('%s keeps every digit from the message to the tree and back', (written, digits) => {
  const bots = [{ label: 'MyBot', market: 'futures' }] as const
  const message = `MyBot(BTCUSDT) { limit(buy, ${written}, @${written}); market(position=-${written}%p); stop(buy, 1, e-${written}) }`
  const { blocks } = readMessage(message, bots)
  const [limit, market, stop] = blocks[0]?.commands ?? []
  expect([limit, market, stop]).toMatchObject([
    { amount: { value: digits }, price: { value: digits } },
    { position: { value: `-${digits}` } },
    { price: { value: `-${digits}` } },
  ])
  const again = readMessage(formatBlocks(blocks), bots)
  expect(again.blocks[0]?.commands).toMatchObject([
    { amount: { value: digits } },
    { position: { value: `-${digits}` } },
    { price: { value: `-${digits}` } },
  ])
})
