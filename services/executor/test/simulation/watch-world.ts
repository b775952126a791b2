import { clientOrderIdOf } from '@tripline/proto/client-order-id'
import { add, floorToStep, isGreater, isZero, multiply, subtract } from '@tripline/proto/decimal'
import { closedWithPosition, closesOf } from '../../src/domain/group/closing.ts'
import type { LegsRecord, StoredLegs } from '../../src/domain/group/legs-record.ts'
import { type Watch, type WatchStep, watchOf, withRecord } from '../../src/domain/group/watch.ts'
import { nextForWatch } from '../../src/domain/group/watch-next.ts'
import { observeWatch, type WatchObservation } from '../../src/domain/group/watch-observe.ts'
import { absenceRules } from '../../src/domain/order/absence.ts'
import { absenceCountsAfterSending } from '../../src/domain/order/doubt.ts'
import {
  isConditional,
  type OrderPlan,
  type OrderRef,
  type Placement,
  type VenueOrder,
} from '../../src/domain/order/order.ts'
import { maySign } from '../../src/domain/sharing/lease.ts'
import { btcusdt } from '../btcusdt.ts'
import { alertId } from '../scripted-run.ts'
import { type Random, randomOf } from './random.ts'

const where = { market: btcusdt, absence: absenceRules.paper_futures }

interface Taken {
  plan: OrderPlan
  order: VenueOrder
}

interface World {
  random: Random
  now: number
  storedLegs: StoredLegs
  watch: Watch
  /** The watch of an owner that was cut off, and not killed; it can store nothing any more. */
  former: Watch | undefined
  maySign: typeof maySign
  /** The former owner's acts at the venue. */
  trespasses: string[]
  taken: Taken[]
  /** The stream's pending updates. */
  updates: VenueOrder[]
  isFilled: boolean
  isCanceledByHand: boolean
  isRefused: boolean
  /** The orders' position was closed by somebody else, or by orders of another group. */
  isPositionClosed: boolean
  /** More than one order of a pair was at a venue that can have but one. */
  isCrowded: boolean
  isCalm: boolean
  diary: string[]
}

/** The faults of the group in the end, if any, and the events. */
export interface WatchOutcome {
  faults: string[]
  diary: string[]
}

/** Orders that the venue has side by side, or a pair of which it can have one at a time. */
type Kind = 'group' | 'turns'

/** Plays a group to its end or its rest, with fills, cancels by hand, crashes and lost answers by the chances of a seed. */
export function simulateWatch(seed: number, kind: Kind = 'group', sign = maySign): WatchOutcome {
  const world = createWatchWorld(randomOf(seed), kind, sign)
  const { random } = world
  for (let round = random.between(5, 60); round > 0; round--) happen(world)
  world.isCalm = true
  observe(world, { of: 'gap' })
  if (world.isPositionClosed) endClosed(world)
  for (let round = 0; round < 2000; round++) {
    const step = nextForWatch(world.watch, world.now)
    if (step.do === 'end' || step.do === 'rest')
      return { faults: [...faultsOf(world, step.do, kind), ...world.trespasses], diary: world.diary }
    perform(world, step)
  }
  return { faults: ['the watch does not come to rest'], diary: world.diary }
}

const sizes: Record<Kind, readonly [readonly string[], ...(readonly string[])[]]> = {
  group: [
    ['0.100', '0.100'],
    ['0.100', '0.050', '0.050'],
  ],
  turns: [['0.100', '0.100']],
}

function createWatchWorld(random: Random, kind: Kind, sign: typeof maySign): World {
  const quantities = random.pick(sizes[kind])
  const plans = quantities.map((quantity, leg) => planOf(leg, quantity))
  const record: LegsRecord = {
    state: 'live',
    keeper: 'executor',
    rules: {
      mode: random.pick(['cancel', 'cancel', 'reduce']),
      onPartial: random.pick(['reduce', 'cancel', 'keep']),
    },
    legs: plans.map((plan) => ({ decision: { plan }, revision: 0 })),
    ...(kind === 'turns' && { turn: 'stop' }),
  }
  const storedLegs = { record, revision: 1 }
  const placed = kind === 'turns' ? plans.slice(0, 1) : plans
  return {
    random,
    now: 0,
    storedLegs,
    watch: watchOf(storedLegs, where, 0, 0),
    former: undefined,
    maySign: sign,
    trespasses: [],
    taken: placed.map((plan) => ({ plan, order: orderOf(plan) })),
    updates: [],
    isFilled: false,
    isCanceledByHand: false,
    isRefused: false,
    isPositionClosed: false,
    isCrowded: false,
    isCalm: false,
    diary: [JSON.stringify(record.rules), quantities.join(' ')],
  }
}

