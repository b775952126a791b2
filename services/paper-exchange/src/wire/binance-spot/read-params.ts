import { parseFixed } from '../../domain/fixed.ts'
import { findMarket, type Market, marketsOf } from '../../domain/market.ts'
import { illegal, invalid, missing, VenueError } from '../binance/errors.ts'
import type { Params } from '../params.ts'

const NUMBER = '^([0-9]{1,20})(\\.[0-9]{1,20})?$'
const WHOLE = '^[0-9]{1,20}$'
const SYMBOL = '^[A-Z0-9-_.]{1,20}$'
const SYMBOLS = '^\\[("[A-Z0-9-_.]{1,20}"(,"[A-Z0-9-_.]{1,20}"){0,}){0,1}\\]$'
const CLIENT_ID = '^[a-zA-Z0-9-_]{1,36}$'
const PATTERNS = new Map([NUMBER, WHOLE, SYMBOL, SYMBOLS, CLIENT_ID].map((text) => [text, new RegExp(text)]))

// Amounts of every coin have this many places.
const PLACES = 8

/** The text of a parameter, undefined where the request has none; an empty one is refused. */
export function readText(params: Params, name: string): string | undefined {
  const text = params.get(name)
  if (text === '') throw new VenueError(-1105, `Parameter '${name}' was empty.`)
  return text
}

function readMatching(params: Params, name: string, pattern: string): string | undefined {
  const text = readText(params, name)
  if (text !== undefined && !PATTERNS.get(pattern)?.test(text)) throw illegal(name, pattern)
  return text
}

function needed<Value>(params: Params, name: string, read: () => Value | undefined): Value {
  const value = params.get(name) === '' ? undefined : read()
  if (value === undefined) throw missing(name)
  return value
}

/** The market a request names. */
export function readMarket(params: Params): Market {
  return marketNamed(needed(params, 'symbol', () => readMatching(params, 'symbol', SYMBOL)))
}

function marketNamed(symbol: string): Market {
  const market = findMarket('binance-spot', symbol)
  if (!market) throw new VenueError(-1121, 'Invalid symbol.')
  return market
}

/** The markets a request chooses by `symbol` or `symbols`: one, several, or all of them. */
export function readMarkets(params: Params): Market | readonly Market[] {
  const several = readMatching(params, 'symbols', SYMBOLS)
  if (params.has('symbol')) {
    if (several !== undefined) throw new VenueError(-1128, 'Combination of optional parameters invalid.')
    return readMarket(params)
  }
  if (several === undefined) return marketsOf('binance-spot')
  const symbols = JSON.parse(several) as string[]
  if (new Set(symbols).size < symbols.length)
    throw new VenueError(-1151, 'Symbol is present multiple times in the list.')
  return symbols.map(marketNamed)
}

/** A whole number, or undefined where the request has none. */
export function readWhole(params: Params, name: string): number | undefined {
  const text = readMatching(params, name, WHOLE)
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new VenueError(-1108, `Parameter '${name}' overflowed.`)
  return value
}

/** Returns a moment in milliseconds; microseconds, which the venue takes too, are known by their size. */
export function readMoment(params: Params, name: string): number | undefined {
  const moment = readWhole(params, name)
  return moment !== undefined && moment >= 10_000_000_000_000 ? Math.floor(moment / 1_000) : moment
}

/** Returns the number of rows that are wanted, at most `most`. */
export function readLimit(params: Params, usual: number, most: number): number {
  const limit = readWhole(params, 'limit') ?? usual
  if (limit < 1) throw invalid('limit')
  return Math.min(limit, most)
}

/** A decimal with eight places that must be there. */
export function needAmount(params: Params, name: string): bigint {
  return needed(params, name, () => readAmount(params, name))
}

/** A decimal as a count of 10^-8, or undefined where the request has none. */
export function readAmount(params: Params, name: string): bigint | undefined {
  const text = readMatching(params, name, NUMBER)
  if (text === undefined) return undefined
  const amount = parseFixed(text, PLACES)
  if (amount === undefined) throw new VenueError(-1111, `Parameter '${name}' has too much precision.`)
  return amount
}

/** One of the words a parameter may be, as what it stands for; `unknown` is thrown for any other. */
export function readWord<Value>(
  params: Params,
  name: string,
  words: Readonly<Record<string, Value>>,
  unknown: () => VenueError = () => invalid(name),
): Value | undefined {
  const text = readText(params, name)
  if (text === undefined) return undefined
  const value = Object.hasOwn(words, text) ? words[text] : undefined
  if (value === undefined) throw unknown()
  return value
}

/** The same for a parameter that must be there. */
export function needWord<Value>(
  params: Params,
  name: string,
  words: Readonly<Record<string, Value>>,
  unknown?: () => VenueError,
): Value {
  return needed(params, name, () => readWord(params, name, words, unknown))
}

/** A client's own id of an order or a list, or undefined where the request has none. */
export function readClientId(params: Params, name: string): string | undefined {
  return readMatching(params, name, CLIENT_ID)
}
