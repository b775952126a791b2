import type { CommandResult } from '@tripline/proto/command-result'
import { aftermathOf } from '../../src/domain/execution/aftermath.ts'
import { startExecution } from '../../src/domain/execution/execution.ts'
import type { Execution, Observation, Step } from '../../src/domain/execution/state.ts'
import { receiveWindowMs } from '../../src/domain/order/doubt.ts'
import type { OrderPlan } from '../../src/domain/order/order.ts'
import {
  type BothClocks,
  deadlineOf,
  isHeld,
  mayClaim,
  renewalMs,
  type SeenLease,
  type Tenure,
  usualTerm,
} from '../../src/domain/sharing/lease.ts'
import type { Story } from './timeline.ts'
import { askedTooOften, outsideWindow, type Signed } from './venue.ts'
import { clocksIn, isVenueUp, type Mishap, note, type World } from './world.ts'

const answerDeadlineMs = 4000
const graceMs = 5000
const { leaseMs } = usualTerm
const limits = { tradingState: 'active', maxEntryAgeMs: 60_000, exitRetryMs: 600_000 } as const

/** One process that owns the partition, or thinks so. */
interface Owner {
  id: number
  deadline: BothClocks
  /** Its lease by its own clocks, as long as the deadline is not over. */
  tenure: Tenure
  /** By how much its clocks stood still, how much of that it knows of, and when the venue last said that they are wrong. */
  behindMs: number
  knownBehindMs: number
  doubtedAt: number
  isDead: boolean
  frozenUntil: number
  cutOffUntil: number
  stopsBy: number | undefined
  /** The counts of published outcomes, and of stored ones. */
  emitted: number
  emittedAndStored: number
}

/** Thrown where a killed process would have gone on. */
class KilledError extends Error {
  constructor() {
    super('killed')
    this.name = 'KilledError'
  }
}

/** Begins an owner that claimed the lease at this moment. */
export function beginOwner(world: World, claimedAt: BothClocks, notAbsentBefore: number | undefined): void {
  const owner: Owner = {
    id: world.lease.owner,
    deadline: deadlineOf(claimedAt),
    tenure: { since: claimedAt.monotonic, provenAt: claimedAt.monotonic },
    behindMs: 0,
    knownBehindMs: 0,
    doubtedAt: Number.NEGATIVE_INFINITY,
    isDead: false,
    frozenUntil: 0,
    cutOffUntil: 0,
    stopsBy: undefined,
    emitted: 0,
    emittedAndStored: 0,
  }
  note(world, `owner ${owner.id} begins, absence counts from ${notAbsentBefore ?? 'now'}`)
  world.timeline.begin(renew(world, owner))
  world.timeline.begin(run(world, owner, notAbsentBefore))
  world.timeline.begin(succeed(world, owner.id))
}

/** Takes the lease over once its owner let go of it, gave it back or was silent for too long. */
function* succeed(world: World, owner: number): Story {
  const { lease, random, rules } = world
  let seen: SeenLease = { revision: 0, isReleased: false, unchangedSince: 0 }
  // For some time there may be nobody who could take it.
  if (random.chance(0.2)) yield random.between(0, 30_000)
  while (!world.hasEnded && lease.owner === owner) {
    const { revision, isReleased, goneBy = Number.POSITIVE_INFINITY } = lease
    yield random.delay(5, 300, 0.2)
    const now = world.timeline.now()
    if (revision !== seen.revision) seen = { revision, isReleased, unchangedSince: now }
    if (now >= goneBy) seen = { ...seen, goneBy }
    yield seen.goneBy === undefined ? 250 : 0
    if (!mayClaim(seen, world.timeline.now())) continue
    const at = clocksIn(world)
    yield random.delay(5, 300, 0.2)
    if (lease.revision !== seen.revision || world.hasEnded) continue
    const isUnbegun = seen.isReleased || isStoredLater(world)
    const taken = { owner: owner + 1, revision: lease.revision + 1, isReleased: false, goneBy: undefined }
    Object.assign(lease, taken, { storedAt: storedNow(world) })
    beginOwner(world, at, isUnbegun ? undefined : rules.notAbsentBefore(seen, receiveWindowMs))
  }
}

