import { absolute, add, isGreater, isNegative, isZero, negate } from '@tripline/proto/decimal'
import type { EntryNote } from '@tripline/proto/entry-note'
import { type AlertId, executionIdOf } from '@tripline/proto/id'
import type { Command, PositionSide } from '@tripline/proto/language/tree'
import type { HeldPosition } from '../../src/domain/account/account.ts'
import { type CommandName, type EntriesBySide, lastEntriesIn, noted } from '../../src/domain/account/entry.ts'
import { reduces } from '../../src/domain/account/position.ts'
import { entryNotesOf, watchedEntryNotes } from '../../src/domain/execution/entry-notes.ts'
import { next, observe, startExecution } from '../../src/domain/execution/execution.ts'
import type { Execution, Observation, Step } from '../../src/domain/execution/state.ts'
import type { LegsRecord } from '../../src/domain/group/legs-record.ts'
import { absenceRules } from '../../src/domain/order/absence.ts'
import type { Decision } from '../../src/domain/order/attempt.ts'
import {
  isTerminal,
  type OrderPlan,
  type Placement,
  restingOrder,
  type VenueOrder,
} from '../../src/domain/order/order.ts'
import type { Side } from '../../src/domain/order/side.ts'
import { accountReading, btcusdt, commandsOf } from '../btcusdt.ts'

/** A command that runs. */
export interface Running {
  by: CommandName
  command: Command
}

/** The code that a command ended with, where it placed nothing, and what it says. */
interface Done {
  code: string | undefined
  note: string
}

/** An observer. */
interface Onlooker {
  /** A command is about to place an order. */
  onPlaced: (running: Running, plan: OrderPlan, held: string) => void
  onTraded: (order: WorldOrder, before: string, after: string) => void
  onDone: (running: Running, done: Done) => void
}

/** An order of the bot at the exchange. */
interface WorldOrder {
  by: CommandName
  plan: OrderPlan
  found: VenueOrder
  command: Command
  /** The process that placed it is about to die, and its successor knows it by its id alone. */
  isOrphan: boolean
}

/** An exchange with one bot, whose executor forgets at a death what it had not stored. */
export interface EntryWorld {
  now: number
  isHedged: boolean
  held: Record<PositionSide, string>
  orders: Map<string, WorldOrder>
  entries: EntriesBySide
  stored: EntriesBySide
  /** Notes on watched orders since the entries were stored: whoever goes on with a watch makes them again. */
  unstored: [CommandName, EntryNote][]
  records: Map<string, LegsRecord>
  messages: number
  isDying: boolean
  onlooker: Onlooker
}

/** A flat account without orders. */
export function entryWorld(isHedged: boolean, onlooker: Onlooker): EntryWorld {
  return {
    ...{ now: 1_000_000, isHedged, held: { both: '0', long: '0', short: '0' }, orders: new Map() },
    ...{ entries: {}, stored: {}, unstored: [], records: new Map(), messages: 0, isDying: false, onlooker },
  }
}

/** The moment at which the process is killed: behind so many commands, of which so many outcomes are stored. */
export interface Death {
  behind: number
  stored: number
}

/** Runs a message, by two owners where the first one dies. */
export function runMessage(world: EntryWorld, text: string, death: Death | undefined): void {
  world.messages++
  const alertId = `01ARZ3NDEKTSV4RRFFQ69${`${world.messages}`.padStart(5, '0')}` as AlertId
  const start = (outcomes: Execution['outcomes'], notAbsentBefore: number | undefined): Execution =>
    startExecution(
      {
        ...{ alertId, block: 0, commands: commandsOf(text), market: btcusdt, dueAt: world.now },
        ...{ absence: absenceRules.paper_futures, notAbsentBefore, isRestored: false },
      },
      outcomes,
      world.now,
    )
  const ended: EndedCommand[] = []
  const go = (execution: Execution, until: number): void => {
    let current = execution
    while (current.outcomes.length < current.commands.length && current.outcomes.length < until) {
      const ran = runCommand(world, current)
      current = ran.execution
      ended[current.outcomes.length - 1] = ran
    }
  }
  world.isDying = death !== undefined
  go(start([], undefined), death?.behind ?? Number.POSITIVE_INFINITY)
  if (death !== undefined) {
    // Unstored entries are found out again, from the exchange and from stored outcomes.
    world.entries = world.stored
    for (const [by, note] of world.unstored) world.entries = noted(world.entries, by, note)
    world.isDying = false
    const known = ended.slice(0, death.stored)
    for (const { by, notes } of known)
      for (const note of notes) world.entries = noted(world.entries, by, note)
    const outcomes = known.map(({ outcome }) => outcome)
    go(start(outcomes, world.now), Number.POSITIVE_INFINITY)
  }
  store(world)
}

/** A command that ended, as an owner reports it. */
interface EndedCommand {
  by: CommandName
  notes: EntryNote[]
  outcome: Execution['outcomes'][number]
}

/** Stores the entries, as it is done before an alert is taken out of its stream. */
export function store(world: EntryWorld): void {
  world.stored = world.entries
  world.unstored = []
}

