import type { Command } from '@tripline/proto/alert-tree'
import type { CommandResult } from '@tripline/proto/command-result'
import type { AlertId } from '@tripline/proto/id'
import type { AccountReading, Reading, SettingsOutcome } from '../src/domain/account/account.ts'
import type { BotLimits } from '../src/domain/account/permit.ts'
import { next, observe, startExecution } from '../src/domain/execution/execution.ts'
import type { Execution, Observation, Sleep, Step } from '../src/domain/execution/state.ts'
import type { LegsRecord, StoredLegs } from '../src/domain/group/legs-record.ts'
import type { OwnExit } from '../src/domain/group/own-exits.ts'
import { type AbsenceRule, absenceRules } from '../src/domain/order/absence.ts'
import type { Market } from '../src/domain/order/market.ts'
import {
  type Cancellation,
  isConditional,
  type LookUp,
  type OpenOrders,
  type OrderPlan,
  type Placement,
  type VenueOrder,
} from '../src/domain/order/order.ts'
import { isLikelyExit } from '../src/domain/sizing/likely-exit.ts'
import { accountReading, btcusdt, commandsOf } from './btcusdt.ts'

export const alertId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as AlertId
export const active: BotLimits = { tradingState: 'active', maxEntryAgeMs: 60_000, exitRetryMs: 600_000 }

/** The id of the order of a command (two digits), with its leg and revision. */
export const id = (command: string, leg = '00'): string => `t${alertId}0${command}${leg}`

export interface Start {
  isRestored?: boolean
  notAbsentBefore?: number
  outcomes?: CommandResult[]
  dueAt?: number
  market?: Market
  absence?: AbsenceRule
  sleep?: Sleep
  isUnjudged?: boolean
}

/** An execution of these commands. */
export function start(
  text: string,
  { notAbsentBefore, outcomes = [], dueAt = 0, market = btcusdt, sleep, ...more }: Start = {},
): Execution {
  const { isRestored = false, absence = absenceRules.paper_futures, isUnjudged = false } = more
  const commands = commandsOf(text)
  const times = { dueAt, notAbsentBefore, isRestored }
  const block = { alertId, block: 0, commands, market, absence, isUnjudged, ...times }
  return startExecution(block, outcomes, 0, sleep)
}

/** An execution of commands that came on this market just now. */
export function begun(
  commands: readonly Command[],
  market: Market,
  differing: { isCloseOnly?: boolean } = {},
): Execution {
  const times = { dueAt: 0, notAbsentBefore: undefined, isRestored: false }
  const block = { alertId, block: 0, commands, market, absence: absenceRules.paper_futures, ...times }
  return startExecution({ ...block, ...differing }, [], 0)
}

/** A market order of the first command that was filled, with what differs. */
export function filled(differing: Partial<VenueOrder> = {}): VenueOrder {
  return {
    venueOrderId: '77',
    clientOrderId: id('00'),
    side: 'buy',
    status: 'filled',
    quantity: '0.010',
    filled: '0.010',
    averagePrice: '60000.1',
    type: 'market',
    price: null,
    triggerPrice: null,
    isConditional: false,
    fee: null,
    updatedAt: null,
    reduceOnly: false,
    ...differing,
  }
}

/** A planned order as the venue reports it, resting, with what differs. */
function resting(plan: OrderPlan, differing: Partial<VenueOrder> = {}): VenueOrder {
  return filled({
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
    ...differing,
  })
}

export const done = (differing?: Partial<VenueOrder>): Placement => ({
  outcome: 'done',
  order: filled(differing),
})
export const found = (differing?: Partial<VenueOrder>): LookUp => ({
  outcome: 'found',
  order: filled(differing),
})
export const unknown: Placement = { outcome: 'unknown', cause: 'no answer' }
export const unreachable: LookUp = { outcome: 'unreachable', cause: 'no answer' }
export const reading = { outcome: 'read', account: accountReading() } as const

/** The world's replies to steps, each in its turn. */
export interface Answers {
  placements?: (Placement | ((plan: OrderPlan) => Placement))[]
  pairs?: (readonly [Placement, Placement])[]
  lookUps?: LookUp[]
  cancellations?: Cancellation[]
  lists?: OpenOrders[]
  changes?: SettingsOutcome[]
  /** The bot's own exits, each time they are looked at, taken back or given back. */
  exits?: (readonly OwnExit[])[]
  readings?: Reading[]
  /** The bucket's record at the beginning. */
  stored?: StoredLegs
  limits?: BotLimits | ((now: number) => BotLimits)
  /** The moment to leave; by default five minutes later, by when every run has ended. */
  until?: number
}

export interface Ran {
  steps: string[]
  execution: Execution
  at: number
  /** The record as it lies in the bucket. */
  stored: StoredLegs | undefined
}

/** Runs from a moment on as the executor does, with answers that take no time; waits and sleeps are passed over. */
export function run(execution: Execution, answers: Answers = {}, from = 0): Ran {
  const { limits = active, until = from + 300_000 } = answers
  const ran: Ran = { steps: [], execution, at: from, stored: answers.stored }
  for (;;) {
    const step = next(ran.execution, typeof limits === 'function' ? limits(ran.at) : limits, ran.at)
    if (step.do === 'finish' || ran.at > until) return ran
    if (step.do === 'wait' || step.do === 'sleep') {
      ran.at = step.until
      continue
    }
    ran.steps.push(brief(step, ran.at))
    ran.execution = observe(ran.execution, answerTo(step, ran, answers), ran.at)
  }
}