function planOf(leg: number, quantity: string): OrderPlan {
  const common = {
    symbol: 'BTCUSDT',
    side: 'sell',
    quantity,
    reduceOnly: true,
    positionSide: 'both',
    sizing: '',
  } as const
  const id = clientOrderIdOf({ alertId, block: 0, command: 0, leg, revision: 0 })
  return leg === 0
    ? { ...common, clientOrderId: id, type: 'stop', triggerPrice: '58000.0' }
    : { ...common, clientOrderId: id, type: 'limit', price: '62000.0' }
}

function orderOf(plan: OrderPlan): VenueOrder {
  return {
    venueOrderId: plan.clientOrderId,
    clientOrderId: plan.clientOrderId,
    side: plan.side,
    type: plan.type,
    status: isConditional(plan) ? 'untriggered' : 'open',
    quantity: plan.quantity,
    filled: '0',
    averagePrice: null,
    price: plan.price ?? null,
    triggerPrice: plan.triggerPrice ?? null,
    isConditional: isConditional(plan),
    reduceOnly: plan.reduceOnly,
    fee: null,
    updatedAt: null,
  }
}

const isOpen = ({ order }: Taken): boolean =>
  ['untriggered', 'open', 'partially_filled'].includes(order.status)

/** Something happens: at the venue, to the owner, or the watch takes its next step. */
function happen(world: World): void {
  const { random } = world
  world.now += random.between(0, 800)
  const open = world.taken.filter(isOpen)
  const [first = world.taken[0]] = open
  const any = first === undefined || open.length === 0 ? first : open[random.between(0, open.length - 1)]
  const chance = random.between(0, 99)
  if (chance < 6 && any !== undefined && isOpen(any)) fill(world, any, random.pick(['0.25', '0.5', '1']))
  else if (chance < 8 && any !== undefined && isOpen(any)) cancelByHand(world, any)
  else if (chance < 14) crash(world)
  else if (chance < 30) receive(world)
  else if (chance < 38) seePrice(world)
  else if (chance < 40) closePosition(world)
  else if (chance < 50 && world.former !== undefined) actAsFormer(world, world.former)
  else {
    const step = nextForWatch(world.watch, world.now)
    if (step.do !== 'rest' && step.do !== 'end') perform(world, step)
  }
}

/** The position is closed elsewhere; that it is may show only later. */
function closePosition(world: World): void {
  world.isPositionClosed ||= world.random.chance(0.3)
  if (world.isPositionClosed) endClosed(world)
}

/** The owner, who sees that the position is closed, records that its orders end. */
function endClosed(world: World): void {
  if (closesOf(world.watch) === undefined) return
  const { record, revision } = world.storedLegs
  world.storedLegs = { record: closedWithPosition(record), revision: revision + 1 }
  world.watch = withRecord(world.watch, world.storedLegs)
  world.diary.push(`${world.now} the position is closed`)
}

function fill(world: World, taken: Taken, share: string): void {
  const { order, plan } = taken
  const left = subtract(order.quantity, order.filled)
  const more = share === '1' ? left : floorToStep(multiply(left, share), btcusdt.quantityStep)
  if (isZero(more)) return
  const filled = add(order.filled, more)
  const isWhole = isZero(subtract(order.quantity, filled))
  world.isFilled ||= isWhole
  emit(world, taken, { ...order, filled, status: isWhole ? 'filled' : 'partially_filled' })
  world.diary.push(`${world.now} ${plan.clientOrderId.slice(-2)} has ${filled} filled`)
}

function cancelByHand(world: World, taken: Taken): void {
  world.isCanceledByHand = true
  emit(world, taken, { ...taken.order, status: 'canceled' })
  world.diary.push(`${world.now} ${taken.plan.clientOrderId.slice(-2)} is canceled by hand`)
}

function emit(world: World, taken: Taken, order: VenueOrder): void {
  taken.order = order
  world.updates.push(order)
}

function crash(world: World): void {
  const isCutOff = world.random.chance(0.5)
  world.diary.push(`${world.now} the owner ${isCutOff ? 'is cut off' : 'crashes'}`)
  world.former = isCutOff ? world.watch : undefined
  world.updates = []
  world.now += 5000
  world.watch = watchOf(world.storedLegs, where, absenceCountsAfterSending(world.now), world.now)
}

