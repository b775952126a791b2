import { isZero } from '@tripline/proto/decimal'
import { type HeldSide, sideAgainst } from '../group/closing.ts'
import { placesOrders } from '../resolve/command.ts'
import type { Execution } from './state.ts'

/** The sides that the orders of a command have traded against: a position there may be closed. */
export function tradedAgainst({ commands, outcomes, current, market }: Execution): readonly HeldSide[] {
  const command = commands[outcomes.length]
  if (command === undefined || !placesOrders(command)) return []
  return (current.orders ?? []).flatMap(({ found, decision }) => {
    if (found === undefined || isZero(found.filled)) return []
    const against = sideAgainst(found.side)
    if (market.kind === 'spot' && against === 'short') return []
    const { positionSide = 'both' } = decision?.plan ?? {}
    return positionSide === 'both' || positionSide === against ? [against] : []
  })
}