/** True where the alert was stored once the owner could begin it no more, as far as the clocks of the bus show. */
function isStoredLater(world: World): boolean {
  const { alertAt, busAhead, timeline, lease, rules } = world
  const isStored = alertAt <= timeline.now()
  if (!isStored) return true
  const isLater = alertAt + busAhead.alerts >= rules.unbegunAfter(lease.storedAt)
  if (isLater) note(world, `owner ${lease.owner} cannot have begun what was stored at ${alertAt}`)
  return isLater
}

function storedNow({ timeline, busAhead }: World): number {
  return timeline.now() + busAhead.leases
}

/** Renews the lease each second; an owner that finds it gone ends at once. */
function* renew(world: World, owner: Owner): Story {
  const { lease, random } = world
  while (!owner.isDead) {
    const awayMs = awayFromBusMs(world, owner)
    if (awayMs > 0) {
      yield awayMs
      continue
    }
    const sentAt = clocksOf(world, owner)
    yield random.delay(5, 1000, 0.2)
    if (lease.owner !== owner.id || lease.isReleased) {
      if (!owner.isDead) note(world, `owner ${owner.id} finds its lease gone`)
      owner.isDead = true
      return
    }
    lease.revision++
    lease.storedAt = storedNow(world)
    yield random.delay(5, 1000, 0.2)
    // A lost reply lets the lease go on for others but not for its owner.
    if (!random.chance(0.05)) prolong(world, owner, sentAt)
    yield renewalMs
  }
}

/** The clocks of an owner, which stand still where its whole machine does. */
function clocksOf({ timeline }: World, { behindMs }: Owner): BothClocks {
  const at = timeline.now() - behindMs
  return { monotonic: at, wall: at }
}

function prolong(world: World, owner: Owner, sentAt: BothClocks): void {
  const { monotonic } = clocksOf(world, owner)
  const since = isHeld(owner.deadline, clocksOf(world, owner)) ? owner.tenure.since : monotonic
  owner.deadline = deadlineOf(sentAt)
  owner.tenure = { since, provenAt: sentAt.monotonic }
}

/** Since when the lease is held, as far as the owner knows; undefined while that is not sure. */
function tenureOf(world: World, owner: Owner): Tenure | undefined {
  return isHeld(owner.deadline, clocksOf(world, owner)) ? owner.tenure : undefined
}

/** Returns the owner's ms without the bus. */
function awayFromBusMs({ timeline }: World, { frozenUntil, cutOffUntil }: Owner): number {
  return Math.max(0, frozenUntil - timeline.now(), cutOffUntil - timeline.now())
}

function* run(world: World, owner: Owner, notAbsentBefore: number | undefined): Story {
  try {
    const start = { ...world.block, notAbsentBefore }
    yield* pass(world, owner, 0)
    while (world.timeline.now() < world.alertAt) {
      if (owner.stopsBy !== undefined) return leave(world, owner)
      yield* pass(world, owner, Math.min(250, world.alertAt - world.timeline.now()))
    }
    let execution = resume(world, start)
    for (;;) {
      yield* pass(world, owner, 0)
      const step = world.rules.next(execution, limits, world.timeline.now())
      if (step.do === 'finish') return yield* finish(world, owner, execution)
      if (owner.stopsBy !== undefined && (yield* handOver(world, owner, execution, step))) return
      execution = yield* perform(world, owner, execution, step)
    }
  } catch (error) {
    if (!(error instanceof KilledError)) throw error
    owner.isDead = true
  }
}

/** The execution behind its stored outcomes, or those stored at its last wait. */
function resume(world: World, start: Parameters<typeof startExecution>[0]): Execution {
  const atLastWait = [...world.progress.values()].findLast(
    ({ outcomes }) => outcomes.length >= world.stored.length,
  )
  const outcomes = atLastWait?.outcomes ?? [...world.stored]
  return startExecution(start, outcomes, world.timeline.now(), atLastWait?.sleep)
}