/** The former owner does its part to be next: it receives everything, and its lease is over. */
function actAsFormer(world: World, former: Watch): void {
  const step = nextForWatch(former, world.now)
  if (step.do !== 'cancel' && step.do !== 'place' && step.do !== 'lookUp') return
  const { clientOrderId } = step.do === 'place' ? step.leg.decision.plan : step.ref
  const taken = world.taken.findLast(({ plan }) => plan.clientOrderId === clientOrderId)
  if (step.do === 'lookUp') {
    const lookUp = taken === undefined ? absent : ({ outcome: 'found', order: taken.order } as const)
    world.former = observeWatch(
      former,
      { of: 'lookUp', ref: step.ref, lookUp, askedAt: world.now },
      world.now,
    )
    return
  }
  if (world.maySign(undefined, Number.NEGATIVE_INFINITY)) {
    world.trespasses.push(`a former owner ${step.do === 'place' ? 'places' : 'ends'} ${clientOrderId}`)
    return
  }
  world.diary.push(`${world.now} the former owner is withheld`)
  const withheld = { outcome: 'withheld' } as const
  world.former = observeWatch(
    former,
    step.do === 'place'
      ? { of: 'place', clientOrderId, placement: withheld }
      : { of: 'cancel', ref: step.ref, cancellation: withheld },
    world.now,
  )
}

const absent = { outcome: 'absent' } as const

/** The stream reports something: in its order or not, once or again, or not at all. */
function receive(world: World): void {
  const { random, updates } = world
  if (updates.length === 0) return
  const [order] = updates.splice(random.between(0, updates.length - 1), random.chance(0.8) ? 1 : 0)
  if (order !== undefined && !random.chance(0.1)) observe(world, { of: 'update', order })
}

/** The market is where the profit is taken, or is not, or has passed the stop. */
function seePrice(world: World): void {
  const bid = world.random.pick(['60000.0', '62000.0', '57000.0'])
  observe(world, { of: 'quote', quote: { bid, ask: bid, askedAt: world.now } })
}

function observe(world: World, observation: WatchObservation): void {
  world.watch = observeWatch(world.watch, observation, world.now)
  const isForAll = observation.of === 'update' || observation.of === 'quote'
  if (isForAll && world.former !== undefined)
    world.former = observeWatch(world.former, observation, world.now)
}

/** Now and then the lease is not sure for a moment. */
function isWithheld({ isCalm, random }: World): boolean {
  return !isCalm && random.chance(0.1)
}

function perform(world: World, step: Exclude<WatchStep, { do: 'rest' | 'end' }>): void {
  const { random } = world
  switch (step.do) {
    case 'wait':
      world.now = Math.max(world.now, step.until)
      return
    case 'amend':
      throw new Error('nothing was given up')
    case 'record':
      world.storedLegs = { record: step.record, revision: step.over + 1 }
      world.watch = withRecord(world.watch, world.storedLegs)
      world.diary.push(`${world.now} records ${step.record.state} ${step.notice?.text ?? ''}`)
      return
    case 'quote':
      seePrice(world)
      return
    case 'lookUp': {
      const taken = world.taken.findLast(({ plan }) => plan.clientOrderId === step.ref.clientOrderId)
      const isAnswered = world.isCalm || random.chance(0.8)
      const found = taken === undefined ? absent : ({ outcome: 'found', order: taken.order } as const)
      const lookUp = isAnswered ? found : ({ outcome: 'unreachable', cause: 'no answer' } as const)
      observe(world, { of: 'lookUp', ref: step.ref, lookUp, askedAt: world.now })
      return
    }
    case 'cancel':
      cancel(world, step.ref)
      return
    case 'place':
      place(world, step.leg.decision.plan)
  }
}

function cancel(world: World, ref: OrderRef): void {
  const taken = world.taken.findLast(({ plan }) => plan.clientOrderId === ref.clientOrderId)
  if (taken === undefined) throw new Error('an order is canceled that was never there')
  if (isWithheld(world)) {
    observe(world, { of: 'cancel', ref, cancellation: { outcome: 'withheld' } })
    return
  }
  const was = isOpen(taken)
  if (was) emit(world, taken, { ...taken.order, status: 'canceled' })
  world.diary.push(`${world.now} cancels ${ref.clientOrderId.slice(-2)}: ${was}`)
  const isAnswered = world.isCalm || world.random.chance(0.7)
  const outcome = was ? 'canceled' : 'gone'
  const cancellation = isAnswered
    ? ({ outcome, order: taken.order } as const)
    : ({ outcome: 'unknown', cause: 'no answer' } as const)
  observe(world, { of: 'cancel', ref, cancellation })
}

function place(world: World, plan: OrderPlan): void {
  const { random } = world
  const clientOrderId = plan.clientOrderId
  if (isWithheld(world)) {
    observe(world, { of: 'place', clientOrderId, placement: { outcome: 'withheld' } })
    return
  }
  const placement = ((): Placement => {
    if (!world.isCalm && random.chance(0.05)) {
      world.isRefused = true
      return { outcome: 'refused', code: 'E510', error: 'refused' }
    }
    const isTaken = world.isCalm || random.chance(0.85)
    const order = isImmediate(plan) ? tradedAtOnce(world, plan) : orderOf(plan)
    if (isTaken) {
      world.isCrowded ||= world.taken.some(isOpen)
      world.taken.push({ plan, order })
    }
    return isTaken && random.chance(0.8)
      ? { outcome: 'done', order }
      : { outcome: 'unknown', cause: 'no answer' }
  })()
  world.diary.push(`${world.now} places ${clientOrderId.slice(-2)} ${plan.quantity}: ${placement.outcome}`)
  observe(world, { of: 'place', clientOrderId, placement })
}

