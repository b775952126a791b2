import { clientOrderIdOf } from '@tripline/proto/client-order-id'
import type { CommandResult } from '@tripline/proto/command-result'
import { add, floorToStep, isGreater, isLess, isZero, multiply, subtract } from '@tripline/proto/decimal'
import type { AlertId } from '@tripline/proto/id'
import { next, observe, startExecution } from '../../src/domain/execution/execution.ts'
import type { Execution, Observation, Step } from '../../src/domain/execution/state.ts'
import type { LegsRecord, StoredLegs } from '../../src/domain/group/legs-record.ts'
import type { OwnExit } from '../../src/domain/group/own-exits.ts'
import { type Watch, type WatchStep, watchOf, withRecord } from '../../src/domain/group/watch.ts'
import { nextForWatch } from '../../src/domain/group/watch-next.ts'
import { observeWatch, type WatchObservation } from '../../src/domain/group/watch-observe.ts'
import {
  ownExitOf,
  returnedFrom,
  sellingFor,
  standingOf,
  takenFor,
  withoutAwaiting,
} from '../../src/domain/group/watch-taken.ts'
import { absenceRules } from '../../src/domain/order/absence.ts'
import { absenceCountsAfterSending } from '../../src/domain/order/doubt.ts'
import type { Market } from '../../src/domain/order/market.ts'
import {
  isConditional,
  isTerminal,
  type LookUp,
  type OrderPlan,
  type Placement,
  type VenueOrder,
} from '../../src/domain/order/order.ts'
import { accountReading, btcusdtSpot, commandsOf, oneAtATime } from '../btcusdt.ts'
import { active, alertId } from '../scripted-run.ts'
import { type Random, randomOf } from './random.ts'

const held = '0.1'
const protectingAlert = '01ARZ3NDEKTSV4RRFFQ69G5FAA' as AlertId
/** Less than this is too little to stand by itself. */
const crumb = '0.0002'
const usualBid = '60000'
const stopPrice = '58000.0'

interface Taken {
  plan: OrderPlan
  order: VenueOrder
  /** Orders of which one ends the others at the venue. */
  list: string | undefined
}

interface World {
  random: Random
  now: number
  market: Market
  taken: Taken[]
  storedLegs: Map<string, StoredLegs>
  watches: Map<string, Watch>
  execution: Execution
  sale: string
  outcomes: CommandResult[]
  /** A random no of the venue, and an outcome that nobody reported. */
  isRefused: boolean
  /** A stop that locks nothing has sold coins that another one is to stand over again. */
  isRaced: boolean
  /** The market's bid: a stop that stands when its price is reached sells. */
  bid: string
  /** A stop was placed that the market had passed, though that was known. */
  isWrong: boolean
  /** Free amounts since the last sale: a reading shows one of these, or the free amount of now. */
  shown: string[]
  isKilled: boolean
  isCalm: boolean
  alarms: string[]
  diary: string[]
}

/** Thrown where a killed process would have gone on. */
class KilledError extends Error {
  constructor() {
    super('killed')
    this.name = 'KilledError'
  }
}

const sales = [
  'market(sell, 100%)',
  'market(position=0)',
  'market(sell, 50%)',
  'market(sell, 0.03)',
  'market(sell, 100%p)',
] as const

/** Plays a sale of coins that orders of the bot are over, with kills, fills, refusals and lost answers by the chances of a seed. */
export function simulateSale(seed: number): { faults: string[]; diary: string[] } {
  const world = createWorld(randomOf(seed))
  for (let round = 0; round < 400 && world.outcomes.length === 0; round++) happen(world)
  world.isCalm = true
  for (let round = 0; round < 2000; round++) {
    if (!goOn(world)) return { faults: faultsOf(world), diary: world.diary }
  }
  return { faults: ['it does not come to rest'], diary: world.diary }
}

function createWorld(random: Random): World {
  const market = random.pick([btcusdtSpot, oneAtATime])
  const sale = random.pick(sales)
  const world: World = {
    random,
    now: 0,
    market,
    taken: [],
    storedLegs: new Map(),
    watches: new Map(),
    execution: startExecution({ ...block(market, sale), notAbsentBefore: undefined }, [], 0),
    sale,
    outcomes: [],
    isRefused: false,
    isRaced: false,
    bid: usualBid,
    isWrong: false,
    shown: [held],
    isKilled: false,
    isCalm: false,
    alarms: [],
    diary: [`${sale}, ${market.features.nativeOco ? 'pairs by the venue' : 'one of a pair at a time'}`],
  }
  const sizes = random.pick<readonly string[]>([['0.1'], ['0.06', '0.04'], ['0.05']])
  for (const [index, size] of sizes.entries()) protect(world, index, size)
  for (const [name, storedLegs] of world.storedLegs) world.watches.set(name, watchNow(world, storedLegs))
  return world
}

