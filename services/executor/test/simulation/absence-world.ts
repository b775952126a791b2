import { clientOrderIdOf } from '@tripline/proto/client-order-id'
import type { CommandResult } from '@tripline/proto/command-result'
import type { ExchangeMarket } from '@tripline/proto/exchange'
import { amendedOutcome } from '../../src/domain/execution/amendment.ts'
import { doubtRecord } from '../../src/domain/execution/doubt-record.ts'
import { next, observe, startExecution } from '../../src/domain/execution/execution.ts'
import type { Execution, Observation, Step } from '../../src/domain/execution/state.ts'
import type { StoredLegs } from '../../src/domain/group/legs-record.ts'
import { type Watch, watchOf, withRecord } from '../../src/domain/group/watch.ts'
import { nextForWatch } from '../../src/domain/group/watch-next.ts'
import { observeWatch } from '../../src/domain/group/watch-observe.ts'
import { type AbsenceRule, absenceRules } from '../../src/domain/order/absence.ts'
import { absenceCountsAfterSending } from '../../src/domain/order/doubt.ts'
import type { LookUp, OrderPlan, VenueOrder } from '../../src/domain/order/order.ts'
import { accountReading, btcusdt, btcusdtSpot, commandsOf } from '../btcusdt.ts'
import { alertId } from '../scripted-run.ts'
import { createLateVenue, type LateVenue, type Weakness } from './late-venue.ts'
import { type Random, randomOf } from './random.ts'

const phrases = [
  'market(buy, 0.01)',
  'market(sell, 0.01)',
  'limit(buy, 0.01, 59000)',
  'stop(sell, 0.01, 58000)',
] as const
const commands = new Map(phrases.map((phrase) => [phrase, commandsOf(phrase)]))
const limits = { tradingState: 'active', maxEntryAgeMs: 60_000, exitRetryMs: 120_000 } as const
const answerMs = 100
const clientOrderId = clientOrderIdOf({ alertId, block: 0, command: 0, leg: 0, revision: 0 })

interface World {
  random: Random
  market: ExchangeMarket
  rule: AbsenceRule
  weakness: Weakness
  venue: LateVenue
  now: number
  deaths: number
  diary: string[]
}

export interface AbsenceOutcome {
  faults: string[]
  diary: string[]
}

/** Sends one order at a market until it is known what became of it; answers get lost and owners die by the chances of a seed. */
export function simulateAbsence(
  seed: number,
  market: ExchangeMarket,
  weakness: Weakness = {},
): AbsenceOutcome {
  const world = createWorld(seed, market, weakness)
  const { random, venue, diary } = world
  const phrase = random.pick(phrases)
  diary.push(`${market} ${phrase}`)
  const block = {
    alertId,
    block: 0,
    commands: commands.get(phrase) ?? [],
    market: market.endsWith('spot') ? btcusdtSpot : btcusdt,
    absence: world.rule,
    dueAt: 0,
    isRestored: false,
  }
  let execution = startExecution({ ...block, notAbsentBefore: undefined }, [], 0)
  for (let steps = 0; steps < 2000; steps++) {
    const step = next(execution, limits, world.now)
    if (step.do === 'settle') return judge(world, execution, step.outcome)
    const after = perform(world, execution, step)
    if (after === 'dead') {
      const goneBy = world.now
      world.now += random.between(500, 8000)
      venue.cutStream(goneBy, world.now)
      diary.push(`${world.now} an owner takes over`)
      execution = startExecution(
        { ...block, notAbsentBefore: absenceCountsAfterSending(goneBy) },
        [],
        world.now,
      )
    } else execution = after
  }
  return { faults: ['the command does not end'], diary }
}

function createWorld(seed: number, market: ExchangeMarket, weakness: Weakness): World {
  const random = randomOf(seed)
  const world: World = {
    random,
    market,
    rule: { ...absenceRules[market], ...weakness.rule },
    weakness,
    venue: createLateVenue({ random, market, now: () => world.now }),
    now: 0,
    deaths: random.pick([0, 0, 1, 2]),
    diary: [],
  }
  for (let gaps = random.pick([0, 0, 1, 2]); gaps > 0; gaps--) {
    const from = random.between(-500, 20_000)
    world.venue.cutStream(from, from + random.between(100, 10_000))
  }
  return world
}

