import { absolute, isNegative, isZero, least, multiply, subtract } from '@tripline/proto/decimal'
import { receiveWindowMs } from '../../src/domain/doubt.ts'
import {
  type Cancellation,
  isConditional,
  isTerminal,
  type LookUp,
  type OpenOrders,
  type OrderPlan,
  type OrderStatus,
  type Placement,
  type Reading,
  type VenueOrder,
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
  /** Takes both orders or none. */
  placeOco: (pair: readonly [OrderPlan, OrderPlan], signedAt: number) => readonly [Placement, Placement]
  lookUp: (clientOrderId: string) => LookUp
  cancel: (clientOrderId: string) => Cancellation
  openOrders: () => OpenOrders
  read: () => Reading
  /** True while an order that was taken has not ended. */
  isOpen: (order: TakenOrder) => boolean
}

/** A venue that took nothing yet. */
export function createVenue({ random, now, lagMs, position }: VenueOptions): ModelVenue {
  const taken: TakenOrder[] = []
  const refusalOf = (plan: OrderPlan, signedAt: number): Placement | undefined => {
    const ageMs = now() - signedAt
    if (ageMs > receiveWindowMs || ageMs < -1000) return refused('E601', 'outside of the receive window')
    const isNameOpen = taken.some((order) => isNamed(order, plan.clientOrderId) && now() < order.endsAt)
    if (isNameOpen) return { outcome: 'unknown', cause: 'an order of this name is open' }
    return random.chance(0.05) ? refused('E506', 'not enough margin') : undefined
  }
  const seenAt = (): number => now() - random.delay(0, lagMs, 0.5)
  return {
    taken,
    isOpen: ({ endsAt }) => now() < endsAt,
    place: (plan, signedAt) => {
      const refusal = refusalOf(plan, signedAt)
      if (refusal !== undefined) return refusal
      const order = take(plan, now(), positionAt(taken, position, now()), random)
      if (order === undefined) return refused('E510', 'reduce-only would increase')
      taken.push(order)
      return { outcome: 'done', order: orderAt(order, now()) }
    },
    placeOco: (pair, signedAt) => {
      const refusal = refusalOf(pair[0], signedAt) ?? refusalOf(pair[1], signedAt)
      if (refusal !== undefined) return [refusal, refusal]
      const [one, other] = [rest(pair[0], now(), random), rest(pair[1], now(), random)]
      other.endsAt = one.endsAt
      other.endsAs = one.endsAs === 'filled' ? 'expired' : one.endsAs
      other.filled = '0'
      taken.push(one, other)
      return [
        { outcome: 'done', order: orderAt(one, now()) },
        { outcome: 'done', order: orderAt(other, now()) },
      ]
    },
    lookUp: (clientOrderId) => {
      const at = seenAt()
      const order = taken.findLast((each) => isNamed(each, clientOrderId) && each.takenAt <= at)
      return order === undefined ? { outcome: 'absent' } : { outcome: 'found', order: orderAt(order, at) }
    },
    cancel: (clientOrderId) => {
      const order = taken.findLast((each) => isNamed(each, clientOrderId))
      if (order === undefined) return { outcome: 'gone', order: undefined }
      if (now() >= order.endsAt) return { outcome: 'gone', order: orderAt(order, now()) }
      Object.assign(order, { endsAt: now(), endsAs: 'canceled', filled: '0' })
      return { outcome: 'canceled', order: orderAt(order, now()) }
    },
    openOrders: () => {
      const at = seenAt()
      const orders = taken.filter(({ takenAt }) => takenAt <= at).map((order) => orderAt(order, at))
      return { outcome: 'read', orders: orders.filter((order) => !isTerminal(order)) }
    },
    read: () => ({
      outcome: 'read',
      account: accountReading({ position: positionAt(taken, position, now()) }),
    }),
  }
}

function take(plan: OrderPlan, at: number, position: string, random: Random): TakenOrder | undefined {
  if (plan.type !== 'market') return rest(plan, at, random)
  const shrinks = !isZero(position) && isNegative(position) === (plan.side === 'buy')
  if (plan.reduceOnly && !shrinks) return undefined
  const most = plan.reduceOnly ? least(plan.quantity, absolute(position)) : plan.quantity
  const endsAt = at + (random.chance(0.8) ? 0 : random.between(0, 3000))
  const endsAs = random.chance(0.8) ? 'filled' : 'expired'
  const share = endsAs === 'filled' ? '1' : random.pick(['0', '0.5'])
  return { plan, takenAt: at, endsAt, endsAs, filled: multiply(most, share) }
}

/** An order that rests: for ever, until the market reaches it, or until the venue ends it. */
function rest(plan: OrderPlan, at: number, random: Random): TakenOrder {
  if (random.chance(0.6)) {
    return { plan, takenAt: at, endsAt: Number.POSITIVE_INFINITY, endsAs: 'filled', filled: plan.quantity }
  }
  const endsAt = at + (random.chance(0.1) ? 0 : random.between(0, 20_000))
  const endsAs = random.chance(0.9) ? 'filled' : 'expired'
  return { plan, takenAt: at, endsAt, endsAs, filled: endsAs === 'filled' ? plan.quantity : '0' }
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
  const hasTrigger = isConditional(plan)
  return {
    venueOrderId: `${takenAt}`,
    clientOrderId: plan.clientOrderId,
    side: plan.side,
    status: hasEnded ? endsAs : hasTrigger ? 'untriggered' : 'open',
    quantity: plan.quantity,
    filled: hasEnded ? filled : '0',
    averagePrice: hasEnded && !isZero(filled) ? '60000' : null,
    type: plan.type,
    price: plan.price ?? null,
    triggerPrice: plan.triggerPrice ?? null,
    isConditional: hasTrigger,
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
