import { isZero } from '@tripline/proto/decimal'
import type { Market } from '../order/market.ts'
import type { VenueOrder } from '../order/order.ts'
import type { AccountReading } from './account.ts'
import { reduces } from './position.ts'

/**
 * True for an open order that can only open or add, among all that are open. Orders that reduce or may protect are
 * none: also not, of a flat account, a trigger that may be there for an unfilled entry on the other side.
 */
export function isRestingEntry(
  order: VenueOrder,
  open: readonly VenueOrder[],
  { kind }: Market,
  reading: Pick<AccountReading, 'position' | 'hedged'> | undefined,
): boolean {
  if (order.type === 'other' || order.reduceOnly) return false
  if (kind === 'spot') return order.side === 'buy'
  if (reading === undefined) return false
  if (reading.hedged !== undefined) return true
  if (!isZero(reading.position)) return !reduces(order.side, reading.position)
  const mayFillFirst = (other: VenueOrder): boolean =>
    !other.isConditional && !other.reduceOnly && other.side !== order.side
  return !order.isConditional || !open.some(mayFillFirst)
}
