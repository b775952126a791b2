import { absolute, isNegative, isZero, least, multiply, subtract } from '@tripline/proto/decimal'
import { receiveWindowMs } from '../../src/domain/doubt.ts'
import type {
  LookUp,
  OrderPlan,
  OrderStatus,
  Placement,
  Reading,
  VenueOrder,
} from '../../src/domain/order.ts'
import { accountReading } from '../btcusdt.ts'
import type { Random } from './random.ts'

/** An order that the venue took; it is open until it ends, and filled at its end. */
export interface TakenOrder {
  plan: OrderPlan
  takenAt: number
  endsAt: number
  endsAs: OrderStatus
  filled: string
}

export interface VenueOptions {
  random: Random
  now: () => number
  /** How far its reads may lag behind what it does. */
  lagMs: number
  /** What the account holds before anything is placed. */
  position: string
}

/**
 * A venue as the real ones are: requests older than their receive window are refused, an id is refused while an order
 * of that name is open and taken once more after it ended, and what is asked for may be seen only later.
 */
export interface ModelVenue {
  taken: readonly TakenOrder[]
  place: (plan: OrderPlan, signedAt: number) => Placement
  lookUp: (clientOrderId: string) => LookUp
  read: () => Reading
}

/** A venue that took nothing yet. */
export function createVenue({ random, now, lagMs, position }: VenueOptions): ModelVenue {
  const taken: TakenOrder[] = []
  return {
    taken,
    place: (plan, signedAt) => {
      const ageMs = now() - signedAt
      if (ageMs > receiveWindowMs || ageMs < -1000) return refused('E601', 'outside of the receive window')
      const isNameOpen = taken.some((order) => isNamed(order, plan.clientOrderId) && now() < order.endsAt)
      if (isNameOpen) return { outcome: 'unknown', cause: 'an order of this name is open' }
      if (random.chance(0.05)) return refused('E506', 'not enough margin')
      const order = take(plan, now(), positionAt(taken, position, now()), random)
      if (order === undefined) return refused('E510', 'reduce-only would increase')
      taken.push(order)
      return { outcome: 'done', order: orderAt(order, now()) }
    },
    lookUp: (clientOrderId) => {
      const seenAt = now() - random.delay(0, lagMs, 0.5)
      const order = taken.findLast((each) => isNamed(each, clientOrderId) && each.takenAt <= seenAt)
      return order === undefined ? { outcome: 'absent' } : { outcome: 'found', order: orderAt(order, seenAt) }
    },
    read: () => ({
      outcome: 'read',
      account: accountReading({ position: positionAt(taken, position, now()) }),
    }),
  }
}

function take(plan: OrderPlan, at: number, position: string, random: Random): TakenOrder | undefined {
  const shrinks = !isZero(position) && isNegative(position) === (plan.side === 'buy')
  if (plan.reduceOnly && !shrinks) return undefined
  const most = plan.reduceOnly ? least(plan.quantity, absolute(position)) : plan.quantity
  const endsAt = at + (random.chance(0.8) ? 0 : random.between(0, 3000))
  const endsAs = random.chance(0.8) ? 'filled' : 'expired'
  const share = endsAs === 'filled' ? '1' : random.pick(['0', '0.5'])
  return { plan, takenAt: at, endsAt, endsAs, filled: multiply(most, share) }
}

function positionAt(taken: readonly TakenOrder[], start: string, at: number): string {
  return taken
    .filter(({ endsAt }) => endsAt <= at)
    .reduce(
      (position, { plan, filled }) => subtract(position, plan.side === 'buy' ? `-${filled}` : filled),
      start,
    )
}

function orderAt({ plan, takenAt, endsAt, endsAs, filled }: TakenOrder, at: number): VenueOrder {
  const hasEnded = at >= endsAt
  return {
    venueOrderId: `${takenAt}`,
    clientOrderId: plan.clientOrderId,
    side: plan.side,
    status: hasEnded ? endsAs : 'open',
    quantity: plan.quantity,
    filled: hasEnded ? filled : '0',
    averagePrice: hasEnded && !isZero(filled) ? '60000' : null,
    type: plan.type,
    price: plan.price ?? null,
    triggerPrice: plan.triggerPrice ?? null,
    isConditional: false,
    reduceOnly: plan.reduceOnly,
    fee: null,
    updatedAt: at,
  }
}

function isNamed({ plan }: TakenOrder, clientOrderId: string): boolean {
  return plan.clientOrderId === clientOrderId
}

function refused(code: string, error: string): Placement {
  return { outcome: 'refused', code, error }
}
