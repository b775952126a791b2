import { absolute, isNegative, isZero, least, multiply, subtract } from '@tripline/proto/decimal'
import type { Reading, SettingsOutcome } from '../../src/domain/account/account.ts'
import type { AbsenceRule } from '../../src/domain/order/absence.ts'
import { receiveWindowMs } from '../../src/domain/order/doubt.ts'
import {
  type Cancellation,
  isConditional,
  isTakeProfit,
  isTerminal,
  type LookUp,
  type LookUpDepth,
  type OpenOrders,
  type OrderPlan,
  type OrderStatus,
  type Placement,
  type VenueOrder,
} from '../../src/domain/order/order.ts'
import { accountReading } from '../btcusdt.ts'
import type { Random } from './random.ts'

/** An order that the venue took; it is open until it ends, and filled at its end. */
export interface TakenOrder {
  plan: OrderPlan
  takenAt: number
  endsAt: number
  endsAs: OrderStatus
  filled: string
  /** The owner that placed it. */
  by: number
}

/** The signer of a request, and the time by the signer's clock. */
export interface Signed {
  by: number
  at: number
}

export interface VenueOptions {
  random: Random
  now: () => number
  /** The most ms by which its reads lag. */
  lagMs: number
  /** The position before anything is placed. */
  position: string
  /** Rules for names and for the places that show orders. */
  absence: Pick<AbsenceRule, 'areNamesUnique' | 'lookIn'>
}

/**
 * A venue as the real ones are: requests older than their receive window are refused, an id is refused while an order
 * of that name is open and taken once more after it ended, and what is asked for may be seen only later.
 */
export interface ModelVenue {
  taken: readonly TakenOrder[]
  /** Acts of a former owner against those of a later one. */
  trespasses: readonly string[]
  place: (plan: OrderPlan, signed: Signed) => Placement
  /** Takes both orders or none. */
  placeOco: (pair: readonly [OrderPlan, OrderPlan], signed: Signed) => readonly [Placement, Placement]
  lookUp: (clientOrderId: string, depth?: LookUpDepth) => LookUp
  cancel: (clientOrderId: string, signed: Signed) => Cancellation
  /** Changes the settings of the account. */
  change: (signed: Signed) => SettingsOutcome
  openOrders: () => OpenOrders
  read: () => Reading
  /** True while an order that was taken has not ended. */
  isOpen: (order: TakenOrder) => boolean
}