/** Lets time pass for an owner; wherever it does, the owner may be killed, frozen, or asked to stop. */
function* pass(world: World, owner: Owner, ms: number): Story {
  const { random, timeline, lease, rules } = world
  yield ms
  if (owner.isDead) throw new KilledError()
  if (world.mishaps === 0 || !random.chance(0.06)) return
  world.mishaps--
  const mishap = random.pick<Mishap>([
    'kill',
    'kill',
    'freeze',
    'freeze',
    'cut off',
    'cut off',
    'stop',
    'sleep',
  ])
  note(world, `owner ${owner.id}: ${mishap}`)
  const isBegunAnew = random.chance(0.5) && rules.provesGone(mishap) && lease.owner === owner.id
  if (isBegunAnew) lease.goneBy = timeline.now() + random.pick([0, 0, random.between(0, 1500)])
  if (mishap === 'stop') owner.stopsBy ??= timeline.now() + graceMs
  if (mishap === 'cut off') cutOff(world, owner, random.between(1500, 6000))
  if (mishap === 'kill') throw new KilledError()
  if (mishap !== 'freeze' && mishap !== 'sleep') return
  // A machine that sleeps for less than the receive window is as a slow network is.
  const frozenMs = mishap === 'sleep' ? random.between(4000, 9000) : random.between(100, 8000)
  owner.frozenUntil = timeline.now() + frozenMs
  yield frozenMs
  if (mishap === 'sleep') {
    owner.behindMs += frozenMs
    // Connections do not outlive it, and what the owner could store meanwhile is another matter than what it signs.
    cutOff(world, owner, leaseMs)
  }
  if (owner.isDead) throw new KilledError()
}

/** Cuts an owner off from the bus for so long at least. */
function cutOff({ timeline }: World, owner: Owner, ms: number): void {
  owner.cutOffUntil = Math.max(owner.cutOffUntil, timeline.now() + ms)
}

function* finish(world: World, owner: Owner, { outcomes }: Execution): Story {
  const isStoredFirst = world.rules.isResultStoredFirst(outcomes)
  while (isStoredFirst && owner.emittedAndStored < owner.emitted) yield* pass(world, owner, 5)
  note(world, `owner ${owner.id} publishes the result`)
  world.results.push(outcomes)
  while (owner.emittedAndStored < owner.emitted) yield* pass(world, owner, 5)
  note(world, `owner ${owner.id} finishes`)
  world.hasEnded = true
  owner.isDead = true
}

/** True once the owner is gone: it gave the lease back where it may, or its grace is over. */
function* handOver(world: World, owner: Owner, execution: Execution, step: Step): Story<boolean> {
  if (owner.stopsBy !== undefined && world.timeline.now() > owner.stopsBy) throw new KilledError()
  if (step.do === 'settle' || !world.rules.mayHandOver(execution)) return false
  while (owner.emittedAndStored < owner.emitted) yield* pass(world, owner, 5)
  leave(world, owner)
  return true
}

/** Gives the lease back, where that can be written. */
function leave(world: World, owner: Owner): void {
  if (world.lease.owner !== owner.id || awayFromBusMs(world, owner) > 0) throw new KilledError()
  note(world, `owner ${owner.id} hands over`)
  Object.assign(world.lease, { revision: world.lease.revision + 1, isReleased: true })
  owner.isDead = true
}

function* perform(
  world: World,
  owner: Owner,
  execution: Execution,
  step: Exclude<Step, { do: 'finish' }>,
): Story<Execution> {
  const { rules, timeline } = world
  if (step.do === 'wait' || step.do === 'sleep') {
    yield* pass(world, owner, Math.max(0, step.until - timeline.now()))
    return execution
  }
  const observation = yield* observationOf(world, owner, execution, step)
  return rules.observe(execution, observation, timeline.now())
}

