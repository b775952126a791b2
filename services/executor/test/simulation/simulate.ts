import type { Command } from '@tripline/proto/alert-tree'
import { clientOrderIdOf, hasTag } from '@tripline/proto/client-order-id'
import type { CommandResult } from '@tripline/proto/command-result'
import type { AlertId } from '@tripline/proto/id'
import { type AbsenceRule, absenceRules } from '../../src/domain/order/absence.ts'
import { isProtective } from '../../src/domain/order/order.ts'
import { busClocksMs } from '../../src/domain/sharing/lease.ts'
import { btcusdt, commandsOf } from '../btcusdt.ts'
import { beginOwner } from './owner.ts'
import { type Random, randomOf } from './random.ts'
import { createTimeline } from './timeline.ts'
import { createVenue, type TakenOrder } from './venue.ts'
import { clocksIn, type Rules, type World } from './world.ts'

const alertId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as AlertId
const longestMs = 900_000

const phrases = [
  'market(buy, 0.01)',
  'market(sell, 0.02)',
  'market(sell, 0.01, reduceOnly=yes)',
  'market(buy, 600$)',
  'market(sell, 50%)',
  'market(buy, 100%p)',
  'market(position=0)',
  'market(position=0.05)',
  'market(position=-0.03)',
  'market(buy, 0.0001)',
  'balance',
] as const
const otherPhrases = [
  'limit(buy, 0.01, 59000)',
  'limit(sell, 0.01, 62000, tag=exit1)',
  'stop(sell, 0.01, 58000)',
  'stopOrTakeProfit(sell, 0.01, sl=58000)',
  'stopOrTakeProfit(sell, 0.01, sl=58000, tp=62000)',
  'oco { stop(sell, 0.01, 58000); limit(sell, 0.01, 62000) }',
  'oco { limit(sell, 0.01, 62000, tag=a); stop(sell, 0.01, 58000, tag=b); limit(sell, 0.01, 61000) }',
  'cancel',
  'cancel(session)',
  'cancel(sell)',
  'cancel(tag=exit1)',
  'wait(3)',
  'exchangeSettings(leverage=10)',
] as const
const readPhrases = new Map<string, Command[]>(
  [...phrases, ...otherPhrases].map((phrase) => [phrase, commandsOf(phrase)]),
)

/** The outcome of one run: its faults, and whether an order was doubled or an owner trespassed. */
export interface Outcome {
  faults: string[]
  isOrderDouble: boolean
  /** A former owner undid what a later one had done. */
  isTrespassed: boolean
  /** The events, in order. */
  diary: string[]
}

/** By whose rule an order counts as absent: it is the soonest on Paper. */
const markets = [
  'paper_futures',
  'paper_futures',
  'bybit',
  'paper_futures',
  'paper_futures',
  'binance_futures_usdt',
] as const

/** Plays one alert of a few commands to its end, with all that may go wrong on the way, by the chances of the seed. */
export function simulate(seed: number, rules: Rules): Outcome {
  const random = randomOf(seed)
  const world = createWorld(random, rules, absenceRules[markets[seed % markets.length] ?? 'paper_futures'])
  beginOwner(world, clocksIn(world), undefined)
  const hasEnded = world.timeline.play(longestMs)
  const faults = hasEnded ? faultsOf(world) : ['the run does not end']
  return {
    faults,
    isOrderDouble: hasTwice(world.venue.taken),
    isTrespassed: world.venue.trespasses.length > 0,
    diary: world.diary,
  }
}

function createWorld(random: Random, rules: Rules, absence: AbsenceRule): World {
  const timeline = createTimeline()
  const commands = Array.from(
    { length: random.between(1, 4) },
    () => readPhrases.get(random.chance(0.5) ? random.pick(phrases) : random.pick(otherPhrases)) ?? [],
  ).flat()
  // The venue's reads may lag by seconds, or requests may be under way for seconds: both at once are out of reach
  // of the rule that an absence counts a second after the receive window.
  const aheadMs = random.between(-900, 900)
  const lagMs = random.pick([0, 0, 200, 3500])
  const underwayMs = lagMs === 0 ? 4500 : 3900 - lagMs
  const outageFrom = random.between(0, 10_000)
  const outageMs = random.pick([0, 0, 0, 10_000, 90_000])
  const position = random.pick(['0', '0.100', '-0.050'])
  const nativeOco = random.chance(0.3)
  const alertAt = random.chance(0.7) ? 0 : random.between(0, 25_000)
  const farthestMs = busClocksMs / 2
  const busAhead = {
    leases: random.pick([-farthestMs, 0, farthestMs]),
    alerts: random.pick([-farthestMs, 0, farthestMs]),
  }
  const market = { ...btcusdt, features: { ...btcusdt.features, nativeOco } }
  return {
    timeline,
    random,
    rules,
    venue: createVenue({ random, now: timeline.now, lagMs, position, absence }),
    block: { alertId, block: 0, commands, market, absence, dueAt: alertAt, isRestored: false },
    alertAt,
    busAhead,
    aheadMs,
    underwayMs,
    roughSending: random.pick([0.05, 0.6]),
    roughAsking: random.pick([0.02, 0.4]),
    outage: { from: outageFrom, until: outageFrom + outageMs },
    mishaps: random.between(0, 5),
    lease: { owner: 1, revision: 1, isReleased: false, storedAt: busAhead.leases },
    storedLegs: new Map(),
    progress: new Map(),
    stored: [],
    results: [],
    hasEnded: false,
    diary: [
      `${commands.map(({ type }) => type).join('; ')}, ahead ${aheadMs}, lag ${lagMs}, held ${position}`,
    ],
  }
}

