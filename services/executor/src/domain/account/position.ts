import { absolute, isGreater, isNegative, isZero } from '@tripline/proto/decimal'
import type { PositionSide } from '@tripline/proto/language/tree'
import type { Side } from '../order/side.ts'
import type { AccountReading } from './account.ts'

/** True when a trade of this side makes the position smaller. */
export function reduces(side: Side, position: string): boolean {
  if (isZero(position)) return false
  return isNegative(position) === (side === 'buy')
}

/** True when an order of this side and quantity only shrinks the position. */
export function isExit(side: Side, quantity: string, position: string): boolean {
  return reduces(side, position) && !isGreater(quantity, absolute(position))
}

/** True for an order of the side that makes the position that it names smaller. */
export function isAgainst(
  { positionSide, side }: { positionSide: PositionSide; side: Side },
  { position }: Pick<AccountReading, 'position'>,
): boolean {
  return positionSide === 'both' ? reduces(side, position) : (positionSide === 'long') === (side === 'sell')
}