function perform(world: World, execution: Execution, step: Step): Execution | 'dead' {
  const { random } = world
  if (step.do === 'wait') {
    world.now = Math.max(world.now, step.until)
    return execution
  }
  const observation = observationOf(world, step)
  if (world.deaths > 0 && random.chance(0.3)) {
    world.deaths--
    return 'dead'
  }
  const isRefused = observation.of === 'place' && observation.placement.outcome === 'refused'
  const seen = isRefused && world.weakness.believesRefusals ? undoubted(execution) : execution
  return observe(seen, observation, world.now)
}

/** The execution as one sees it that takes its order for never sent. */
function undoubted(execution: Execution): Execution {
  const { orders: _doubted, ...current } = execution.current
  return { ...execution, current }
}

function observationOf(world: World, step: Step): Observation {
  const { venue, diary } = world
  switch (step.do) {
    case 'read':
      world.now += answerMs
      return { of: 'read', reading: { outcome: 'read', account: accountReading() }, isUrgent: false }
    case 'ownExits':
      return { of: 'ownExits', exits: [] }
    case 'place': {
      const { plan } = step.decision
      diary.push(`${world.now} sends ${plan.type} ${plan.side}`)
      const { answer, at } = venue.place(plan)
      world.now = at
      const reported = answer.outcome === 'unknown' ? venue.reported(plan.clientOrderId) : undefined
      const placement =
        reported === undefined ? answer : ({ outcome: 'done', order: reported, source: 'stream' } as const)
      diary.push(`${world.now} is answered: ${placement.outcome}${reported ? ' by the stream' : ''}`)
      return { of: 'place', decision: step.decision, placement }
    }
    case 'lookUp':
      return { of: 'lookUp', ref: step.ref, ...lookUp(world, step) }
    default:
      throw new Error(`nothing does ${step.do}`)
  }
}

function lookUp(
  world: World,
  { ref, depth = 'usual' }: Extract<Step, { do: 'lookUp' }>,
): { lookUp: LookUp; askedAt: number } {
  const { venue, weakness, random, diary } = world
  const askedAt = world.now
  world.now += random.delay(answerMs, 2500, 0.1)
  const type = ref.isConditional ? 'stop' : 'limit'
  const plan = { clientOrderId: ref.clientOrderId as OrderPlan['clientOrderId'], type } as const
  const shown = venue.lookUp(plan, depth, weakness.unasked)
  const isReportAsked = shown.outcome === 'absent' && weakness.ignoresReports !== true
  const reported = isReportAsked ? venue.reported(ref.clientOrderId) : undefined
  const lookUp = reported === undefined ? shown : ({ outcome: 'found', order: reported } as const)
  world.now += random.delay(answerMs, 2500, 0.1)
  diary.push(`${askedAt} looks up ${depth}: ${lookUp.outcome}`)
  if (lookUp.outcome !== 'absent') return { lookUp, askedAt }
  const faked = { liveSince: Number.NEGATIVE_INFINITY, verifiedUntil: world.now }
  const stream = weakness.ignoresGaps === true ? faked : venue.witness()
  return { lookUp: { ...lookUp, stream }, askedAt }
}

/** Compares the reported outcome with the orders of the venue, also where it is found out later. */
function judge(world: World, execution: Execution, outcome: CommandResult): AbsenceOutcome {
  const { venue, diary } = world
  diary.push(`${world.now} ${outcome.status} ${outcome.errorCode ?? ''}`)
  const record = doubtRecord(execution, outcome)
  const amended = record === undefined ? undefined : findOut(world, { record, revision: 1 })
  if (amended !== undefined) diary.push(`${world.now} amended: ${amended.status} ${amended.errorCode ?? ''}`)
  venue.settle()
  world.now += 3_600_000
  const taken = venue.taken()
  const reported = [outcome, ...(amended === undefined ? [] : [amended])]
  const faults = reported.flatMap((each) => untrue(each, taken))
  if (taken.length > 1) faults.push('the order was executed twice')
  if (record !== undefined && amended === undefined) faults.push('the result of the order is never found out')
  return { faults, diary }
}

