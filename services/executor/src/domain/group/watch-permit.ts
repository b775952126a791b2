import type { TradingState } from '@tripline/proto/user-config'
import type { OrderPlan } from '../order/order.ts'
import { pairIn } from './alternating-pair.ts'
import type { LegsRecord } from './legs-record.ts'
import { givingWay } from './replace-leg.ts'
import { askNext, type Notice, type Watch, type WatchStep } from './watch.ts'
import { nextForWatch } from './watch-next.ts'

/** Next step for a group, and the withheld one, since its bot is paused or halted. */
export interface PermittedStep {
  step: WatchStep
  withheld?: Notice
}

/**
 * Returns the next step for a group of a bot in this state. A bot that is halted sends no order: events are noted,
 * and due steps are taken once it trades again. But where an order filled the others are canceled: left alone, they
 * would open a position. For a bot that is paused everything goes on but the entry that a pair holds back: all that a
 * watch does otherwise is to cancel orders, make them smaller or send exits.
 */
export function nextPermitted(watch: Watch, tradingState: TradingState, now: number): PermittedStep {
  const step = nextForWatch(watch, now)
  const withheld = withheldOf(watch, step, tradingState)
  if (withheld === undefined) return { step }
  return { step: askNext(watch.attempts, now) ?? { do: 'rest' }, withheld }
}

function withheldOf(watch: Watch, step: WatchStep, tradingState: TradingState): Notice | undefined {
  if (tradingState === 'active') return undefined
  const due = dueIn(watch, step)
  if (due === undefined) return undefined
  if (tradingState === 'halted') {
    const text = `the bot is halted, so ${due}: it is once the bot trades again, till then look at the exchange`
    return { text, isAlarm: true }
  }
  if (!holdsEntry(watch)) return undefined
  return { text: `the bot only reduces positions, so ${due}`, isAlarm: false }
}

/** Returns words on the withheld part of a step, or of what it begins; undefined where nothing is sent for it. */
function dueIn({ stored: { record }, attempts }: Watch, step: WatchStep): string | undefined {
  switch (step.do) {
    case 'place':
      return `${describe(step.leg.decision.plan)} is not sent`
    case 'placePair':
      return `${step.pair.map(({ decision }) => describe(decision.plan)).join(' with ')} is not sent`
    case 'cancel': {
      if (record.state === 'closing') return undefined
      const attempt = attempts.find(({ ref }) => ref.clientOrderId === step.ref.clientOrderId)
      return `${attempt?.decision ? describe(attempt.decision.plan) : 'an order'} is not canceled`
    }
    case 'record':
      return begunBy(record, step.record)
    default:
      return undefined
  }
}

function begunBy(before: LegsRecord, after: LegsRecord): string | undefined {
  if (after.isPassed !== before.isPassed) return 'what its stop was over is not sold'
  if (after.state === 'done' || after.isLone === true) return undefined
  if (after.state === 'closing') return undefined
  if (after.turn !== before.turn) return `${describe(pairIn(after).profit.decision.plan)} is not sent`
  return givingWay(after) > givingWay(before) ? 'the other orders are not made smaller' : undefined
}

/** True for a pair by turns that buys coins, or opens a position. */
function holdsEntry({ stored: { record }, market }: Watch): boolean {
  if (record.turn === undefined) return false
  const { side, reduceOnly } = pairIn(record).profit.decision.plan
  return !(reduceOnly || (market.kind === 'spot' && side === 'sell'))
}

function describe({ type, side, quantity }: OrderPlan): string {
  return `${type} ${side} ${quantity}`
}
