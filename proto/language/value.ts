import { isAtMost, isZeroText, numberPattern, plainNumber, shiftPoint, timesWhole } from './number-text.ts'
import type { Fault } from './problem.ts'
import { nearest } from './suggestion.ts'
import { quoted } from './syntax-fault.ts'
import type { Amount, AmountBasis, Price, Side } from './tree.ts'

/** A value's reading, or its fault. */
export type Reading<Value> = { value: Value; fault?: undefined } | { fault: Fault }

/** Buy or sell, also as long and short or by their first letter. */
export function readSide(text: string): Reading<Side> {
  const value = sides.get(text.toLowerCase())
  if (value !== undefined) return { value }
  const suggestion = nearest(text, ['buy', 'sell', 'long', 'short'])
  return wrong('E301', `${quoted(text)} is not a side`, 'A side is buy or sell', suggestion)
}

/** A size greater than zero. */
export function readAmount(text: string): Reading<Amount> {
  const reading = readSignedAmount(text)
  if (reading.fault) return reading
  const { value } = reading.value
  if (!value.startsWith('-') && !isZeroText(value)) return reading
  return wrong(
    'E304',
    `the size ${quoted(text)} is not greater than zero`,
    'A size is greater than zero; for shorts use side=sell or position=-n',
  )
}

/** A target position: positive long, negative short; `flat` and `close` are 0. */
export function readPosition(text: string): Reading<Amount> {
  const word = text.toLowerCase()
  if (word === 'flat' || word === 'close') return { value: { basis: 'base', value: '0' } }
  return readSignedAmount(text)
}

/** A price: absolute, from the market in the chart's direction or away for the side, or from the entry. */
export function readPrice(text: string): Reading<Price> {
  const parts = readPriceParts(text)
  if (parts.fault) return parts
  const { origin, sign, value, percent } = parts.value
  if (origin === 'e') return { value: { basis: 'entry', value: signed(sign, value), percent } }
  if (origin === '@') return readAbsolute(text, parts.value)
  if (sign !== '') return { value: { basis: 'relative', value: signed(sign, value), percent } }
  return percent ? { value: { basis: 'offset', value, percent } } : readAbsolute(text, parts.value)
}

/** A distance from the market away from it for the side; `@` makes it a price, `e` counts from the entry. */
export function readOffset(text: string): Reading<Price> {
  const parts = readPriceParts(text)
  if (parts.fault) return parts
  const { origin, sign, value, percent } = parts.value
  if (origin === 'e') return { value: { basis: 'entry', value: signed(sign, value), percent } }
  if (origin === '@') return readAbsolute(text, parts.value)
  if (sign !== '-') return { value: { basis: 'offset', value, percent } }
  const distance = percent ? `${value}%` : value
  return wrong(
    'E306',
    `the offset ${quoted(text)} is negative`,
    `An offset is measured away from the market for this side; use price=-${distance} for below the market or price=+${distance} for above`,
  )
}

/** A duration in ms of at most a day; a bare number is seconds. */
export function readDuration(text: string): Reading<number> {
  const [, digits, exponent, unit = 's'] = durationPattern.exec(text) ?? []
  const plain = digits === undefined ? undefined : plainNumber(digits, exponent)
  const unitMs = unitsMs.get(unit.toLowerCase())
  const expected = 'A duration is written like 10s, 2m or 1h, at most 24h; a bare number is seconds'
  if (plain === undefined || unitMs === undefined) {
    return wrong('E309', `${quoted(text)} is not a duration`, expected)
  }
  const durationMs = timesWhole(plain, unitMs)
  if (durationMs > dayMs) return wrong('E309', `${quoted(text)} is longer than 24 hours`, expected)
  return { value: durationMs }
}