function runCommand(world: EntryWorld, start: Execution): EndedCommand & { execution: Execution } {
  const { alertId, block, commands, outcomes } = start
  const command = commands[outcomes.length]
  if (command === undefined) throw new Error('no command is left')
  const by: CommandName = { executionId: executionIdOf(alertId, block), command: outcomes.length }
  let execution = start
  for (let steps = 0; steps < 500; steps++) {
    const step = next(execution, limits, world.now)
    if (step.do === 'settle') {
      const { outcome } = step
      const notes = entryNotesOf(execution, outcome, world.now)
      for (const note of notes) world.entries = noted(world.entries, by, note)
      world.onlooker.onDone({ by, command }, doneOf(outcome))
      return { by, notes, outcome, execution: observe(execution, { of: 'settle', outcome }, world.now) }
    }
    if (step.do === 'wait') world.now = step.until
    else execution = observe(execution, act(world, step, { by, command }), world.now)
  }
  throw new Error(`${command.type} does not end`)
}

function doneOf({ result, errorCode }: Execution['outcomes'][number]): Done {
  const { code = errorCode ?? undefined, note = '' } = result !== null && 'code' in result ? result : {}
  return { code, note }
}

const limits = { tradingState: 'active', maxEntryAgeMs: 86_400_000, exitRetryMs: 600_000 } as const

function act(world: EntryWorld, step: Step, running: Running): Observation {
  const { by } = running
  const key = `${by.executionId}.${by.command}`
  switch (step.do) {
    case 'read':
      return { of: 'read', reading: { outcome: 'read', account: readingOf(world, by) }, isUrgent: false }
    case 'recall': {
      const record = world.records.get(key)
      return { of: 'recall', stored: record && { record, revision: 1 } }
    }
    case 'record':
      world.records.set(key, step.record)
      return { of: 'record', record: step.record, revision: step.over + 1 }
    case 'place': {
      const { plan } = step.decision
      world.onlooker.onPlaced(running, plan, world.held[plan.positionSide])
      return { of: 'place', decision: step.decision, placement: place(world, step.decision, running) }
    }
    case 'lookUp': {
      const found = world.orders.get(step.ref.clientOrderId)?.found
      const lookUp = found ? ({ outcome: 'found', order: found } as const) : ({ outcome: 'absent' } as const)
      return { of: 'lookUp', ref: step.ref, lookUp, askedAt: world.now }
    }
    default:
      throw new Error(`not simulated: ${step.do}`)
  }
}

function readingOf(world: EntryWorld, by: CommandName) {
  const { held, isHedged, entries, now } = world
  const position = (quantity: string): HeldPosition => ({
    ...{ quantity, entryPrice: isZero(quantity) ? null : '60000', unrealizedPnl: '0' },
  })
  return accountReading({
    ...position(held.both),
    position: held.both,
    ...(isHedged && { hedged: { long: position(held.long), short: position(held.short) } }),
    lastEntries: lastEntriesIn(entries, by, now),
  })
}

function place(world: EntryWorld, { plan }: Decision, { by, command }: Running): Placement {
  const held = world.held[plan.positionSide]
  const canOnlyShrink =
    plan.positionSide !== 'both' && (plan.positionSide === 'long') === (plan.side === 'sell')
  if ((plan.reduceOnly || canOnlyShrink) && !reduces(plan.side, held))
    return { outcome: 'refused', code: 'E510', error: 'nothing to reduce' }
  const order = {
    by,
    plan,
    command,
    isOrphan: world.isDying,
    found: { ...restingOrder(plan), venueOrderId: plan.clientOrderId },
  }
  world.orders.set(plan.clientOrderId, order)
  if (plan.type === 'market') trade(world, order)
  return { outcome: 'done', order: order.found }
}

/** Orders of the bot that wait. */
export function restingIn({ orders }: EntryWorld): WorldOrder[] {
  return [...orders.values()].filter(({ found }) => !isTerminal(found))
}

function trade(world: EntryWorld, order: WorldOrder): void {
  const { plan, found } = order
  const held = world.held[plan.positionSide]
  const isShrinking = plan.reduceOnly || plan.positionSide !== 'both'
  const isCapped = isShrinking && reduces(plan.side, held) && isGreater(plan.quantity, absolute(held))
  const filled = isCapped ? absolute(held) : plan.quantity
  const isGone = plan.reduceOnly && !reduces(plan.side, held)
  if (isGone) {
    order.found = { ...found, status: 'expired' }
    return
  }
  const after = add(held, signed(plan.side, filled))
  world.held[plan.positionSide] = after
  const status = isCapped ? 'canceled' : 'filled'
  order.found = { ...found, status, filled, averagePrice: '60000', updatedAt: world.now }
  world.onlooker.onTraded(order, held, after)
}

/** The market reaches the price of a resting order; the others of its command are canceled. */
export function reach(world: EntryWorld, order: WorldOrder): void {
  trade(world, order)
  watched(world, order)
  for (const other of restingIn(world))
    if (other.by.executionId === order.by.executionId && other.by.command === order.by.command)
      cancel(world, other)
}

/** Ends a resting order, as somebody does by hand. */
export function cancel(world: EntryWorld, order: WorldOrder): void {
  order.found = { ...order.found, status: 'canceled', updatedAt: world.now }
  watched(world, order)
}

function watched(world: EntryWorld, { by, plan, found }: WorldOrder): void {
  const ref = { symbol: plan.symbol, clientOrderId: plan.clientOrderId, isConditional: false }
  for (const note of watchedEntryNotes({ ref, decision: { plan }, found }, world.now)) {
    world.entries = noted(world.entries, by, note)
    world.unstored.push([by, note])
  }
}

function signed(side: Side, quantity: string): string {
  return side === 'buy' ? quantity : negate(quantity)
}

/** The side by which this position was opened; undefined where it is flat. */
export function sideOf(held: string): Side | undefined {
  if (isZero(held)) return undefined
  return isNegative(held) ? 'sell' : 'buy'
}