/** A venue that took nothing yet. */
export function createVenue({ random, now, lagMs, position, absence }: VenueOptions): ModelVenue {
  const taken: TakenOrder[] = []
  const trespasses: string[] = []
  let changedBy = 0
  const isOutside = ({ at }: Signed): boolean => now() - at > receiveWindowMs || now() - at < -1000
  const refusalOf = (plan: OrderPlan, signed: Signed): Refusal | Unknown | undefined => {
    if (isOutside(signed)) return refused('E601', outsideWindow)
    const { areNamesUnique } = absence
    const isNameTaken = taken.some(
      (order) => isNamed(order, plan.clientOrderId) && (areNamesUnique || now() < order.endsAt),
    )
    if (isNameTaken) return { outcome: 'unknown', cause: 'an order of this name is there', isThere: true }
    if (isTakeProfit(plan) && random.chance(0.1)) return refused('E507', 'would trigger at once')
    if (random.chance(0.05)) return refused('E603', askedTooOften)
    return random.chance(0.05) ? refused('E506', 'not enough margin') : undefined
  }
  const seenAt = (): number => now() - random.delay(0, lagMs, 0.5)
  return {
    taken,
    trespasses,
    isOpen: ({ endsAt }) => now() < endsAt,
    place: (plan, signed) => {
      const refusal = refusalOf(plan, signed)
      if (refusal !== undefined) return refusal
      const order = take(plan, { at: now(), by: signed.by }, positionAt(taken, position, now()), random)
      if (order === undefined) return refused('E510', 'reduce-only would increase')
      taken.push(order)
      return { outcome: 'done', order: orderAt(order, now()) }
    },
    placeOco: (pair, signed) => {
      const refusal = refusalOf(pair[0], signed) ?? refusalOf(pair[1], signed)
      if (refusal !== undefined) return [refusal, refusal]
      const taking = { at: now(), by: signed.by }
      const [one, other] = [rest(pair[0], taking, random), rest(pair[1], taking, random)]
      other.endsAt = one.endsAt
      other.endsAs = one.endsAs === 'filled' ? 'expired' : one.endsAs
      other.filled = '0'
      taken.push(one, other)
      return [
        { outcome: 'done', order: orderAt(one, now()) },
        { outcome: 'done', order: orderAt(other, now()) },
      ]
    },
    lookUp: (clientOrderId, depth = 'usual') => {
      const at = seenAt()
      const order = taken.findLast((each) => isNamed(each, clientOrderId) && each.takenAt <= at)
      // A name alone may not show an ended order.
      const isShown = depth === absence.lookIn || (order !== undefined && at < order.endsAt)
      if (order === undefined || !(isShown || random.chance(0.5))) return { outcome: 'absent', depth }
      return { outcome: 'found', order: orderAt(order, at) }
    },
    cancel: (clientOrderId, signed) => {
      if (isOutside(signed)) return refused('E601', outsideWindow)
      const order = taken.findLast((each) => isNamed(each, clientOrderId))
      if (order === undefined) return { outcome: 'gone', order: undefined }
      if (now() >= order.endsAt) return { outcome: 'gone', order: orderAt(order, now()) }
      if (order.by > signed.by) trespasses.push(`owner ${signed.by} ends an order of owner ${order.by}`)
      Object.assign(order, { endsAt: now(), endsAs: 'canceled', filled: '0' })
      return { outcome: 'canceled', order: orderAt(order, now()) }
    },
    change: (signed) => {
      if (isOutside(signed)) return refused('E601', outsideWindow)
      if (changedBy > signed.by) trespasses.push(`owner ${signed.by} changes what owner ${changedBy} did`)
      changedBy = Math.max(changedBy, signed.by)
      return { outcome: 'changed', note: 'changed' }
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

function take(plan: OrderPlan, taking: Taking, position: string, random: Random): TakenOrder | undefined {
  const { at, by } = taking
  if (plan.type !== 'market') return rest(plan, taking, random)
  const shrinks = !isZero(position) && isNegative(position) === (plan.side === 'buy')
  if (plan.reduceOnly && !shrinks) return undefined
  const most = plan.reduceOnly ? least(plan.quantity, absolute(position)) : plan.quantity
  const endsAt = at + (random.chance(0.8) ? 0 : random.between(0, 3000))
  const endsAs = random.chance(0.8) ? 'filled' : 'expired'
  const share = endsAs === 'filled' ? '1' : random.pick(['0', '0.5'])
  return { plan, takenAt: at, endsAt, endsAs, filled: multiply(most, share), by }
}

/** An order that rests: for ever, until the market reaches it, or until the venue ends it. */
function rest(plan: OrderPlan, { at, by }: Taking, random: Random): TakenOrder {
  if (random.chance(0.6)) {
    const endsAt = Number.POSITIVE_INFINITY
    return { plan, takenAt: at, endsAt, endsAs: 'filled', filled: plan.quantity, by }
  }
  const endsAt = at + (random.chance(0.1) ? 0 : random.between(0, 20_000))
  const endsAs = random.chance(0.9) ? 'filled' : 'expired'
  return { plan, takenAt: at, endsAt, endsAs, filled: endsAs === 'filled' ? plan.quantity : '0', by }
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

interface Taking {
  at: number
  by: number
}

type Refusal = Extract<Placement, { outcome: 'refused' }>
type Unknown = Extract<Placement, { outcome: 'unknown' }>

/** The venue's word where a request is older than it takes, or younger than can be. */
export const outsideWindow = 'outside of the receive window'

/** The venue's word where it wants no requests for now. */
export const askedTooOften = 'asked too often'

function refused(code: string, error: string): Refusal {
  return { outcome: 'refused', code, error }
}
