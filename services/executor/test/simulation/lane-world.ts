import type { CommandResult } from '@tripline/proto/command-result'
import { mayHaveGoneOn } from '../../src/domain/execution/begun-order.ts'
import { commandsOf } from '../btcusdt.ts'
import { type Random, randomOf } from './random.ts'

/** The decisions, so that a test can see the effect of a wrong one. */
export interface LaneRules {
  mayHaveGoneOn: typeof mayHaveGoneOn
  /** Whether a refusal is stored before what lies behind it begins. */
  isRefusalStoredFirst: boolean
  /** Whether it is stored that the order is broken, before an exit passes. */
  isOrderBrokenFirst: boolean
  /** Whether the order of an owner is believed that does not say that it keeps it. */
  believesAll: boolean
  /** Whether one that takes over says itself that the order was withheld. */
  inheritsOrder: (wasInOrder: boolean) => boolean
  /** Whether it is stored which entries an exit overtakes, before it runs. */
  isOvertakenStored: boolean
}

/** The rules as they have to be. */
export const soundLaneRules: LaneRules = {
  mayHaveGoneOn,
  isRefusalStoredFirst: true,
  isOrderBrokenFirst: true,
  believesAll: false,
  inheritsOrder: (wasInOrder) => wasInOrder,
  isOvertakenStored: true,
}

/**
 * One block of a lane: its order, a cancel, what the exchange refuses, and what an owner that lacks its client refuses
 * before the lane.
 */
interface Block {
  kind: 'order' | 'cancel' | 'failing' | 'refusable'
  isExit: boolean
  placed: number
  /** An exit behind it was run first, and whether that is stored. */
  isOvertaken: boolean
  isKnownOvertaken: boolean
  /** It was placed behind an exit that overtook it. */
  isLate: boolean
  /** The version before stores nothing of it. */
  isOvertakenByOld: boolean
  /** Its end, as far as that is stored. */
  stored: 'success' | 'failed' | undefined
}

interface World {
  random: Random
  rules: LaneRules
  blocks: Block[]
  /** Stored in the lease. */
  isStored: boolean
  diary: string[]
}

/** An owner: the events it emitted and did not store yet, and its remaining moments. */
interface Owner {
  name: string
  /** One of the version before: it keeps no order, and says nothing of it. */
  isOld: boolean
  moments: number
  pending: (() => void)[]
}

const notOvertaken = { isOvertaken: false, isKnownOvertaken: false, isLate: false, isOvertakenByOld: false }

class KilledError extends Error {}

const mostKills = 4

/** Plays the blocks of one lane to their end; owners are killed on the way by the chances of the seed. */
export function simulateLane(seed: number, rules: LaneRules): { faults: string[]; diary: string[] } {
  const random = randomOf(seed)
  const blocks = Array.from({ length: random.between(2, 6) }, (): Block => {
    const kind = random.pick<Block['kind']>(['order', 'order', 'order', 'cancel', 'failing', 'refusable'])
    return {
      kind,
      isExit: kind === 'order' && random.chance(0.4),
      placed: 0,
      ...notOvertaken,
      stored: undefined,
    }
  })
  const world: World = { random, rules, blocks, isStored: true, diary: [JSON.stringify(blocks)] }
  for (let round = 0; round <= mostKills; round++) {
    const moments = round === mostKills ? Number.POSITIVE_INFINITY : random.between(0, 25)
    const isOld = round === 0 && random.chance(0.3)
    const owner: Owner = { name: `owner ${round}`, isOld, moments, pending: [] }
    try {
      own(world, owner, round === 0)
      return { faults: faultsOf(blocks), diary: world.diary }
    } catch (error) {
      if (!(error instanceof KilledError)) throw error
      world.diary.push(`${owner.name} is killed`)
    }
  }
  return { faults: ['the lane does not end'], diary: world.diary }
}

function faultsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ kind, placed, stored, isOvertaken, isKnownOvertaken, isLate }, index) => {
    if (placed > 1) return [`block ${index} was executed twice`]
    if (isLate) return [`block ${index} was executed behind the exit that overtook it`]
    if (isOvertaken || isKnownOvertaken) return []
    const isDue = kind === 'order' || (kind === 'refusable' && stored === 'success')
    return isDue && placed === 0 ? [`block ${index} was lost`] : []
  })
}

/** A moment passes, in which some of the emitted events are stored, and in which the owner may be killed. */
function pass(world: World, owner: Owner): void {
  if (owner.moments-- <= 0) throw new KilledError()
  while (owner.pending.length > 0 && world.random.chance(0.3)) owner.pending.shift()?.()
}