const isImmediate = ({ type, timeInForce }: OrderPlan): boolean => type === 'market' || timeInForce === 'ioc'

function tradedAtOnce(world: World, plan: OrderPlan): VenueOrder {
  const share = world.random.pick(['0', '0.3', '1'])
  // Nobody buys at the market: that is reported, and left to a person.
  if (plan.type === 'market' && share === '0') world.isRefused = true
  const filled = floorToStep(multiply(plan.quantity, share), btcusdt.quantityStep)
  return { ...orderOf(plan), filled, status: share === '1' ? 'filled' : 'expired' }
}

function faultsOf(world: World, end: 'end' | 'rest', kind: Kind): string[] {
  if (world.taken.some(({ plan }) => !plan.reduceOnly))
    return ['an order was sent that could open a position']
  if (world.isPositionClosed) return faultsOfClosed(world, end)
  return kind === 'turns' ? faultsOfTurns(world, end) : faultsOfGroup(world, end)
}

/** Nothing is left that would act on the next position. */
function faultsOfClosed({ taken }: World, end: 'end' | 'rest'): string[] {
  const faults = taken.some(isOpen) ? ['an order is open though the position is closed'] : []
  return end === 'end' ? faults : [...faults, 'a watch goes on though the position is closed']
}

/** A pair is sold once, and what is not sold has an order, a stop unless somebody or the venue was against it. */
function faultsOfTurns({ taken, isCrowded, ...world }: World, end: 'end' | 'rest'): string[] {
  const ids = taken.map(({ plan }) => plan.clientOrderId)
  if (new Set(ids).size !== ids.length) return ['an order was executed twice']
  if (isCrowded) return ['two orders were at the venue']
  const left = taken.reduce((rest, { order }) => subtract(rest, order.filled), '0.100')
  if (left.startsWith('-')) return ['more was sold than there was']
  const [open] = taken.filter(isOpen)
  const resting = open === undefined ? '0' : subtract(open.order.quantity, open.order.filled)
  const isDisturbed = world.isCanceledByHand || world.isRefused
  if (end === 'rest' && !isZero(subtract(resting, left))) return [`${resting} rest where ${left} are left`]
  if (end === 'end' && open !== undefined) return ['an order is open that nobody follows']
  if (isDisturbed) return []
  if (end === 'end' && !isZero(left)) return [`${left} are left without a stop`]
  return open !== undefined && open.plan.type !== 'stop' ? ['what is open is no stop'] : []
}

function faultsOfGroup(world: World, end: 'end' | 'rest'): string[] {
  const { taken, storedLegs, isCanceledByHand, isFilled } = world
  const { rules, legs, closedBy } = storedLegs.record
  const ids = taken.map(({ plan }) => plan.clientOrderId)
  if (new Set(ids).size !== ids.length) return ['an order was executed twice']
  const open = taken.filter(isOpen)
  const known = new Set(legs.map(({ decision }) => decision.plan.clientOrderId))
  const faults: string[] = []
  if (open.some(({ plan }) => !known.has(plan.clientOrderId)))
    faults.push('an order is open that is in no record')
  const siblings = open.filter(({ plan }) => plan.clientOrderId !== closedBy)
  if (rules.mode === 'cancel' && isFilled && siblings.length > 0)
    faults.push('an order is open beside one that was filled')
  const least = storedLegs.record.isLone === true ? 1 : 2
  if (end === 'rest' && open.length < least) faults.push(`a watch goes on over ${open.length} orders`)
  if (end === 'end' && open.length > 0) faults.push('an order is open that nobody follows')
  if (end === 'rest' && rules.onPartial === 'reduce' && least > 1) faults.push(...tooLarge(world, open))
  const hasReason = isFilled || isCanceledByHand || closedBy !== undefined || legs.some((leg) => leg.isOver)
  if (end === 'end' && !hasReason) faults.push('a watch ended for no reason')
  return faults
}

function tooLarge({ storedLegs, taken }: World, open: readonly Taken[]): string[] {
  const filled = taken.reduce((sum, { order }) => add(sum, order.filled), '0')
  return storedLegs.record.legs.flatMap((leg) => {
    const order = open.find(({ plan }) => plan.clientOrderId === leg.decision.plan.clientOrderId)?.order
    if (order === undefined || leg.isFixed === true) return []
    const left = subtract(leg.original ?? leg.decision.plan.quantity, filled)
    const rests = subtract(order.quantity, order.filled)
    return isGreater(rests, left) ? [`${rests} rest where ${left} are left`] : []
  })
}