function block(market: Market, sale: string) {
  const absence = market.features.nativeOco ? absenceRules.paper_spot : absenceRules.bybit_spot
  const commands = commandsOf(sale, 'spot')
  return { alertId, block: 0, commands, market, absence, dueAt: 0, isRestored: false }
}

/** Has a pair, a stop or a limit stand over so many coins. */
function protect(world: World, command: number, quantity: string): void {
  const { random, market } = world
  const kind = random.pick(['pair', 'stop', 'limit'] as const)
  const stop = planOf(command, 0, quantity, { type: 'stop', triggerPrice: stopPrice, trigger: 'last' })
  const limit = planOf(command, 1, quantity, { type: 'limit', price: '62000.0', timeInForce: 'gtc' })
  const plans = kind === 'pair' ? [stop, limit] : [kind === 'stop' ? stop : limit]
  const byTurns = kind === 'pair' && !market.features.nativeOco
  const record: LegsRecord = {
    state: 'live',
    keeper: byTurns ? 'executor' : 'venue',
    rules: { mode: 'cancel', onPartial: 'reduce' },
    legs: plans.map((plan) => ({ decision: { plan }, revision: 0 })),
    ...(byTurns && { turn: 'stop' }),
    ...(kind !== 'pair' && { isLone: true }),
  }
  world.storedLegs.set(`${protectingAlert}-0.${command}`, { record, revision: 1 })
  const list = kind === 'pair' && !byTurns ? plans[0]?.clientOrderId : undefined
  for (const plan of byTurns ? [stop] : plans) world.taken.push({ plan, order: orderOf(plan), list })
}

function planOf(
  command: number,
  leg: number,
  quantity: string,
  kind: Pick<OrderPlan, 'type'> & Partial<OrderPlan>,
): OrderPlan {
  const clientOrderId = clientOrderIdOf({ alertId: protectingAlert, block: 0, command, leg, revision: 0 })
  const common = { symbol: 'BTCUSDT', side: 'sell', reduceOnly: false, positionSide: 'both' } as const
  return { clientOrderId, ...common, quantity, sizing: '', ...kind }
}

function orderOf(plan: OrderPlan): VenueOrder {
  const { clientOrderId, side, type, quantity, price = null, triggerPrice = null } = plan
  return {
    ...{ venueOrderId: clientOrderId, clientOrderId, side, type, quantity, price, triggerPrice },
    status: isConditional(plan) ? 'untriggered' : 'open',
    filled: '0',
    averagePrice: null,
    isConditional: isConditional(plan),
    reduceOnly: false,
    fee: null,
    updatedAt: null,
  }
}

function watchNow({ market, now }: World, storedLegs: StoredLegs): Watch {
  const absence = market.features.nativeOco ? absenceRules.paper_spot : absenceRules.bybit_spot
  return watchOf(storedLegs, { market, absence }, absenceCountsAfterSending(now), now)
}

const leftOf = ({ order }: Taken): string =>
  isTerminal(order) ? '0' : subtract(order.quantity, order.filled)
const soldIn = ({ taken }: World): string => taken.reduce((sum, { order }) => add(sum, order.filled), '0')
const coinsIn = (world: World): string => subtract(held, soldIn(world))

/** Returns the coins that open orders lock; a pair locks them once. */
function lockedIn({ taken, market }: World): string {
  const lists = new Set<string>()
  return taken.reduce((sum, each) => {
    const isLocking = market.features.nativeOco || each.order.status !== 'untriggered'
    if (!isLocking || isZero(leftOf(each)) || lists.has(each.list ?? '')) return sum
    if (each.list !== undefined) lists.add(each.list)
    return add(sum, leftOf(each))
  }, '0')
}

const freeIn = (world: World): string => subtract(coinsIn(world), lockedIn(world))

