import type { Command } from '@tripline/proto/alert-tree'
import { clientOrderIdOf } from '@tripline/proto/client-order-id'
import type { CommandResult } from '@tripline/proto/command-result'
import type { AlertId } from '@tripline/proto/id'
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
const readPhrases = new Map(phrases.map((phrase) => [phrase, commandsOf(phrase)]))

/** What came of one run: how often each order was executed, and what is wrong with it, if anything. */
export interface Outcome {
  faults: string[]
  isOrderDouble: boolean
  /** What happened, in order. */
  diary: string[]
}

/** Plays one alert of a few commands to its end, with all that may go wrong on the way, by the chances of the seed. */
export function simulate(seed: number, rules: Rules): Outcome {
  const random = randomOf(seed)
  const world = createWorld(random, rules)
  beginOwner(world, clocksIn(world), undefined)
  const hasEnded = world.timeline.play(longestMs)
  const faults = hasEnded ? faultsOf(world) : ['the run does not end']
  return {
    faults,
    isOrderDouble: world.block.commands.some((command, index) => takenFor(world, command, index).length > 1),
    diary: world.diary,
  }
}

function createWorld(random: Random, rules: Rules): World {
  const timeline = createTimeline()
  const commands = Array.from(
    { length: random.between(1, 4) },
    () => readPhrases.get(random.pick(phrases)) ?? [],
  ).flat()
  // The venue's reads may lag by seconds, or requests may be under way for seconds: both at once are out of reach
  // of the rule that an absence counts a second after the receive window.
  const aheadMs = random.between(-900, 900)
  const lagMs = random.pick([0, 0, 200, 3500])
  const underwayMs = lagMs === 0 ? 4500 : 3900 - lagMs
  const outageFrom = random.between(0, 10_000)
  const outageMs = random.pick([0, 0, 0, 10_000, 90_000])
  const position = random.pick(['0', '0.100', '-0.050'])
  return {
    timeline,
    random,
    rules,
    venue: createVenue({ random, now: timeline.now, lagMs, position }),
    block: { alertId, block: 0, commands, market: btcusdt, dueAt: 0 },
    aheadMs,
    underwayMs,
    roughSending: random.pick([0.05, 0.6]),
    roughAsking: random.pick([0.02, 0.4]),
    outage: { from: outageFrom, until: outageFrom + outageMs },
    mishaps: random.between(0, 5),
    lease: { owner: 1, revision: 1, isReleased: false },
    stored: [],
    hasEnded: false,
    diary: [
      `${commands.map(({ type }) => type).join('; ')}, ahead ${aheadMs}, lag ${lagMs}, held ${position}`,
    ],
  }
}

/** The orders that the venue took for a command. */
function takenFor({ venue }: World, command: Command, index: number): TakenOrder[] {
  const tag = 'tag' in command ? command.tag : undefined
  const id = clientOrderIdOf({ alertId, block: 0, command: index, leg: 0, revision: 0, tag })
  return venue.taken.filter(({ plan }) => plan.clientOrderId === id)
}

function faultsOf(world: World): string[] {
  const { commands } = world.block
  const outcomes = world.stored
  if (!world.hasEnded || outcomes.length !== commands.length)
    return [`${outcomes.length} of ${commands.length} commands ended`]
  return [
    ...commands.flatMap((command, index) => faultsOfCommand(world, command, index, outcomes[index])),
    ...faultsOfOrder(world, commands),
  ]
}

function faultsOfCommand(
  world: World,
  command: Command,
  index: number,
  outcome: CommandResult | undefined,
): string[] {
  const taken = takenFor(world, command, index)
  if (taken.length > 1) return [`the order of command ${index} was executed ${taken.length} times`]
  if (outcome === undefined) return [`command ${index} has no outcome`]
  const [order] = taken
  const isGivenUp = outcome.errorCode === 'E602'
  const claimsOrder = outcome.result !== null && 'client_order_id' in outcome.result
  if (!isGivenUp && claimsOrder !== (order !== undefined)) {
    return [`command ${index} is told as ${outcome.status}, its order was executed ${taken.length} times`]
  }
  const isStopped = world.stored.slice(0, index).some(({ status }) => status !== 'success')
  const isAsStopped = isStopped ? outcome.status === 'skipped' || isGivenUp : outcome.status !== 'skipped'
  return isAsStopped ? [] : [`command ${index} is ${outcome.status}`]
}

function faultsOfOrder(world: World, commands: readonly Command[]): string[] {
  const moments = commands.flatMap((command, index) =>
    takenFor(world, command, index).map(({ takenAt }) => takenAt),
  )
  const isSorted = moments.every((moment, index) => moment >= (moments[index - 1] ?? 0))
  return isSorted ? [] : ['an order of a later command was executed first']
}