/** The orders that the venue took for a command. */
function takenFor({ venue }: World, index: number): TakenOrder[] {
  const id = clientOrderIdOf({ alertId, block: 0, command: index, leg: 0, revision: 0 })
  const prefix = id.slice(0, -2)
  return venue.taken.filter(({ plan }) => plan.clientOrderId.startsWith(prefix))
}

function hasTwice(taken: readonly TakenOrder[]): boolean {
  return new Set(taken.map(({ plan }) => plan.clientOrderId)).size !== taken.length
}

function faultsOf(world: World): string[] {
  const { commands } = world.block
  const outcomes = world.stored
  if (!world.hasEnded || outcomes.length !== commands.length)
    return [`${outcomes.length} of ${commands.length} commands ended`]
  return [
    ...commands.flatMap((command, index) => faultsOfCommand(world, command, index, outcomes[index])),
    ...faultsOfOrder(world, commands),
    ...faultsOfResults(world),
    ...world.venue.trespasses,
  ]
}

function faultsOfCommand(
  world: World,
  command: Command,
  index: number,
  outcome: CommandResult | undefined,
): string[] {
  const taken = takenFor(world, index)
  if (hasTwice(taken)) return [`an order of command ${index} was executed twice`]
  if (outcome === undefined) return [`command ${index} has no outcome`]
  const isGivenUp = outcome.errorCode === 'E602'
  const reported = ordersIn(outcome.result)
  if (!isGivenUp && reported.length !== taken.length) {
    return [`command ${index} is reported as ${outcome.status}, ${taken.length} orders were executed`]
  }
  const isStopped = world.stored.slice(0, index).some(({ status }) => status !== 'success')
  const isAsStopped = isStopped ? outcome.status === 'skipped' || isGivenUp : outcome.status !== 'skipped'
  if (!isAsStopped) return [`command ${index} is ${outcome.status}`]
  return [...faultsOfGroup(world, index, outcome, taken), ...faultsOfCancel(world, command, index, outcome)]
}

/** Returns results that differ from the stored ones; a successor may not learn of an existing order. */
function faultsOfResults({ results, stored }: World): string[] {
  return results.flatMap((outcomes) =>
    outcomes.flatMap(({ status, errorCode }, index) => {
      const last = stored[index]
      if (status === last?.status && errorCode === last.errorCode) return []
      if (status === 'success' && last?.errorCode === 'E602') return []
      return [`command ${index} was reported as ${status}, and is ${last?.status}`]
    }),
  )
}

/** A group that failed leaves nothing open, or somebody who sees to it. */
function faultsOfGroup(world: World, index: number, outcome: CommandResult, taken: TakenOrder[]): string[] {
  const isOpen = taken.some(world.venue.isOpen)
  const isSeenTo = world.storedLegs.has(index) || outcome.status === 'success'
  const isGroup = taken.length > 1 || outcome.errorCode === 'E604'
  if (isGroup && isOpen && !isSeenTo) return [`an order of command ${index} is left open, and nobody knows`]
  if (outcome.errorCode !== 'E604') return []
  const isTakenBack = taken.some(
    ({ plan, endsAs }) => plan.reduceOnly && isProtective(plan) && endsAs === 'canceled',
  )
  return isTakenBack ? [`the protection of command ${index} was taken back`] : []
}

/** A cancel leaves all its orders ended. */
function faultsOfCancel(world: World, command: Command, index: number, outcome: CommandResult): string[] {
  if (command.type !== 'cancel' || outcome.status !== 'success') return []
  const before = world.block.commands.flatMap((_command, place) =>
    place < index ? takenFor(world, place) : [],
  )
  const isMeant = ({ plan }: TakenOrder): boolean => {
    if (command.which === 'sell') return plan.side === 'sell'
    return command.which !== 'tagged' || hasTag(plan.clientOrderId, command.tag ?? '')
  }
  return before.some((order) => isMeant(order) && world.venue.isOpen(order))
    ? [`an order is open behind the cancel ${index}`]
    : []
}

function ordersIn(result: CommandResult['result']): unknown[] {
  if (result === null) return []
  if ('client_order_id' in result) return [result]
  if ('orders' in result) return result.orders
  if ('undone' in result) return result.undone
  return 'stopLoss' in result ? [result.stopLoss, result.takeProfit].filter((order) => order !== null) : []
}

function faultsOfOrder(world: World, commands: readonly Command[]): string[] {
  const moments = commands.flatMap((_command, index) => takenFor(world, index).map(({ takenAt }) => takenAt))
  const isSorted = moments.every((moment, index) => moment >= (moments[index - 1] ?? 0))
  return isSorted ? [] : ['an order of a later command was executed first']
}
