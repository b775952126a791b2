import { DecimalText } from '@tripline/proto/decimal'
import type { PositionSide } from '@tripline/proto/language/tree'
import { z } from 'zod'

/** Which position of a symbol is meant, in Binance's word. */
export const PositionSideWord = z.enum(['BOTH', 'LONG', 'SHORT'])
export type PositionSideWord = z.infer<typeof PositionSideWord>

const sides = { BOTH: 'both', LONG: 'long', SHORT: 'short' } as const

/** The same in ours. */
export function sideOf(word: PositionSideWord): PositionSide {
  return sides[word]
}

const words = { both: 'BOTH', long: 'LONG', short: 'SHORT' } as const

/** Our word for a position's side, in Binance's. */
export function wordOf(side: PositionSide): PositionSideWord {
  return words[side]
}

/** GET /fapi/v3/positionRisk; in one-way mode a symbol has at most one entry, in hedge mode one for each side. */
export const Positions = z.array(
  z.object({
    symbol: z.string(),
    positionSide: PositionSideWord.default('BOTH'),
    positionAmt: DecimalText,
    entryPrice: DecimalText,
    unRealizedProfit: DecimalText,
  }),
)
export type Position = z.infer<typeof Positions>[number]