/** Something happens: an order fills, the owner is killed, or somebody goes on. */
function happen(world: World): void {
  const { random } = world
  world.now += random.between(0, 400)
  const chance = random.between(0, 99)
  if (chance < 3) fill(world)
  else if (chance < 5) moveBid(world)
  else if (chance < 10) kill(world)
  else goOn(world)
}

/** Goes on with the sale or a watch; false where all of them have come to rest. */
function goOn(world: World): boolean {
  try {
    const isSaleFirst = world.isCalm || world.random.chance(0.7)
    if (isSaleFirst && goOnWithSale(world)) return true
    return [...world.watches.keys()].some((name) => goOnWith(world, name)) || goOnWithSale(world)
  } catch (error) {
    if (!(error instanceof KilledError)) throw error
    kill(world)
    return true
  }
}

function kill(world: World): void {
  const { random, market, sale, outcomes, execution } = world
  if (outcomes.length > 0 && random.chance(0.5)) return
  world.diary.push(`${world.now} the owner is killed`)
  world.isKilled = true
  world.now += 5000
  for (const [name, storedLegs] of world.storedLegs) world.watches.set(name, watchNow(world, storedLegs))
  if (execution.outcomes.length > 0) return
  const notAbsentBefore = absenceCountsAfterSending(world.now)
  world.execution = startExecution({ ...block(market, sale), notAbsentBefore }, [], world.now)
}

/** A kill comes between any two things that are written or sent. */
function mayBeKilled(world: World): void {
  if (!world.isCalm && world.random.chance(0.04)) throw new KilledError()
}

/** The market falls below the stops, which sell, or rises again. */
function moveBid(world: World): void {
  world.bid = world.bid === usualBid ? '57000' : usualBid
  world.diary.push(`${world.now} the market bids ${world.bid}`)
  if (world.bid === usualBid) return
  for (const each of world.taken) {
    if (each.plan.type === 'stop' && !isZero(leftOf(each))) fillOne(world, each, '1')
  }
}

function fill(world: World): void {
  const open = world.taken.filter((each) => !isZero(leftOf(each)))
  const [first] = open
  if (first === undefined) return
  const one = open[world.random.between(0, open.length - 1)] ?? first
  fillOne(world, one, world.random.pick(['0.3', '1'] as const))
}

function fillOne(world: World, one: Taken, share: '0.3' | '1'): void {
  const wanted = share === '1' ? leftOf(one) : floorToStep(multiply(leftOf(one), share), '0.00001')
  // A stop that locks nothing sells what there is.
  const most = isGreater(wanted, coinsIn(world)) ? coinsIn(world) : wanted
  const filled = add(one.order.filled, most)
  const isWhole = isZero(subtract(one.order.quantity, filled))
  world.isRaced ||= !world.market.features.nativeOco && [...world.storedLegs.values()].some(isTakenBack)
  one.order = { ...one.order, filled, status: isWhole ? 'filled' : 'partially_filled' }
  endSiblings(world, one)
  world.shown = []
  world.diary.push(`${world.now} ${name(one.plan)} has ${filled} filled`)
  emit(world, one.order)
}

const isTakenBack = ({ record }: StoredLegs): boolean => record.takenBack !== undefined

function endSiblings(world: World, one: Taken): void {
  if (one.list === undefined) return
  for (const each of world.taken) {
    if (each === one || each.list !== one.list || isTerminal(each.order)) continue
    each.order = { ...each.order, status: 'canceled' }
  }
}

const name = ({ clientOrderId, type, quantity }: OrderPlan): string =>
  `${type} ${clientOrderId.slice(22)} ${quantity}`

/** The stream reports to the watches, or does not. */
function emit(world: World, order: VenueOrder): void {
  if (world.random.chance(0.3)) return
  for (const key of world.watches.keys()) receive(world, key, { of: 'update', order })
}

function receive(world: World, key: string, observation: WatchObservation): void {
  const watch = world.watches.get(key)
  if (watch !== undefined) world.watches.set(key, observeWatch(watch, observation, world.now))
}

function goOnWith(world: World, key: string): boolean {
  const watch = world.watches.get(key)
  if (watch === undefined) return false
  const step = nextForWatch(watch, world.now)
  if (step.do === 'wait' && !world.isCalm && step.until - world.now > 10_000) return false
  if (step.do === 'rest' || step.do === 'end') return world.isCalm && relist(world, key, watch)
  performWatch(world, key, step)
  return true
}

