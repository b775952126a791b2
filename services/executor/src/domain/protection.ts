import type { PositionSide } from '@tripline/proto/language/tree'
import { isOpenOrder } from './attempt.ts'
import { isProtective } from './decide.ts'
import type { LegsRecord } from './legs-record.ts'
import type { Watch } from './watch.ts'

/**
 * A stop that a message ordered for a position. `stands`: the exchange has it; `open`: what became of it is not known yet;
 * `over`: it filled, or another leg did; `missing`: it was canceled by hand, expired, was refused or is lost.
 */
export interface Protection {
  positionSide: PositionSide
  stop: 'stands' | 'open' | 'over' | 'missing'
}

/** Returns the protection that a watch is over; undefined where it protects nothing, or its market has no positions. */
export function protectionIn({ kept: { record }, attempts, market }: Watch): Protection | undefined {
  const [first] = record.legs
  if (first === undefined || market.kind !== 'linear' || !isProtecting(record)) return undefined
  const { positionSide } = first.decision.plan
  const stops = attempts.filter(({ decision }) => decision !== undefined && isProtective(decision.plan))
  if (stops.some(isOpenOrder)) return { positionSide, stop: 'stands' }
  if (stops.some(({ doubt }) => doubt !== undefined)) return { positionSide, stop: 'open' }
  const isFilled = attempts.some(({ found }) => found?.status === 'filled')
  return { positionSide, stop: isFilled ? 'over' : 'missing' }
}

/** True where one of its orders limits the loss of a position, or was meant to. */
function isProtecting({ protects, legs }: LegsRecord): boolean {
  return protects === true || legs.some(({ decision: { plan } }) => isProtective(plan) && plan.reduceOnly)
}
