import type { Command } from '@tripline/proto/alert-tree'
import { clientOrderIdOf } from '@tripline/proto/client-order-id'
import type { CommandResult } from '@tripline/proto/command-result'
import { isZero } from '@tripline/proto/decimal'
import type { AlertId } from '@tripline/proto/id'
import type { TradingState } from '@tripline/proto/user-config'
import type { AccountReading } from './account.ts'
import { balanceOf } from './balance.ts'
import {
  absenceCountsAfterSending,
  type Doubt,
  doubtFrom,
  isGivenUp,
  isProvenAbsent,
  sawAbsence,
  sawNothing,
} from './doubt.ts'
import type { Market } from './market.ts'
import {
  isTerminal,
  type LookUp,
  type OrderPlan,
  type Placement,
  type Reading,
  type VenueOrder,
} from './order.ts'
import { isExit, needsReading, sizeOrder } from './sizing.ts'

/** How long to wait before an order that is not terminal is asked for again, or a withheld one is tried again. */
const askAgainMs = 200

const untold = 'The exchange did not tell what became of the order; look there before sending it again'
const unanswered = 'The exchange took none of the orders sent to it; nothing of this command was executed'
const leftOpen = 'The exchange has the order but did not end it; look there before sending it again'

/** What is known of a bot when its commands run. */
export interface BotLimits {
  tradingState: TradingState
  maxEntryAgeMs: number
}

/** What is known of the command that runs now. */
interface Current {
  startedAt: number
  reading?: AccountReading
  doubt?: Doubt
  /** When a placement of this command first had no answer. */
  unansweredSince?: number
  found?: VenueOrder
  foundAt?: number
  plan?: OrderPlan
  ended?: CommandEnd
  notBefore?: number
}

type CommandEnd = Pick<CommandResult, 'status' | 'result' | 'errorCode' | 'error'>

/** One block on its way: its commands, what became of those that ended, and what is known of the one that runs. */
export interface Execution {
  alertId: AlertId
  block: number
  commands: readonly Command[]
  market: Market
  /** Since when its commands are due; entries are too old some time after. */
  dueAt: number
  /** Set while an earlier attempt may have sent orders: from when on one that is not found can no longer arrive. */
  notAbsentBefore: number | undefined
  outcomes: readonly CommandResult[]
  current: Current
}

/** What is to be done next for an execution. */
export type Step =
  | { do: 'read' }
  | { do: 'place'; order: OrderPlan }
  | { do: 'lookUp'; clientOrderId: OrderPlan['clientOrderId'] }
  | { do: 'wait'; until: number }
  | { do: 'settle'; outcome: CommandResult }
  | { do: 'finish' }

/** What a step brought to light. */
export type Observation =
  | { of: 'read'; reading: Reading }
  | { of: 'place'; placement: Placement }
  | { of: 'lookUp'; lookUp: LookUp; askedAt: number }
  | { of: 'settle'; outcome: CommandResult }
  | { of: 'fault' }

/** An execution before its first command, or behind the outcomes that an earlier attempt left. */
export function startExecution(
  block: Pick<Execution, 'alertId' | 'block' | 'commands' | 'market' | 'dueAt' | 'notAbsentBefore'>,
  outcomes: readonly CommandResult[],
  now: number,
): Execution {
  return { ...block, outcomes, current: freshCurrent(block.notAbsentBefore, now) }
}

/** What is to be done next. Pure: live, resumed and recovered runs differ only in what was observed. */
export function next(execution: Execution, limits: BotLimits, now: number): Step {
  const command = execution.commands[execution.outcomes.length]
  if (command === undefined) return { do: 'finish' }
  const { current } = execution
  if (current.notBefore !== undefined && now < current.notBefore)
    return { do: 'wait', until: current.notBefore }
  const failure = execution.outcomes.find((outcome) => outcome.status !== 'success')
  if (failure !== undefined) return settle(command, current, now, behind(failure, execution, command))
  if (current.ended !== undefined) return settle(command, current, now, current.ended)
  switch (command.type) {
    case 'market':
      return nextForMarket(execution, command, limits, now)
    case 'balance':
      return nextForBalance(execution, command, now)
    default:
      return settle(command, current, now, failed('E404', `${command.type} is not available on this market`))
  }
}

/** True for a step that only finds out what an earlier attempt did, and so may be taken before its turn. */
export function seeksEvidence({ current }: Execution, step: Step): boolean {
  if (step.do === 'lookUp') return true
  const isOpen = current.doubt !== undefined || current.found !== undefined
  return isOpen && (step.do === 'wait' || step.do === 'settle')
}