/** In the end each watch receives how its orders stand; true where that was new to it. */
function relist(world: World, key: string, watch: Watch): boolean {
  const isOld = ({ order }: Taken): boolean =>
    watch.attempts.some(
      ({ ref, found }) =>
        ref.clientOrderId === order.clientOrderId &&
        found !== undefined &&
        !isTerminal(found) &&
        (found.status !== order.status || found.filled !== order.filled),
    )
  const old = world.taken.filter(isOld)
  for (const { order } of old) receive(world, key, { of: 'update', order })
  return old.length > 0
}

function performWatch(world: World, key: string, step: Exclude<WatchStep, { do: 'rest' | 'end' }>): void {
  mayBeKilled(world)
  switch (step.do) {
    case 'wait':
      world.now = Math.max(world.now, step.until)
      return
    case 'amend':
      throw new Error('nothing was given up')
    case 'record':
      write(world, key, step.record)
      // One whose answer is lost for long is reported, and placed all the same.
      if (step.notice?.isAlarm === true && !step.notice.text.startsWith('nothing protects'))
        world.alarms.push(step.notice.text)
      world.diary.push(
        `${world.now} ${key.slice(-1)}: ${step.notice?.text ?? step.record.takenBack?.phase ?? ''}`,
      )
      return
    case 'quote': {
      const isHad = world.isCalm || world.random.chance(0.9)
      const quote = { bid: world.bid, ask: world.bid, askedAt: world.now }
      receive(world, key, { of: 'quote', quote: isHad ? quote : null })
      return
    }
    case 'lookUp':
      receive(world, key, {
        of: 'lookUp',
        ...step,
        lookUp: lookUp(world, step.ref.clientOrderId, step.depth),
        askedAt: world.now,
      })
      return
    case 'cancel':
      cancel(world, key, step)
      return
    case 'place': {
      const { plan } = step.leg.decision
      const placement = place(world, plan)
      // Such a stop waits for the market to rise, unless the venue refuses it.
      const known = world.watches.get(key)?.quote?.bid
      world.isWrong ||= placement.outcome !== 'refused' && plan.type === 'stop' && known === '57000'
      receive(world, key, { of: 'place', clientOrderId: plan.clientOrderId, placement })
      return
    }
    case 'placePair': {
      const [one, other] = step.pair.map(({ decision }) => decision.plan)
      if (one === undefined || other === undefined) throw new Error('no pair')
      const placement = place(world, one, other)
      const second = placement.outcome === 'done' ? { ...placement, order: orderOf(other) } : placement
      receive(world, key, { of: 'place', clientOrderId: one.clientOrderId, placement })
      receive(world, key, { of: 'place', clientOrderId: other.clientOrderId, placement: second })
    }
  }
}

function write(world: World, key: string, record: LegsRecord): void {
  const revision = (world.storedLegs.get(key)?.revision ?? 0) + 1
  world.storedLegs.set(key, { record, revision })
  const watch = world.watches.get(key)
  if (watch !== undefined) world.watches.set(key, withRecord(watch, { record, revision }))
  mayBeKilled(world)
}

function lookUp(world: World, clientOrderId: string, depth?: 'usual' | 'everywhere'): LookUp {
  const taken = world.taken.find(({ plan }) => plan.clientOrderId === clientOrderId)
  if (!world.isCalm && world.random.chance(0.1)) return { outcome: 'unreachable', cause: 'no answer' }
  return taken === undefined
    ? { outcome: 'absent', ...(depth && { depth }) }
    : { outcome: 'found', order: taken.order }
}

function cancel(world: World, key: string, { ref }: Extract<WatchStep, { do: 'cancel' }>): void {
  const taken = world.taken.find(({ plan }) => plan.clientOrderId === ref.clientOrderId)
  if (taken === undefined) throw new Error('an order is canceled that was never there')
  const isThere = !isTerminal(taken.order)
  world.shown.push(freeIn(world))
  if (isThere) taken.order = { ...taken.order, status: 'canceled' }
  if (isThere) endSiblings(world, taken)
  world.diary.push(`${world.now} cancels ${name(taken.plan)}: ${isThere}`)
  mayBeKilled(world)
  const isAnswered = world.isCalm || world.random.chance(0.8)
  receive(world, key, {
    of: 'cancel',
    ref,
    cancellation: isAnswered
      ? { outcome: isThere ? 'canceled' : 'gone', order: taken.order }
      : { outcome: 'unknown', cause: 'no answer' },
  })
}