/** Yes or no in one of its spellings. */
export function readBoolean(text: string): Reading<boolean> {
  const value = booleans.get(text.toLowerCase())
  if (value !== undefined) return { value }
  return wrong(
    'E307',
    `${quoted(text)} is neither true nor false`,
    'It is true or false, yes or no, on or off, 1 or 0',
    nearest(text, booleans.keys()),
  )
}

/** One of the choices, in any case and however its words are joined. */
export function readChoice(text: string, choices: readonly string[]): Reading<string> {
  const key = choiceKey(text)
  const value = choices.find((choice) => choiceKey(choice) === key)
  if (value !== undefined) return { value }
  const cause = `${quoted(text)} is not one of the choices`
  return wrong('E308', cause, `The choices are ${choices.join(', ')}`, nearest(text, choices))
}

/** One-way or hedge, which `hedge=yes` says as well. */
export function readPositionMode(text: string, choices: readonly string[]): Reading<string> {
  const isHedge = booleans.get(text.toLowerCase())
  if (isHedge === undefined) return readChoice(text, choices)
  return { value: isHedge ? 'hedge' : 'oneWay' }
}

/** A name for an order that fits into every venue's ids. */
export function readTag(text: string): Reading<string> {
  if (/^[A-Za-z0-9_-]{1,16}$/.test(text)) return { value: text }
  return wrong('E312', `${quoted(text)} is not a tag`, 'A tag has letters, digits, - and _, up to 16 of them')
}

/** The id of an order: a number at Binance, a UUID at Bybit, or the one that it was placed with. */
export function readOrderId(text: string): Reading<string> {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(text)) return { value: text }
  const expected = 'An id has letters, digits, - and _, up to 64 of them, as the open orders show it'
  return wrong('E312', `${quoted(text)} is not the id of an order`, expected)
}

/** A coin in upper case. */
export function readCoin(text: string): Reading<string> {
  const coin = text.toUpperCase()
  if (/^[\p{L}\p{N}]{1,20}$/u.test(coin)) return { value: coin }
  return wrong('E308', `${quoted(text)} is not a coin`, 'A coin is named like USDT')
}

/** A leverage as decimal text, from 1 to the most that any venue gives. */
export function readLeverage(text: string): Reading<string> {
  const [, minus, digits, exponent] = leveragePattern.exec(text) ?? []
  const value = digits === undefined ? undefined : plainNumber(digits, exponent)
  const expected = `A leverage is a number from 1 to the symbol's maximum, at most ${maxLeverage}, or cross or isolated`
  if (value === undefined) return wrong('E302', `${quoted(text)} is not a number`, expected)
  const isInRange = minus === '' && isAtMost('1', value) && isAtMost(value, maxLeverage)
  if (isInRange) return { value }
  return wrong('E310', `the leverage ${quoted(text)} is out of range`, expected)
}

const sides = new Map<string, Side>([
  ['buy', 'buy'],
  ['long', 'buy'],
  ['b', 'buy'],
  ['sell', 'sell'],
  ['short', 'sell'],
  ['s', 'sell'],
])

const booleans = new Map([
  ...['true', '1', 'yes', 'y', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'n', 'off'].map((word) => [word, false] as const),
])

const dayMs = 86_400_000
const unitsMs = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['sec', 1_000],
  ['m', 60_000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', dayMs],
])

// No venue gives more on any symbol; what a symbol allows is known to the venue.
const maxLeverage = '200'

const durationPattern = new RegExp(`^${numberPattern}\\s*([a-z]+)?$`, 'i')
const leveragePattern = new RegExp(`^(-?)\\s*${numberPattern}\\s*x?$`, 'i')
const pricePattern = new RegExp(`^(@|e)?\\s*([+-]?)\\s*${numberPattern}\\s*(%?)$`, 'i')
const amountPattern = new RegExp(`^([+-]?)\\s*(\\$?)\\s*${numberPattern}\\s*(.*)$`, 'is')

// Texts of charting platforms and scripts in place of a number.
const noNumber = /^(?:[+-]?(?:nan|na|n\/a|null|undefined|none|inf|infinity|∞))?$/i

