import { absolute, add, isZero, least } from '@tripline/proto/decimal'
import type { AccountSettings, HeldPosition } from '../../../domain/account/account.ts'
import type { ViewedPosition } from '../../../domain/account/view.ts'
import { heldSide, type PositionSums } from '../../account/recall.ts'

/** One side of a position with what it has won or lost. */
export interface PricedPosition extends ViewedPosition {
  unrealizedPnl: string
  /** When it changed last, by the venue's clock; undefined where it does not say. */
  updatedAt?: number | undefined
}

/** Returns the sums of one symbol's positions. */
export function sumsOf(
  positions: readonly PricedPosition[],
  mode: AccountSettings['positionMode'],
): PositionSums {
  const heldAt = (side: ViewedPosition['side']): HeldPosition =>
    heldSide(positions.find((position) => position.side === side))
  if (mode === 'oneWay') {
    const { quantity, ...rest } = heldAt('both')
    return { position: quantity, ...rest }
  }
  const [long, short] = [heldAt('long'), heldAt('short')]
  return { ...netOf(long, short), hedged: { long, short } }
}

// Both sides together have an entry price only where there is one of them.
function netOf(long: HeldPosition, short: HeldPosition): PositionSums {
  const isOneSided = isZero(least(absolute(long.quantity), absolute(short.quantity)))
  return {
    position: add(long.quantity, short.quantity),
    entryPrice: isOneSided ? (long.entryPrice ?? short.entryPrice) : null,
    unrealizedPnl: add(long.unrealizedPnl, short.unrealizedPnl),
  }
}
