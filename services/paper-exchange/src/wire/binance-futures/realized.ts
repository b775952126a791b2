import type { MarketId } from '../../domain/market.ts'
import type { Fill, PositionSide } from '../../domain/order.ts'
import type { Entry } from '../../store/ledger.ts'

type Sums = { counted: number; bySide: Map<PositionSide, bigint> }

const known = new WeakMap<Fill[], Sums>()

/**
 * Returns all that the account realized in the market on that side, before fees. Only fills that are new are counted
 * anew.
 */
export function realizedOf({ fillsByMarket }: Entry, market: MarketId, side: PositionSide): bigint {
  const fills = fillsByMarket.get(market)
  if (!fills) return 0n
  const sums = known.get(fills) ?? { counted: 0, bySide: new Map() }
  for (const fill of fills.slice(sums.counted)) {
    sums.bySide.set(fill.positionSide, (sums.bySide.get(fill.positionSide) ?? 0n) + fill.realized)
  }
  sums.counted = fills.length
  known.set(fills, sums)
  return sums.bySide.get(side) ?? 0n
}