/** The execution after an observation. */
export function observe(execution: Execution, observation: Observation, now: number): Execution {
  switch (observation.of) {
    case 'settle':
      return {
        ...execution,
        outcomes: [...execution.outcomes, observation.outcome],
        current: freshCurrent(execution.notAbsentBefore, now),
      }
    case 'read':
      return withCurrent(execution, observeReading(execution.current, observation.reading))
    case 'place':
      return withCurrent(execution, observePlacement(execution.current, observation.placement, now))
    case 'lookUp':
      return observeLookUp(execution, observation.lookUp, observation.askedAt, now)
    case 'fault':
      return withCurrent(execution, {
        ...execution.current,
        ended: failed('E605', 'The command failed by a fault of ours'),
      })
  }
}

/**
 * True for an outcome that nothing at the venue tells of: it has to be stored before anything behind it is sent, since
 * a successor that finds no order of a command takes what lies behind it for never sent.
 */
export function leavesNoTrace({ status, result }: CommandResult): boolean {
  return status === 'success' && result !== null && !('client_order_id' in result)
}

/** The execution once the order that this step places is decided on. */
export function planned(execution: Execution, plan: OrderPlan): Execution {
  return withCurrent(execution, { ...execution.current, plan })
}

type MarketCommand = Extract<Command, { type: 'market' }>
type BalanceCommand = Extract<Command, { type: 'balance' }>

function nextForMarket(execution: Execution, command: MarketCommand, limits: BotLimits, now: number): Step {
  const { current, market } = execution
  const clientOrderId = clientOrderIdOf({
    alertId: execution.alertId,
    block: execution.block,
    command: execution.outcomes.length,
    leg: 0,
    revision: 0,
    tag: command.tag,
  })
  if (current.found !== undefined) {
    const end = endOf(current.found, market, current.plan)
    if (isTerminal(current.found)) return settle(command, current, now, end)
    if (!isGivenUp(current.foundAt ?? now, now)) return { do: 'lookUp', clientOrderId }
    return settle(command, current, now, { ...failed('E602', leftOpen), result: end.result })
  }
  if (current.doubt !== undefined) return nextInDoubt(current.doubt, command, current, clientOrderId, now)
  // Proven absent each time, and sent again each time: at some point the venue is simply not there.
  if (current.unansweredSince !== undefined && isGivenUp(current.unansweredSince, now)) {
    return settle(command, current, now, failed('E601', unanswered))
  }
  if (current.reading === undefined && needsReading(command, market)) return { do: 'read' }
  const size = sizeOrder(command, market, current.reading)
  if (size.size === 'denied') return settle(command, current, now, failed(size.code, size.error))
  if (size.size === 'nothing') return settle(command, current, now, nothingToDo(size.note))
  const { side, quantity, quoteQuantity, reduceOnly, sizing } = size
  const order: OrderPlan = {
    clientOrderId,
    symbol: market.symbol,
    side,
    type: 'market',
    quantity,
    ...(quoteQuantity !== undefined && { quoteQuantity }),
    reduceOnly,
    positionSide: 'both',
    sizing,
  }
  return permit(execution, command, order, limits, now)
}

function nextInDoubt(
  doubt: Doubt,
  command: MarketCommand,
  current: Current,
  clientOrderId: OrderPlan['clientOrderId'],
  now: number,
): Step {
  if (isGivenUp(doubt.since, now)) return settle(command, current, now, failed('E602', untold))
  return now >= doubt.nextLookUpAt
    ? { do: 'lookUp', clientOrderId }
    : { do: 'wait', until: doubt.nextLookUpAt }
}

/** Places the order unless the alert is too old for an entry or the bot does not trade now. */
function permit(
  execution: Execution,
  command: MarketCommand,
  order: OrderPlan,
  limits: BotLimits,
  now: number,
): Step {
  const { current, dueAt } = execution
  if (limits.tradingState === 'halted') {
    return settle(command, current, now, failed('E516', 'The bot is halted'))
  }
  const isLate = now - dueAt > limits.maxEntryAgeMs
  if (order.reduceOnly || (!isLate && limits.tradingState === 'active')) return { do: 'place', order }
  // Whether it is an exit hangs on the position, which a plain order has not needed so far.
  if (current.reading === undefined) return { do: 'read' }
  if (isExit(order.side, order.quantity, current.reading.position)) return { do: 'place', order }
  if (!isLate) return settle(command, current, now, failed('E516', 'The bot only reduces positions now'))
  const ageS = ((now - dueAt) / 1000).toFixed(0)
  const limitS = limits.maxEntryAgeMs / 1000
  return settle(
    command,
    current,
    now,
    failed('E515', `The alert is ${ageS} s old, entries are run up to ${limitS} s`),
  )
}