function readSignedAmount(text: string): Reading<Amount> {
  const [, sign = '', dollar, digits, exponent, unit = ''] = amountPattern.exec(text) ?? []
  const value = digits === undefined ? undefined : plainNumber(digits, exponent)
  if (value === undefined || /^[,.']|^\d+$/.test(unit))
    return { fault: notANumber(text, '{{strategy.order.contracts}}') }
  const size = dollar === '$' ? readUnit(`$${unit}`) : readUnit(unit)
  if (size) return { value: { ...size, value: signed(sign, value) } }
  return { fault: badUnit(unit, text, value) }
}

function readUnit(unit: string): Pick<Amount, 'basis' | 'coin'> | undefined {
  const basis = bases.get(unit.toLowerCase().replace(/\s+/g, ''))
  if (basis !== undefined) return { basis }
  // A coin of one letter would make 10k and 2x coins.
  const coin = unit.toUpperCase()
  return /^\d{0,7}\p{L}[\p{L}\p{N}]{1,14}$/u.test(coin) ? { basis: 'asset', coin } : undefined
}

const bases = new Map<string, AmountBasis>([
  ['', 'base'],
  ['%', 'percent'],
  ['%b', 'percentEquity'],
  ['%a', 'percentAvailable'],
  ['%%', 'percentAvailable'],
  ['%p', 'percentPosition'],
  ['$', 'quote'],
  ['q', 'quote'],
])

function badUnit(unit: string, text: string, value: string): Fault {
  const units = 'A size is written like 0.01, 50%, 50%b, 50%a, 50%p, 100$ or 100 USDT'
  if (unit.toLowerCase() !== 'x') {
    return {
      code: 'E303',
      cause: `${quoted(unit)} in ${quoted(text)} is not a unit of size`,
      expected: units,
    }
  }
  return {
    code: 'E303',
    cause: `the size ${quoted(text)} is a multiple`,
    expected: units,
    suggestion: `${shiftPoint(value, 2)}%`,
  }
}

function notANumber(text: string, placeholder: string): Fault {
  const expected = noNumber.test(text)
    ? `The placeholder that should give it, such as ${placeholder}, was probably empty`
    : 'A number is written like 0.01, with a point and without separators'
  return { code: 'E302', cause: `${quoted(text)} is not a number`, expected }
}

interface PriceParts {
  origin: '' | '@' | 'e'
  sign: string
  value: string
  percent: boolean
}

function readPriceParts(text: string): Reading<PriceParts> {
  if (noNumber.test(text)) return { fault: notANumber(text, '{{strategy.order.price}}') }
  const [, origin = '', sign = '', digits, exponent, percent] = pricePattern.exec(text) ?? []
  const value = digits === undefined ? undefined : plainNumber(digits, exponent)
  if (value === undefined) return badPrice(text)
  const kind = origin === '' || origin === '@' ? origin : 'e'
  return { value: { origin: kind, sign, value, percent: percent === '%' } }
}

function readAbsolute(text: string, { sign, value, percent }: PriceParts): Reading<Price> {
  if (sign !== '' || percent || isZeroText(value)) return badPrice(text)
  return { value: { basis: 'absolute', value, percent } }
}

function badPrice(text: string): Reading<never> {
  return wrong(
    'E305',
    `${quoted(text)} is not a price`,
    'A price is written like 58000 or @58000, +1% or -1% from the market, 1% away from it for the side, or e1% from the entry',
  )
}

function signed(sign: string, value: string): string {
  return sign === '-' && !isZeroText(value) ? `-${value}` : value
}

function choiceKey(text: string): string {
  return text.toLowerCase().replace(/[\s_-]/g, '')
}

function wrong(code: Fault['code'], cause: string, expected: string, suggestion?: string): Reading<never> {
  return { fault: { code, cause, expected, ...(suggestion === undefined ? {} : { suggestion }) } }
}