/** Places an order, or both of a pair. */
function place(world: World, plan: OrderPlan, other?: OrderPlan): Placement {
  const { random } = world
  if (world.taken.some((each) => each.plan.clientOrderId === plan.clientOrderId))
    return { outcome: 'unknown', cause: 'taken', isThere: true }
  if (!world.isCalm && random.chance(0.05)) return { outcome: 'unknown', cause: 'never arrived' }
  if (!world.isCalm && random.chance(0.08)) {
    world.isRefused = true
    return { outcome: 'refused', code: 'E601', error: 'refused' }
  }
  const hasPassed = [plan, other].some((each) => each?.type === 'stop') && world.bid !== usualBid
  if (hasPassed && world.market.features.nativeOco)
    return { outcome: 'refused', code: 'E507', error: 'it would trigger at once' }
  const isUnlocked = isConditional(plan) && !world.market.features.nativeOco
  const free = isUnlocked ? held : freeIn(world)
  world.diary.push(`${world.now} places ${name(plan)} of ${free} free`)
  if (isGreater(plan.quantity, free)) {
    // An owner that does not know how much was free when the sale was sized tries all of each exit.
    if (world.isKilled && plan.clientOrderId.includes(protectingAlert)) world.isRefused = true
    return { outcome: 'refused', code: 'E506', error: `not enough, ${free} free` }
  }
  const order = plan.type === 'market' ? trade(world, plan) : orderOf(plan)
  world.shown = isZero(order.filled) ? [...world.shown, free] : []
  const list = other && plan.clientOrderId
  world.taken.push({ plan, order, list })
  if (other !== undefined) world.taken.push({ plan: other, order: orderOf(other), list })
  mayBeKilled(world)
  return world.isCalm || random.chance(0.85)
    ? { outcome: 'done', order }
    : { outcome: 'unknown', cause: 'lost' }
}

function trade({ random }: World, plan: OrderPlan): VenueOrder {
  const isOfWatch = plan.clientOrderId.includes(protectingAlert)
  const share = isOfWatch ? '1' : random.pick(['1', '1', '1', '0.5', '0'] as const)
  const filled = floorToStep(multiply(plan.quantity, share), '0.00001')
  return { ...orderOf(plan), filled, status: share === '1' ? 'filled' : 'expired' }
}

function goOnWithSale(world: World): boolean {
  const step = next(world.execution, active, world.now)
  if (step.do === 'finish') return false
  if (step.do === 'wait') {
    world.now = Math.max(world.now, step.until)
    return true
  }
  world.diary.push(`${world.now} the sale: ${step.do}`)
  const observation = observationOf(world, step)
  world.execution = observe(world.execution, observation, world.now)
  return true
}

function observationOf(world: World, step: Step): Observation {
  mayBeKilled(world)
  switch (step.do) {
    case 'read':
      return { of: 'read', reading: { outcome: 'read', account: accountOf(world) }, isUrgent: true }
    case 'place':
      return { of: 'place', decision: step.decision, placement: place(world, step.decision.plan) }
    case 'lookUp': {
      const found = lookUp(world, step.ref.clientOrderId, step.depth)
      return { of: 'lookUp', ref: step.ref, lookUp: found, askedAt: world.now }
    }
    case 'listOthers':
      return { of: 'listOthers', open: { outcome: 'read', orders: [] } }
    case 'ownExits':
      return { of: 'ownExits', exits: own(world) }
    case 'takeBack':
      return { of: 'takeBack', exits: forAll(world, step.exits, takenFor) }
    case 'beginSale':
      return { of: 'beginSale', exits: forAll(world, step.exits, sellingFor) }
    case 'giveBack': {
      const left = new Map(step.exits.map((exit) => [exit.name, exit.left]))
      const runs = [...left.keys()].flatMap((key) => (world.watches.has(key) ? [key] : []))
      forAll(world, runs, (watch, by, key) => returnedFrom(watch, by, left.get(key)))
      const exits = runs.map((key) => standingOf(key, world.watches.get(key) as Watch))
      return { of: 'giveBack', exits }
    }
    case 'settle':
      world.outcomes.push(step.outcome)
      world.diary.push(`${world.now} settles ${step.outcome.status} ${step.outcome.error ?? ''}`)
      return { of: 'settle', outcome: step.outcome }
    default:
      throw new Error(`a sale does not ${step.do}`)
  }
}

