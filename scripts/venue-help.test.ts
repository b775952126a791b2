import { expect, test } from '@jest/globals'
import { futuresCodes, spotCodes } from '../services/executor/src/venue/binance/codes.ts'
import { meaningOf } from '../services/executor/src/venue/bybit/codes.ts'
import { meaningOf as okxMeaningOf } from '../services/executor/src/venue/okx/codes.ts'
import { venueHelp } from '../web/src/shared/help/venue-help.ts'

const numbers = [
  ...range(-6000, -1),
  ...range(1, 40_000),
  ...range(50_000, 60_000),
  ...range(100_000, 175_000),
]

const meanings = {
  'Binance futures': {
    family: 'binance',
    codeOf: (code: number) => futuresCodes.meaningOf(refusal(code)).code,
  },
  'Binance spot': { family: 'binance', codeOf: (code: number) => spotCodes.meaningOf(refusal(code)).code },
  Bybit: { family: 'bybit', codeOf: (code: number) => meaningOf(refusal(code)).code },
  OKX: { family: 'okx', codeOf: (code: number) => okxMeaningOf({ ...refusal(code), status: 200 }).code },
} as const

test.each(Object.entries(meanings))('every number of %s with a meaning has a help entry', (_name, venue) => {
  const known = numbers.filter((code) => venue.codeOf(code) !== 'E601')
  expect(known.length).toBeGreaterThan(10)
  expect(known.filter((code) => venueHelp(venue.family, code) === undefined)).toEqual([])
})

function refusal(code: number) {
  return { status: 400, code, text: '' }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
