import { parseFixed } from '../../domain/fixed.ts'
import { findMarket, type Market } from '../../domain/market.ts'
import type { PositionSide, Side } from '../../domain/order.ts'
import { illegal, invalid, missing, VenueError } from '../binance/errors.ts'
import type { Params } from '../params.ts'
import { idMeant } from './shown-id.ts'

const NUMBER = '^([0-9]{1,20})(\\.[0-9]{1,20})?$'
const NUMBER_PATTERN = new RegExp(NUMBER)
const WHOLE = '^[0-9]{1,20}$'
const WHOLE_PATTERN = new RegExp(WHOLE)

/** The market a request names. */
export function readMarket(params: Params): Market {
  const symbol = params.get('symbol')
  if (!symbol) throw missing('symbol')
  const market = findMarket('binance-futures', symbol)
  if (!market) throw new VenueError(-1121, 'Invalid symbol.')
  return market
}

/** A whole number, or undefined where the request has none. */
export function readWhole(params: Params, name: string): number | undefined {
  const text = params.get(name)
  if (!text) return undefined
  if (!WHOLE_PATTERN.test(text)) throw illegal(name, WHOLE)
  return Number(text)
}

/** The order that a request names by its id, or undefined where it does not. */
export function readOrderId(params: Params): number | undefined {
  return readWhole(params, 'orderId') === undefined ? undefined : idMeant(params.get('orderId') ?? '')
}

/** A whole number that must be there. */
export function needWhole(params: Params, name: string): number {
  const value = readWhole(params, name)
  if (value === undefined) throw missing(name)
  return value
}

/** A flag, false where the request has none. */
export function readFlag(params: Params, name: string): boolean {
  const text = params.get(name)?.toLowerCase()
  if (text === undefined || text === 'false') return false
  if (text !== 'true') throw invalid(name)
  return true
}

/** A decimal of at most so many places, as a count of the last of them. */
export function readAmount(params: Params, name: string, places: number): bigint {
  const text = params.get(name)
  if (!text) throw missing(name)
  if (!NUMBER_PATTERN.test(text)) throw illegal(name, NUMBER)
  const amount = parseFixed(text, places)
  if (amount === undefined)
    throw new VenueError(-1111, 'Precision is over the maximum defined for this asset.')
  return amount
}

/** Returns the number of rows that are wanted. */
export function readLimit(params: Params, usual: number, most: number): number {
  const limit = readWhole(params, 'limit') ?? usual
  if (limit < 1 || limit > most) throw invalid('limit')
  return limit
}

/** The side an order is on. */
export function readSide(params: Params): Side {
  const side = params.get('side')
  if (!side) throw missing('side')
  if (side === 'BUY') return 'buy'
  if (side === 'SELL') return 'sell'
  throw new VenueError(-1117, 'Invalid side.')
}

const POSITION_SIDES: Readonly<Record<string, PositionSide>> = { BOTH: 'net', LONG: 'long', SHORT: 'short' }

/** The position a request is about; the one of one-way mode unless it names another. */
export function readPositionSide(params: Params): PositionSide {
  const side = POSITION_SIDES[params.get('positionSide') ?? 'BOTH']
  if (!side) throw new VenueError(-4060, 'Invalid position side.')
  return side
}

/** The venue's word for a position's side. */
export function positionSideText(side: PositionSide): string {
  return side === 'net' ? 'BOTH' : side.toUpperCase()
}

const WEEK_MS = 604_800_000

/** From when to when rows are wanted, and how many. */
export type Span = Readonly<{ from: number; to: number; limit: number }>

/** The span a request names: the last seven days unless it says otherwise, and never more than seven. */
export function readSpan(params: Params, now: number, usual = 500, most = 1000): Span {
  const from = readWhole(params, 'startTime')
  const to = readWhole(params, 'endTime')
  if (from !== undefined && to !== undefined) {
    if (from > to) throw new VenueError(-1023, 'Start time is greater than end time.')
    if (to - from > WEEK_MS) throw new VenueError(-4165, 'Maximum time interval is 7 days')
  }
  const limit = readLimit(params, usual, most)
  const start = from ?? (to ?? now) - WEEK_MS
  return { from: start, to: to ?? (from === undefined ? Number.POSITIVE_INFINITY : from + WEEK_MS), limit }
}

/** Whether a moment lies in the span. */
export function isWithin(span: Span, at: number): boolean {
  return at >= span.from && at <= span.to
}

/** Whether a request says where its rows start. */
export function startsSomewhere(params: Params): boolean {
  return ['startTime', 'orderId', 'fromId', 'algoId'].some((name) => params.has(name))
}

/**
 * The rows of the keys that are wanted. From a start on the first ones are, without one the latest; either way the
 * oldest comes first.
 */
export function collect<Key, Row>(
  keys: readonly Key[],
  limit: number,
  forward: boolean,
  wanted: (key: Key) => Row | undefined,
): Row[] {
  const rows: Row[] = []
  for (let step = 0; step < keys.length && rows.length < limit; step += 1) {
    const key = keys.at(forward ? step : -1 - step)
    const row = key === undefined ? undefined : wanted(key)
    if (row !== undefined) rows.push(row)
  }
  return forward ? rows : rows.reverse()
}