const by = `${alertId}-0.0`

function own({ watches }: World): OwnExit[] {
  return [...watches].flatMap(([key, watch]) => ownExitOf(key, watch) ?? [])
}

function forAll(
  world: World,
  names: readonly string[],
  change: (watch: Watch, by: string, key: string) => LegsRecord | undefined,
): OwnExit[] {
  for (const key of names) {
    const watch = world.watches.get(key)
    const record = watch && change(watch, by, key)
    if (record !== undefined) write(world, key, record)
    const changed = world.watches.get(key)
    if (changed !== undefined) world.watches.set(key, withoutAwaiting(changed, by))
    for (let round = 0; round < 20; round++) {
      const known = world.watches.get(key)
      const step = known && nextForWatch(known, world.now)
      if (step === undefined || ['wait', 'rest', 'end'].includes(step.do)) break
      goOnWith(world, key)
    }
  }
  return own(world)
}

/** The account as a reading shows it, which may be older than what an order has locked, or no longer does. */
function accountOf(world: World) {
  const { random, shown } = world
  return accountReading({
    holdings: [
      { coin: 'USDT', total: '1000', free: '1000' },
      { coin: 'BTC', total: coinsIn(world), free: random.pick([freeIn(world), ...shown]) },
    ],
    position: coinsIn(world),
    entryPrice: null,
    settings: null,
  })
}

function faultsOf(world: World): string[] {
  const { taken, outcomes, storedLegs } = world
  const [outcome] = outcomes
  const ids = taken.map(({ plan }) => plan.clientOrderId)
  const faults: string[] = []
  if (new Set(ids).size !== ids.length) faults.push('an order was executed twice')
  if (outcome === undefined) return ['the sale did not end']
  const sales = taken.filter(({ plan }) => plan.clientOrderId.includes(alertId))
  const sold = sales.reduce((sum, { order }) => add(sum, order.filled), '0')
  if (outcome.status === 'success' && isZero(sold) && sales.length > 0)
    faults.push('it is reported as sold, and did not sell')
  if (outcome.status === 'failed' && outcome.errorCode !== 'E602' && !isZero(sold))
    faults.push('it sold, and is reported as failed')
  for (const { record } of storedLegs.values())
    if (record.takenBack !== undefined && record.state !== 'done') faults.push('orders stay taken back')
  if (world.isWrong) faults.push('a stop stands above the market')
  if (isLess(coinsIn(world), '0')) faults.push('more was sold than there was')
  if (world.isRefused || world.isRaced || outcome.errorCode === 'E602') return faults
  // A successor does not look what locks the coins of an order that may have been sent.
  const isWanted = !world.isKilled && isZero(soldIn(world))
  if (outcome.errorCode === 'E506' && isWanted) faults.push('its coins are there, and it is refused')
  if (world.alarms.length > 0) faults.push(`an alarm: ${world.alarms.join('; ')}`)
  return [...faults, ...bareIn(world)]
}

/** Coins that an order was over, and that were not sold, have one again. */
function bareIn(world: World): string[] {
  const { taken, storedLegs } = world
  const groups = [...storedLegs].map(([key, { record }]) => {
    const mine = taken.filter(
      ({ plan }) =>
        plan.clientOrderId.slice(0, -2).endsWith(key.slice(-1)) &&
        plan.clientOrderId.includes(protectingAlert),
    )
    const [first] = mine
    const filled = mine.reduce((sum, { order }) => add(sum, order.filled), '0')
    const open = mine.map(leftOf).reduce((most, each) => (isGreater(each, most) ? each : most), '0')
    return { whole: first?.plan.quantity ?? '0', filled, open, record }
  })
  const sum = (of: (group: (typeof groups)[number]) => string): string =>
    groups.reduce((all, group) => add(all, of(group)), '0')
  const uncovered = subtract(
    held,
    sum(({ whole }) => whole),
  )
  const bare = subtract(
    coinsIn(world),
    sum(({ open }) => open),
  )
  const most = add(uncovered, multiply(crumb, `${groups.length}`))
  return isGreater(bare, most) ? [`${bare} coins have no order, ${uncovered} had none before`] : []
}