/** Runs from the beginning in an account that stays as it is, where every order is taken; returns those as well. */
export function runIn(account: AccountReading, execution: Execution, limits = active) {
  const orders: OrderPlan[] = []
  const take = (plan: OrderPlan): Placement => {
    orders.push(plan)
    return placed(plan)
  }
  const { steps } = run(execution, {
    limits,
    readings: Array.from({ length: 20 }, () => ({ outcome: 'read', account })),
    placements: Array.from({ length: 20 }, () => take),
  })
  return { orders, steps }
}

type Asking = Exclude<Step, { do: 'finish' | 'wait' | 'sleep' }>

function answerTo(step: Asking, ran: Ran, answers: Answers): Observation {
  switch (step.do) {
    case 'read':
      return { of: 'read', reading: answers.readings?.shift() ?? reading, isUrgent: isExitNow(ran) }
    case 'place':
      return { of: 'place', decision: step.decision, placement: placementOf(step.decision.plan, answers) }
    case 'placeOco': {
      const [one, other] = step.pair
      const both = [placed(one.plan), placed(other.plan)] as const
      return { of: 'placeOco', placements: answers.pairs?.shift() ?? both }
    }
    case 'lookUp': {
      const { depth } = step
      const lookUp = answers.lookUps?.shift() ?? { outcome: 'absent', ...(depth && { depth }) }
      return { of: 'lookUp', ref: step.ref, lookUp, askedAt: ran.at }
    }
    case 'cancel': {
      const order = filled({ clientOrderId: step.ref.clientOrderId, status: 'canceled', filled: '0' })
      const cancellation = answers.cancellations?.shift() ?? ({ outcome: 'canceled', order } as const)
      return { of: 'cancel', ref: step.ref, cancellation }
    }
    case 'list':
      return {
        of: 'list',
        open: answers.lists?.shift() ?? { outcome: 'read', orders: [] },
        askedAt: ran.at,
      }
    case 'endWatches':
      return { of: 'endWatches', count: 0, held: [] }
    case 'ownExits':
    case 'takeBack':
    case 'beginSale':
    case 'giveBack':
      return { of: step.do, exits: answers.exits?.shift() ?? [] }
    case 'listOthers':
      return { of: 'listOthers', open: answers.lists?.shift() ?? { outcome: 'read', orders: [] } }
    case 'change':
      return { of: 'change', outcome: answers.changes?.shift() ?? { outcome: 'changed', note: 'changed' } }
    case 'keepProgress':
      return { of: 'keepProgress', sleep: step.sleep }
    case 'settle':
      return { of: 'settle', outcome: step.outcome }
    case 'recall':
      return { of: 'recall', stored: ran.stored }
    case 'record':
      return { of: 'record', record: step.record, revision: write(step.record, step.over, ran) }
  }
}

function isExitNow({ execution: { commands, outcomes, market } }: Ran): boolean {
  const command = commands[outcomes.length]
  return command !== undefined && isLikelyExit(command, market, {})
}

function placementOf(plan: OrderPlan, { placements }: Answers): Placement {
  const placement = placements?.shift()
  if (placement === undefined) return placed(plan)
  return typeof placement === 'function' ? placement(plan) : placement
}

/** Returns the placement of a taken order: a market order is filled, others rest. */
export function placed(plan: OrderPlan): Placement {
  if (plan.type !== 'market') return { outcome: 'done', order: resting(plan) }
  const { clientOrderId, side, quantity } = plan
  return done({ clientOrderId, side, quantity, filled: quantity })
}

function write(record: LegsRecord, over: number, ran: Ran): number | undefined {
  if ((ran.stored?.revision ?? 0) !== over) return undefined
  ran.stored = { record, revision: over + 1 }
  return over + 1
}

function brief(step: Asking, at: number): string {
  switch (step.do) {
    case 'place':
      return `${at} place ${briefly(step.decision.plan)}`
    case 'placeOco':
      return `${at} place both ${step.pair.map(({ plan }) => briefly(plan)).join(', ')}`
    case 'cancel':
      return `${at} cancel ${step.ref.clientOrderId.slice(28)}`
    case 'record':
      return `${at} record ${step.record.state}`
    case 'settle':
      return `${at} settle ${step.outcome.status}${step.outcome.errorCode ? ` ${step.outcome.errorCode}` : ''}`
    default:
      return `${at} ${step.do}`
  }
}

/** An order in a few words. */
function briefly({ type, side, quantity, price, triggerPrice, reduceOnly }: OrderPlan): string {
  const kind = type === 'market' ? '' : `${type} `
  const prices = [triggerPrice, price].filter((each) => each !== undefined).map((each) => ` at ${each}`)
  return `${kind}${side} ${quantity}${prices.join('')}${reduceOnly ? ' reduce-only' : ''}`
}

/** The results of all commands, in order. */
export const results = ({ execution }: Ran): CommandResult['result'][] =>
  execution.outcomes.map(({ result }) => result)