function store(world: World, owner: Owner, act: () => void, isFirst: boolean): void {
  owner.pending.push(act)
  if (isFirst) while (owner.pending.includes(act)) pass(world, owner)
}

function own(world: World, owner: Owner, isFirst: boolean): void {
  const { rules, blocks } = world
  const isBelieved = world.isStored || rules.believesAll
  world.isStored = !owner.isOld && (isFirst || rules.inheritsOrder(world.isStored))
  let mayBeBegun = !isFirst
  const todo: { block: Block; isDone: boolean }[] = []
  // A successor knows what is stored when it begins.
  for (const block of blocks) {
    const isDoubted = !isFirst && (mayBeBegun || !isBelieved || block.stored !== undefined)
    const isFound = isDoubted && (block.stored !== undefined || block.placed > 0)
    todo.push({ block, isDone: isFound })
    if (isDoubted) mayBeBegun = rules.mayHaveGoneOn(evidenceOf(block, isFound))
  }
  for (const [index, { block, isDone }] of todo.entries()) {
    pass(world, owner)
    if (isDone) settle(world, owner, block, block.stored ?? 'success')
    else run(world, owner, index, todo)
  }
  while (owner.pending.length > 0) pass(world, owner)
}

function evidenceOf(block: Block, isFound: boolean): Parameters<typeof mayHaveGoneOn>[0] {
  const commands = commandsOf(block.kind === 'cancel' ? 'cancel' : 'market(buy, 0.01)')
  const status = block.stored ?? 'success'
  const outcome: CommandResult = {
    command: '',
    status,
    errorCode: null,
    error: null,
    result: null,
    executionTimeMs: 0,
  }
  return {
    commands,
    outcomes: isFound ? [outcome] : [],
    notAbsentBefore: isFound || block.kind === 'cancel' ? 1 : undefined,
  }
}

function run(world: World, owner: Owner, index: number, todo: { block: Block; isDone: boolean }[]): void {
  const { random, rules, blocks, diary } = world
  const { block } = todo[index] ?? {}
  if (block === undefined || todo[index]?.isDone === true) return
  const isFirst = !owner.isOld && rules.isRefusalStoredFirst
  if (block.kind === 'refusable' && random.chance(0.5)) {
    diary.push(`${owner.name} refuses ${index}`)
    store(
      world,
      owner,
      () => {
        block.stored ??= 'failed'
      },
      isFirst,
    )
    return
  }
  const isSent = block.kind === 'order' || block.kind === 'refusable'
  if (isSent) {
    // An overtaken block opens nothing any more, as far as that is known.
    const isOvertaken =
      block.isKnownOvertaken || (random.chance(0.2) && letExitsPass(world, owner, index, todo))
    if (isOvertaken && !block.isExit) {
      settle(world, owner, block, 'failed')
      return
    }
    pass(world, owner)
    block.isLate = block.isOvertaken && !block.isOvertakenByOld
    diary.push(`${owner.name} places ${blocks.indexOf(block)}`)
    block.placed++
    pass(world, owner)
  }
  settle(world, owner, block, block.kind === 'failing' ? 'failed' : 'success')
}

/** The order of this block does not get through: exits behind it, up to the next entry, pass; true where one did. */
function letExitsPass(
  world: World,
  owner: Owner,
  index: number,
  todo: { block: Block; isDone: boolean }[],
): boolean {
  world.diary.push(`${owner.name} lets exits pass ${index}`)
  const breakOrder = (): void => {
    world.isStored = false
  }
  if (world.isStored && world.rules.isOrderBrokenFirst) {
    pass(world, owner)
    breakOrder()
  }
  const block = todo[index]?.block
  let hasPassed = false
  for (let behind = index + 1; todo[behind]?.block.isExit === true; behind++) {
    if (todo[behind]?.isDone === false) {
      hasPassed = true
      pass(world, owner)
      if (block?.isExit === false && !owner.isOld) {
        block.isKnownOvertaken = world.rules.isOvertakenStored
        pass(world, owner)
      }
      if (block?.isExit === false) {
        block.isOvertaken = true
        block.isOvertakenByOld ||= owner.isOld
      }
    }
    run(world, owner, behind, todo)
    const passed = todo[behind]
    if (passed !== undefined) passed.isDone = true
  }
  return hasPassed
}

function settle(world: World, owner: Owner, block: Block, status: 'success' | 'failed'): void {
  const leavesNoTrace = status === 'failed' || block.kind === 'cancel'
  const keep = (): void => {
    block.stored ??= status
  }
  store(world, owner, keep, leavesNoTrace)
}
