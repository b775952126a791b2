import type { PositionSide as Side } from '@tripline/proto/language/tree'
import { z } from 'zod'
import { Decimal, spare, Text } from '../../read/read-fields.ts'

const words = ['BOTH', 'LONG', 'SHORT'] as const

/** Which position of a symbol is meant, in Binance's word. */
export type PositionSideWord = (typeof words)[number]

/** The field that says it; an account without hedge mode has no other than the one of both sides. */
export const PositionSide = spare('positionSide', z.enum(words), 'BOTH' as PositionSideWord)

const sides = { BOTH: 'both', LONG: 'long', SHORT: 'short' } as const

/** The same in ours. */
export function sideOf(word: PositionSideWord): Side {
  return sides[word]
}

const wordsOfSides = { both: 'BOTH', long: 'LONG', short: 'SHORT' } as const

/** Our word for a position's side, in Binance's. */
export function wordOf(side: Side): PositionSideWord {
  return wordsOfSides[side]
}

/** GET /fapi/v3/positionRisk; in one-way mode a symbol has at most one entry, in hedge mode one for each side. */
export const Position = z.object({
  symbol: Text,
  positionSide: PositionSide,
  positionAmt: Decimal,
  entryPrice: spare('entryPrice', Decimal, undefined),
  unRealizedProfit: spare('unRealizedProfit', Decimal, '0'),
})
export type Position = z.output<typeof Position>