function* observationOf(
  world: World,
  owner: Owner,
  execution: Execution,
  step: Exclude<Step, { do: 'finish' | 'wait' | 'sleep' }>,
): Story<Observation> {
  const { venue } = world
  const command = execution.outcomes.length
  switch (step.do) {
    case 'read':
      return { of: 'read', reading: yield* ask(world, owner, venue.read, unreachable), isUrgent: false }
    case 'lookUp': {
      const askedAt = world.timeline.now()
      const { clientOrderId } = step.ref
      const lookUp = yield* ask(world, owner, () => venue.lookUp(clientOrderId, step.depth), unreachable)
      const where = step.depth === 'everywhere' ? ' everywhere' : ''
      note(world, `owner ${owner.id} looks up ${clientOrderId.slice(-5)}${where}: ${lookUp.outcome}`)
      return { of: 'lookUp', ref: step.ref, lookUp, askedAt }
    }
    case 'list':
      return yield* listing(world, owner)
    case 'cancel': {
      const { clientOrderId } = step.ref
      const cancellation = yield* send(world, owner, {
        name: `a cancel of ${clientOrderId.slice(-5)}`,
        seenAt: step.seenAt,
        take: (signed) => venue.cancel(clientOrderId, signed),
        same: (outcome) => outcome,
      })
      return { of: 'cancel', ref: step.ref, cancellation }
    }
    case 'endWatches':
      return { of: 'endWatches', count: 0, held: [] }
    case 'ownExits':
    case 'takeBack':
    case 'beginSale':
    case 'giveBack':
    case 'listOthers':
      throw new Error('a sale on spot in a market of futures')
    case 'change': {
      const name = 'a change of settings'
      return {
        of: 'change',
        outcome: yield* send(world, owner, { name, take: venue.change, same: (outcome) => outcome }),
      }
    }
    case 'place':
    case 'placeOco':
      return yield* placing(world, owner, step)
    case 'recall':
      yield* reachBus(world, owner)
      return { of: 'recall', stored: world.storedLegs.get(command) }
    case 'record':
      return { of: 'record', record: step.record, revision: yield* keep(world, owner, command, step) }
    case 'keepProgress': {
      while (owner.emittedAndStored < owner.emitted) yield* pass(world, owner, 5)
      yield* reachBus(world, owner)
      const known = world.progress.get(command) ?? { sleep: step.sleep, outcomes: execution.outcomes }
      world.progress.set(command, known)
      return { of: 'keepProgress', sleep: known.sleep }
    }
    case 'settle':
      yield* settle(world, owner, execution, step.outcome)
      return { of: 'settle', outcome: step.outcome }
  }
}

function* listing(world: World, owner: Owner): Story<Observation> {
  const { rules, venue } = world
  if (!rules.maySign(tenureOf(world, owner), Number.NEGATIVE_INFINITY)) return { of: 'unlisted' }
  const askedAt = clocksOf(world, owner).monotonic
  return { of: 'list', open: yield* ask(world, owner, venue.openOrders, unreachable), askedAt }
}

const unreachable = { outcome: 'unreachable', cause: 'no answer' } as const

function mayStoreNow(world: World, owner: Owner): boolean {
  const { rules } = world
  return awayFromBusMs(world, owner) === 0 && rules.mayStore(owner.deadline, clocksOf(world, owner))
}

/** Passes time until the bus takes something of the owner, as far as that one may write to it. */
function* reachBus(world: World, owner: Owner): Story {
  const { random } = world
  do {
    yield* pass(world, owner, Math.max(random.delay(2, 1000, 0.1), awayFromBusMs(world, owner)))
  } while (!mayStoreNow(world, owner))
}

function* keep(
  world: World,
  owner: Owner,
  command: number,
  { record, over }: Extract<Step, { do: 'record' }>,
): Story<number | undefined> {
  yield* reachBus(world, owner)
  const { storedLegs } = world
  if ((storedLegs.get(command)?.revision ?? 0) !== over) {
    note(world, `owner ${owner.id} does not get to record ${command}`)
    return undefined
  }
  storedLegs.set(command, { record, revision: over + 1 })
  note(world, `owner ${owner.id} records ${command}: ${record.state}`)
  yield* pass(world, owner, world.random.delay(2, 500, 0.1))
  return over + 1
}

function* ask<Answer>(world: World, owner: Owner, question: () => Answer, silence: Answer): Story<Answer> {
  yield* pass(world, owner, world.random.delay(10, 2500, world.roughAsking))
  const isReached = isVenueUp(world) && !world.random.chance(world.roughAsking / 2)
  const answer = isReached ? question() : silence
  yield* pass(world, owner, world.random.delay(10, 2500, world.roughAsking))
  return isReached && world.random.chance(world.roughAsking / 4) ? silence : answer
}

function* placing(
  world: World,
  owner: Owner,
  step: Extract<Step, { do: 'place' | 'placeOco' }>,
): Story<Observation> {
  const { venue } = world
  const nameOf = ({ clientOrderId, side, quantity }: OrderPlan): string =>
    `${clientOrderId.slice(-5)}: ${side} ${quantity}`
  if (step.do === 'place') {
    const { plan } = step.decision
    const placement = yield* send(world, owner, {
      name: nameOf(plan),
      take: (signed) => venue.place(plan, signed),
      same: (outcome) => outcome,
    })
    return { of: 'place', decision: step.decision, placement }
  }
  const pair = [step.pair[0].plan, step.pair[1].plan] as const
  const placements = yield* send(world, owner, {
    name: pair.map(nameOf).join(' and '),
    take: (signed) => venue.placeOco(pair, signed),
    same: (outcome) => [outcome, outcome] as const,
  })
  return { of: 'placeOco', placements }
}