function untrue({ status, errorCode }: CommandResult, taken: readonly VenueOrder[]): string[] {
  if (errorCode === 'E602') return []
  if (status === 'success') return taken.length === 0 ? ['an order is reported that is not there'] : []
  return taken.length === 0
    ? []
    : [`an order that is ${taken[0]?.status} was reported as failed (${errorCode})`]
}

/** Watches over an order in doubt until it is known what became of it. */
function findOut(world: World, storedLegs: StoredLegs): CommandResult | undefined {
  const place = { market: btcusdt, absence: world.rule }
  let watch = watchOf(storedLegs, place, absenceCountsAfterSending(world.now), world.now)
  for (let steps = 0; steps < 2000; steps++) {
    const step = nextForWatch(watch, world.now)
    if (step.do === 'amend') return amendedOutcome(watch, 'market')
    if (step.do === 'wait') world.now = Math.max(world.now, step.until)
    else if (step.do === 'lookUp')
      watch = observeWatch(watch, { of: 'lookUp', ref: step.ref, ...lookUp(world, step) }, world.now)
    else return undefined
  }
  return undefined
}

/** Watches over an order that rests until its end, through gaps and lists that lag; nobody cancels it. */
export function simulateResting(
  seed: number,
  market: ExchangeMarket,
  weakness: Weakness = {},
): AbsenceOutcome {
  const world = createWorld(seed, market, weakness)
  const { random, venue, diary } = world
  const plan = planOf(random)
  for (let sent = 0; venue.taken().length === 0 && sent < 50; sent++) {
    const { at } = venue.place(plan)
    venue.settle()
    world.now = at + 20_000
  }
  const cutAt = world.now + random.between(0, 60_000)
  venue.cutStream(cutAt, cutAt + random.between(0, 60_000))
  const [first] = venue.taken()
  if (first === undefined || first.status === 'filled') return { faults: [], diary }
  const record: StoredLegs['record'] = {
    state: 'live',
    keeper: 'venue',
    rules: { mode: 'cancel', onPartial: 'keep' },
    legs: [{ decision: { plan }, revision: 0 }],
    isLone: true,
  }
  const place = { market: btcusdt, absence: world.rule }
  let watch = watchOf({ record, revision: 1 }, place, world.now, world.now)
  watch = observeWatch(watch, { of: 'update', order: first }, world.now)
  diary.push(`${market} ${plan.type} rests`)
  const until = world.now + 180_000
  while (world.now < until) {
    const step = nextForWatch(watch, world.now)
    if (step.do === 'record') watch = withRecord(watch, { record: step.record, revision: 1 })
    else if (step.do === 'end') return judgeEnd(world, watch)
    else if (step.do === 'wait') world.now = Math.max(world.now, step.until)
    else if (step.do === 'lookUp')
      watch = observeWatch(watch, { of: 'lookUp', ref: step.ref, ...lookUp(world, step) }, world.now)
    else {
      world.now += random.between(1000, 20_000)
      const reported = venue.reported(plan.clientOrderId)
      const isReported = reported !== undefined && random.chance(0.5)
      diary.push(`${world.now} ${isReported ? `receives ${reported?.status}` : 'has a gap'}`)
      watch = observeWatch(watch, isReported ? { of: 'update', order: reported } : { of: 'gap' }, world.now)
    }
  }
  return { faults: [], diary }
}

function judgeEnd(world: World, { attempts }: Watch): AbsenceOutcome {
  const [is] = world.venue.taken()
  const reported = attempts[0]?.found?.status
  const faults = reported === is?.status ? [] : [`an order that is ${is?.status} was taken for ${reported}`]
  return { faults, diary: world.diary }
}

function planOf(random: Random): OrderPlan {
  const rest = {
    symbol: 'BTCUSDT',
    clientOrderId,
    side: 'sell',
    quantity: '0.010',
    reduceOnly: true,
  } as const
  const isStop = random.chance(0.5)
  return {
    ...rest,
    positionSide: 'both',
    sizing: '',
    ...(isStop ? { type: 'stop', triggerPrice: '58000.0' } : { type: 'limit', price: '62000.0' }),
  }
}