function nextForBalance(execution: Execution, command: BalanceCommand, now: number): Step {
  const { current } = execution
  if (current.reading === undefined) return { do: 'read' }
  const balance = balanceOf(command, current.reading, execution.market)
  if (balance === undefined) {
    return settle(command, current, now, failed('E303', `${command.asset} is not held in this account`))
  }
  return settle(command, current, now, { status: 'success', result: balance, errorCode: null, error: null })
}

function observeReading(current: Current, reading: Reading): Current {
  switch (reading.outcome) {
    case 'read':
      return { ...current, reading: reading.account }
    case 'refused':
      return { ...current, ended: failed(reading.code, reading.error) }
    case 'unreachable':
      return { ...current, ended: failed('E601', `The exchange could not be asked: ${reading.cause}`) }
  }
}

function observePlacement(current: Current, placement: Placement, now: number): Current {
  switch (placement.outcome) {
    case 'done':
      return observeFound(current, placement.order, now)
    case 'refused':
      return { ...current, ended: failed(placement.code, placement.error) }
    case 'unknown':
      return {
        ...current,
        unansweredSince: current.unansweredSince ?? now,
        doubt: doubtFrom(now, absenceCountsAfterSending(now)),
      }
    case 'withheld':
      return { ...current, notBefore: now + askAgainMs }
  }
}

function observeLookUp(execution: Execution, lookUp: LookUp, askedAt: number, now: number): Execution {
  const { current } = execution
  if (lookUp.outcome === 'found') return withCurrent(execution, observeFound(current, lookUp.order, now))
  // What was found once is there: a read that lags cannot make it absent again.
  if (current.found !== undefined) return withCurrent(execution, { ...current, notBefore: now + askAgainMs })
  const doubt = current.doubt ?? doubtFrom(now, absenceCountsAfterSending(now))
  if (lookUp.outcome === 'unreachable')
    return withCurrent(execution, { ...current, doubt: sawNothing(doubt, now) })
  const asked = sawAbsence(doubt, askedAt, now)
  if (!isProvenAbsent(asked)) return withCurrent(execution, { ...current, doubt: asked })
  // Nothing of this command ever reached the venue, so nothing behind it did: from here on the run is a live one.
  const { startedAt, unansweredSince } = current
  return {
    ...execution,
    notAbsentBefore: undefined,
    current: { startedAt, ...(unansweredSince !== undefined && { unansweredSince }) },
  }
}

function observeFound(current: Current, found: VenueOrder, now: number): Current {
  const { doubt: _settled, ...rest } = current
  const seen = { ...rest, found, foundAt: current.foundAt ?? now }
  return isTerminal(found) ? seen : { ...seen, notBefore: now + askAgainMs }
}

function endOf(order: VenueOrder, market: Market, plan: OrderPlan | undefined): CommandEnd {
  const result: CommandEnd['result'] = {
    id: order.venueOrderId,
    client_order_id: order.clientOrderId,
    symbol: market.symbol,
    side: order.side,
    type: 'market',
    amount: order.quantity,
    price: order.averagePrice,
    filled: order.filled,
    status: order.status,
    reduce_only: order.reduceOnly,
    sizing: plan?.sizing ?? 'found at the exchange after an interruption',
  }
  if (isZero(order.filled)) {
    return {
      status: 'failed',
      result,
      errorCode: 'E601',
      error: `The exchange ended the order as ${order.status}`,
    }
  }
  return { status: 'success', result, errorCode: null, error: null }
}

function settle(command: Command, current: Current, now: number, end: CommandEnd): Step {
  const executionTimeMs = end.status === 'skipped' ? 0 : Number((now - current.startedAt).toFixed(3))
  return { do: 'settle', outcome: { command: command.type, ...end, executionTimeMs } }
}

/** Behind a failure nothing is sent; but an earlier attempt may have come further than this one can see. */
function behind(failure: CommandResult, { notAbsentBefore }: Execution, command: Command): CommandEnd {
  const isUntold = failure.errorCode === 'E602' && notAbsentBefore !== undefined && command.type === 'market'
  return isUntold ? failed('E602', untold) : { status: 'skipped', result: null, errorCode: null, error: null }
}

function failed(errorCode: string, error: string): CommandEnd {
  return { status: 'failed', result: null, errorCode, error }
}

function nothingToDo(note: string): CommandEnd {
  return { status: 'success', result: { code: 'N802', note }, errorCode: null, error: null }
}

function freshCurrent(notAbsentBefore: number | undefined, now: number): Current {
  if (notAbsentBefore === undefined) return { startedAt: now }
  return { startedAt: now, doubt: doubtFrom(now, notAbsentBefore) }
}

function withCurrent(execution: Execution, current: Current): Execution {
  return { ...execution, current }
}
