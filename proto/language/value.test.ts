import { describe, expect, test } from '@jest/globals'
import {
  type Reading,
  readAmount,
  readDuration,
  readLeverage,
  readOffset,
  readPosition,
  readPrice,
} from './value.ts'

function readingOf<Value>(reading: Reading<Value>): Value | string {
  return reading.fault ? reading.fault.code : reading.value
}

describe('an amount', () => {
  test.each([
    ['0.010', 'base', '0.010'],
    ['.5', 'base', '0.5'],
    ['5.', 'base', '5'],
    ['007', 'base', '7'],
    ['+1', 'base', '1'],
    ['1e-8', 'base', '0.00000001'],
    ['1.25E3', 'base', '1250'],
    ['12345678901234567890.123456789', 'base', '12345678901234567890.123456789'],
    ['50%', 'percent', '50'],
    ['50 %', 'percent', '50'],
    ['50%b', 'percentEquity', '50'],
    ['50%A', 'percentAvailable', '50'],
    ['25%%', 'percentAvailable', '25'],
    ['50%p', 'percentPosition', '50'],
    ['50$', 'quote', '50'],
    ['$50', 'quote', '50'],
    ['50q', 'quote', '50'],
  ])('%j is %s of %s', (text, basis, value) => {
    expect(readingOf(readAmount(text))).toEqual({ basis, value })
  })

  test.each([
    ['10 usdt', '10', 'USDT'],
    ['0.5BTC', '0.5', 'BTC'],
    ['10 1INCH', '10', '1INCH'],
    ['5 eth', '5', 'ETH'],
  ])('%j is %s of the coin %s', (text, value, coin) => {
    expect(readingOf(readAmount(text))).toEqual({ basis: 'asset', value, coin })
  })

  test.each([
    ['NaN', 'E302'],
    ['null', 'E302'],
    ['abc', 'E302'],
    ['1,000', 'E302'],
    ['1.2.3', 'E302'],
    ['1'.repeat(80), 'E302'],
    ['1e99', 'E302'],
    ['10 bananas!', 'E303'],
    ['10k', 'E303'],
    ['2x', 'E303'],
    ['50%z', 'E303'],
    ['$50%', 'E303'],
    ['0', 'E304'],
    ['0.00%', 'E304'],
    ['-5', 'E304'],
  ])('%j is refused with %s', (text, code) => {
    expect(readingOf(readAmount(text))).toBe(code)
  })
})

describe('a target position', () => {
  test.each([
    ['-0.5', 'base', '-0.5'],
    ['- 5000', 'base', '-5000'],
    ['-0', 'base', '0'],
    ['0', 'base', '0'],
    ['Flat', 'base', '0'],
    ['close', 'base', '0'],
    ['-50%p', 'percentPosition', '-50'],
    ['-$500', 'quote', '-500'],
  ])('%j is %s of %s', (text, basis, value) => {
    expect(readingOf(readPosition(text))).toEqual({ basis, value })
  })
})

describe('a price', () => {
  test.each([
    ['58000', 'absolute', '58000', false],
    ['@58000.50', 'absolute', '58000.50', false],
    ['@ 5e4', 'absolute', '50000', false],
    ['+100', 'relative', '100', false],
    ['-1%', 'relative', '-1', true],
    ['- 1 %', 'relative', '-1', true],
    ['1%', 'offset', '1', true],
    ['e1%', 'entry', '1', true],
    ['E-0.5%', 'entry', '-0.5', true],
    ['e0', 'entry', '0', false],
    ['e100', 'entry', '100', false],
  ])('%j is %s %s, percent %s', (text, basis, value, percent) => {
    expect(readingOf(readPrice(text))).toEqual({ basis, value, percent })
  })

  test.each([
    ['0', 'E305'],
    ['@0', 'E305'],
    ['@-5', 'E305'],
    ['@5%', 'E305'],
    ['sixty', 'E305'],
    ['62000$', 'E305'],
    ['e', 'E305'],
    ['nan', 'E302'],
  ])('%j is refused with %s', (text, code) => {
    expect(readingOf(readPrice(text))).toBe(code)
  })
})

describe('an offset', () => {
  test.each([
    ['1%', 'offset', '1', true],
    ['+100', 'offset', '100', false],
    ['58000', 'offset', '58000', false],
    ['0', 'offset', '0', false],
    ['@57000.5', 'absolute', '57000.5', false],
    ['e-0.5%', 'entry', '-0.5', true],
  ])('%j is %s %s, percent %s', (text, basis, value, percent) => {
    expect(readingOf(readOffset(text))).toEqual({ basis, value, percent })
  })

  test('that is negative is refused with a correction for either direction', () => {
    const reading = readOffset('-1%')
    expect(reading.fault?.code).toBe('E306')
    expect(reading.fault?.expected).toContain('price=-1% for below the market or price=+1% for above')
  })
})

test.each([
  ['10', 10_000],
  ['1.5h', 5_400_000],
  ['500ms', 500],
  ['2 min', 120_000],
  ['1d', 86_400_000],
  ['24.1h', 'E309'],
  ['-1', 'E309'],
  ['2 weeks', 'E309'],
  ['soon', 'E309'],
])('the duration %j is %s', (text, expected) => {
  expect(readingOf(readDuration(text))).toBe(expected)
})

test.each([
  ['20', '20'],
  ['20X', '20'],
  ['1.5', '1.5'],
  ['200', '200'],
  ['201', 'E310'],
  ['0', 'E310'],
  ['-5', 'E310'],
  ['max', 'E302'],
])('the leverage %j is %s', (text, expected) => {
  expect(readingOf(readLeverage(text))).toBe(expected)
})

test.each(['constructor', '__proto__', 'toString'])('%j is no word of ours', (word) => {
  expect(readingOf(readPosition(word))).toBe('E302')
  expect(readingOf(readDuration(`1${word}`))).toBe('E309')
})

// Squared, the work on these digits would not end within a test's time.
test('digits without end are read in linear time', () => {
  const digits = `${'1'.repeat(400_000)}!`
  expect([
    readingOf(readPrice(digits)),
    readingOf(readDuration(digits)),
    readingOf(readLeverage(digits)),
  ]).toEqual(['E305', 'E309', 'E302'])
})
