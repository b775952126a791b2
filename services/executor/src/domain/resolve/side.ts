import { reduces } from '../account/position.ts'
import type { Side } from '../order/side.ts'
import { type Sizing, sizeOrder } from '../sizing/sizing.ts'
import { unplaced } from './denial.ts'
import type { Resolution, Scene } from './resolution.ts'

/** The side of a command: as written, or what leads to its target position. */
export function sideOf(command: Sizing, { market, reading }: Scene): Side | Resolution {
  if (command.side !== undefined && command.position === undefined) return command.side
  const size = sizeOrder(command, market, reading)
  return size.size === 'order' ? size.side : unplaced(size)
}

/**
 * The size as it is asked for, reduce-only where it stands against a position and does not say otherwise: it may fill
 * long after that position is gone, and is not to open another one. A target that turns the position does so as a leg
 * only where that is written.
 */
export function shrinking<Asked extends Sizing>(
  asked: Asked,
  side: Side,
  { market, reading, isLeg = false }: Scene,
): Asked {
  if (market.kind !== 'linear' || !reduces(side, reading.position)) return asked
  const isOwn = asked.position === undefined || isLeg
  return isOwn ? { ...asked, reduceOnly: asked.reduceOnly ?? true } : asked
}