/** A request that changes something at the venue. */
interface Request<Answer> {
  name: string
  /** When the list was asked for that it was decided on. */
  seenAt?: number | undefined
  take: (signed: Signed) => Answer
  /** Returns the result of a request that is withheld or not answered. */
  same: (outcome: { outcome: 'withheld' } | { outcome: 'unknown'; cause: string }) => Answer
}

/** Sends what is signed, and receives its result, or nothing. */
function* send<Answer>(world: World, owner: Owner, request: Request<Answer>): Story<Answer> {
  const { random, timeline, rules } = world
  const { name, seenAt, take, same } = request
  const signedFrom = timeline.now()
  const signed = { by: owner.id, at: signedFrom - owner.behindMs + owner.knownBehindMs + world.aheadMs }
  yield* pass(world, owner, 0)
  if (!rules.maySign(tenureOf(world, owner), owner.doubtedAt, seenAt)) return same({ outcome: 'withheld' })
  yield* pass(world, owner, 0)
  note(world, `owner ${owner.id} sends ${name}`)
  const underwayMs = random.delay(10, world.underwayMs, world.roughSending)
  // A freeze behind the signing holds the request up as a slow network does.
  const isTooSlow = timeline.now() - signedFrom + underwayMs > world.underwayMs
  const isLost = isTooSlow || !isVenueUp(world) || random.chance(world.roughSending / 3)
  let answer: Answer | undefined
  if (!isLost) timeline.begin(arrive())
  // Requests written before a kill still arrive.
  yield* pass(world, owner, 0)
  const isAnswerLost = random.chance(world.roughSending)
  const answeredMs = underwayMs + random.delay(10, 5000, world.roughSending)
  const patienceMs = isLost || isAnswerLost ? random.between(0, answerDeadlineMs) : answerDeadlineMs
  yield* pass(world, owner, Math.min(answeredMs, patienceMs))
  if (answer === undefined || isAnswerLost || answeredMs > patienceMs) {
    note(world, `owner ${owner.id} does not receive ${name}`)
    return same({ outcome: 'unknown', cause: 'no answer' })
  }
  if (owner.knownBehindMs !== owner.behindMs && isOutside(answer)) {
    note(world, `owner ${owner.id} finds its clocks wrong`)
    owner.knownBehindMs = owner.behindMs
    owner.doubtedAt = clocksOf(world, owner).monotonic
    return same({ outcome: 'withheld' })
  }
  return answer

  function* arrive(): Story {
    yield underwayMs
    answer = take(signed)
    note(world, `the venue answers ${name}: ${wordIn(answer)}`)
  }
}

function wordIn(answer: unknown): string | undefined {
  const text = JSON.stringify(answer)
  return text.includes(askedTooOften)
    ? askedTooOften
    : /refused|done|unknown|canceled|gone|changed/.exec(text)?.[0]
}

function isOutside(answer: unknown): boolean {
  return JSON.stringify(answer).includes(outsideWindow)
}

/** Emits an outcome; it is stored a little later, behind those emitted before. */
function* settle(world: World, owner: Owner, execution: Execution, outcome: CommandResult): Story {
  const { random, rules } = world
  const index = execution.outcomes.length
  const place = owner.emitted++
  note(
    world,
    `owner ${owner.id} settles ${index}: ${outcome.command} ${outcome.status} ${outcome.errorCode ?? ''}`,
  )
  world.timeline.begin(store())
  const aftermath = aftermathOf(execution)
  if (aftermath === undefined && !rules.isStoredFirst(outcome)) return
  while (owner.emittedAndStored <= place) yield* pass(world, owner, 1)
  if (aftermath === 'forget') world.storedLegs.delete(index)

  function* store(): Story {
    do {
      yield Math.max(random.delay(2, 1000, 0.1), awayFromBusMs(world, owner))
      if (owner.isDead) return
    } while (owner.emittedAndStored < place || !mayStoreNow(world, owner))
    owner.emittedAndStored++
    // An event of the same id is stored once: the first one stays.
    world.stored[index] ??= outcome
  }
}
