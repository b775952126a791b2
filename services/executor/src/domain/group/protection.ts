import { isLess } from '@tripline/proto/decimal'
import type { PositionSide } from '@tripline/proto/language/tree'
import { isOpenOrder } from '../order/attempt.ts'
import type { Market } from '../order/market.ts'
import { isProtective, type OrderPlan } from '../order/order.ts'
import type { LegsRecord } from './legs-record.ts'
import type { Watch } from './watch.ts'

/**
 * A stop that a message ordered for a position, or on spot for coins that it is to sell. `stands`: the exchange has it;
 * `open`: its fate is not known yet;
 * `over`: it filled, or another leg did; `missing`: it was canceled by hand, expired, was refused or is lost.
 */
export interface Protection {
  positionSide: PositionSide
  stop: 'stands' | 'open' | 'over' | 'missing'
  /** Coins that it is for; on spot alone. */
  coins?: string
}

/** Returns the protection that a watch is over; undefined where it protects nothing. */
export function protectionIn({ stored: { record }, attempts, market }: Watch): Protection | undefined {
  const [first] = record.legs
  if (first === undefined || record.isClosed === true || !isProtecting(record, market)) return undefined
  const { positionSide } = first.decision.plan
  const place = { positionSide, ...(market.kind === 'spot' && { coins: coinsOf(record) }) }
  const { takenBack, state } = record
  // Stops of unsold coins are to stand again; a refusal shows like the loss of any stop.
  if (takenBack !== undefined && (state !== 'done' || takenBack.phase !== 'placing'))
    return { ...place, stop: state === 'done' ? 'over' : 'open' }
  const stops = attempts.filter(({ decision }) => decision !== undefined && isProtective(decision.plan))
  if (stops.some(isOpenOrder)) return { ...place, stop: 'stands' }
  if (stops.some(({ doubt }) => doubt !== undefined)) return { ...place, stop: 'open' }
  const isFilled = attempts.some(({ found }) => found?.status === 'filled')
  return { ...place, stop: isFilled ? 'over' : 'missing' }
}

/** True where one of its orders limits the loss of what is held, or was meant to; on spot a sale does, of whatever size. */
function isProtecting({ protects, legs }: LegsRecord, { kind }: Pick<Market, 'kind'>): boolean {
  const shrinks = ({ reduceOnly, side }: OrderPlan): boolean =>
    kind === 'spot' ? side === 'sell' : reduceOnly
  return protects === true || legs.some(({ decision: { plan } }) => isProtective(plan) && shrinks(plan))
}

/** The most that one of its orders would sell: they are over the same coins. */
export function coinsOf({ legs }: LegsRecord): string {
  const quantities = legs.map(({ decision: { plan } }) => plan.quantity)
  return quantities.reduce((most, each) => (isLess(most, each) ? each : most))
}
