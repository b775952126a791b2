import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  absolute,
  ceilToStep,
  DecimalText,
  divide,
  floorToStep,
  isGreater,
  isLess,
  isNegative,
  isZero,
  least,
  multiply,
  plain,
  subtract,
} from './decimal.ts'

const manyRuns = { numRuns: 1000 }
const places = 18

/** Decimal text made of whole numbers, and the same value as a count of the smallest place. */
const decimals: fc.Arbitrary<{ text: string; units: bigint }> = fc
  .record({
    digits: fc.bigInt({ min: 0n, max: 10n ** 30n }),
    scale: fc.integer({ min: 0, max: places }),
    isNegative: fc.boolean(),
  })
  .map(({ digits, scale, isNegative }) => {
    const padded = `${digits}`.padStart(scale + 1, '0')
    const whole = padded.slice(0, padded.length - scale)
    const fraction = scale === 0 ? '' : `.${padded.slice(-scale)}`
    const sign = isNegative && digits > 0n ? '-' : ''
    const units = digits * 10n ** BigInt(places - scale)
    return { text: `${sign}${whole}${fraction}`, units: sign ? -units : units }
  })

function unitsOf(text: string, at = places): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + fraction.padEnd(at, '0').slice(0, at))
  return text.startsWith('-') ? -units : units
}

const steps = fc.constantFrom('0.001', '0.00001', '0.00100', '0.1', '0.5', '0.25', '1', '5', '10', '100')

describe('decimal text', () => {
  test.each(['0', '-0', '1', '0.010', '-12.5', '007', '123456789012345678901234567890.1'])('%s', (text) => {
    expect(DecimalText.safeParse(text).success).toBe(true)
  })

  test.each(['', '.5', '5.', '+1', '1e3', '1,000', 'NaN', 'Infinity', '0x10', ' 1', '1\n', '--1', '１'])(
    'is not %j',
    (text) => {
      expect(DecimalText.safeParse(text).success).toBe(false)
    },
  )
})

describe('arithmetic', () => {
  test('has no float in it', () => {
    expect(subtract('0.3', '0.1')).toBe('0.2')
    expect(multiply('1.1', '1.1')).toBe('1.21')
    expect(multiply('100000000000000000000000000000000000000000', '10')).toBe(`1${'0'.repeat(42)}`)
    expect(multiply('0.00000000000000000001', '0.00000000000000000001')).toBe(`0.${'0'.repeat(39)}1`)
  })

  test('leaves out the zeros at the end where people read it', () => {
    expect(['9998.79999800', '100', '0.010', '5.000'].map(plain)).toEqual(['9998.799998', '100', '0.01', '5'])
  })

  test('leaves out zeros of any notation, and nothing else', () => {
    fc.assert(
      fc.property(decimals, fc.nat(4), ({ text, units }, zeros) => {
        const padded = zeros === 0 ? text : `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(zeros)}`
        expect(unitsOf(plain(padded))).toBe(units)
        expect(plain(padded)).not.toMatch(/\..*0$|\.$/)
        expect(plain(`0${padded.replace('-', '')}`)).toBe(plain(padded.replace('-', '')))
      }),
      manyRuns,
    )
    expect(['-0.50', '1.50e2', '-0.00', '.5'].map(plain)).toEqual(['-0.5', '150', '0', '0.5'])
    expect(() => plain('1,5')).toThrow()
  })

  test('is exact, and comes as plain decimal text', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const [difference, product] = [subtract(a.text, b.text), multiply(a.text, b.text)]
        expect(unitsOf(difference)).toBe(a.units - b.units)
        expect(unitsOf(product, 2 * places)).toBe(a.units * b.units)
        for (const text of [difference, product, absolute(a.text)]) {
          expect(DecimalText.safeParse(text).success).toBe(true)
        }
      }),
      manyRuns,
    )
  })

  test('divides to far more places than any step has', () => {
    expect(divide('1', '3')).toBe(`0.${'3'.repeat(30)}`)
    expect(divide('10000', '0.00000001')).toBe('1000000000000')
    expect(() => divide('1', '0.0')).toThrow('Division by zero')
  })

  test('compares as numbers do', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        expect(isLess(a.text, b.text)).toBe(a.units < b.units)
        expect(isGreater(a.text, b.text)).toBe(a.units > b.units)
        expect(isZero(a.text)).toBe(a.units === 0n)
        expect(isNegative(a.text)).toBe(a.units < 0n)
        expect([a.text, b.text]).toContain(least(a.text, b.text))
        expect(isGreater(least(a.text, b.text), a.text) || isGreater(least(a.text, b.text), b.text)).toBe(
          false,
        )
        expect(unitsOf(absolute(a.text))).toBe(a.units < 0n ? -a.units : a.units)
      }),
      manyRuns,
    )
  })

  test('knows one zero', () => {
    for (const zero of ['0', '-0', '0.000', '-0.000']) {
      expect([isZero(zero), isNegative(zero), isLess(zero, '0')]).toEqual([true, false, false])
    }
  })
})

describe('a step', () => {
  test.each([
    ['0.0129', '0.001', '0.012', '0.013'],
    ['0.012', '0.001', '0.012', '0.012'],
    ['-0.0129', '0.001', '-0.012', '-0.013'],
    ['7', '5', '5', '10'],
    ['0.3', '0.25', '0.25', '0.50'],
    ['5', '0.00100', '5.000', '5.000'],
    ['123', '10', '120', '130'],
  ])('%s at %s floors to %s and ceils to %s', (value, step, floored, ceiled) => {
    expect([floorToStep(value, step), ceilToStep(value, step)]).toEqual([floored, ceiled])
  })

  test('divides every number that is rounded to it, toward zero and away from it', () => {
    fc.assert(
      fc.property(decimals, steps, ({ text, units }, step) => {
        const [floored, ceiled, size] = [floorToStep(text, step), ceilToStep(text, step), unitsOf(step)]
        const [down, up] = [unitsOf(floored), unitsOf(ceiled)]
        expect([down % size, up % size]).toEqual([0n, 0n])
        const [whole, below, above] = [units, down, up].map((each) => (units < 0n ? -each : each))
        expect(below).toBeLessThanOrEqual(whole ?? 0n)
        expect(above).toBeGreaterThanOrEqual(whole ?? 0n)
        expect((above ?? 0n) - (below ?? 0n)).toBe(units % size === 0n ? 0n : size)
      }),
      manyRuns,
    )
  })

  test('gives its decimals to rounded numbers, and rounding again changes nothing', () => {
    fc.assert(
      fc.property(decimals, steps, ({ text }, step) => {
        const fraction = step.replace(/0+$/, '').split('.')[1] ?? ''
        for (const rounded of [floorToStep(text, step), ceilToStep(text, step)]) {
          expect((rounded.split('.')[1] ?? '').length).toBe(step.includes('.') ? fraction.length : 0)
          expect(floorToStep(rounded, step)).toBe(rounded)
        }
      }),
      manyRuns,
    )
  })

  test('leaves no minus before a zero', () => {
    expect(floorToStep('-0.0004', '0.001')).toBe('0.000')
  })
})
