import { isZero } from '@tripline/proto/decimal'
import { isOpenOrder } from '../order/attempt.ts'
import { isLone, type Leg, type LegsRecord } from './legs-record.ts'
import { nextForLone } from './lone-order.ts'
import { filledOf, nextReplacing, reducedLeg } from './replace-leg.ts'
import {
  askNext,
  attemptFor,
  dissolved,
  hasEnded,
  type Notice,
  nextClosing,
  type Watch,
  type WatchStep,
} from './watch.ts'
import { nextForTurns } from './watch-alternation.ts'
import { nextForTaken } from './watch-taken.ts'

/** Returns the next step for a group. Pure: from its record, and from what is known of its orders. */
export function nextForWatch(watch: Watch, now: number): WatchStep {
  const { record } = watch.stored
  if (record.state === 'done') return { do: 'end' }
  if (record.takenBack !== undefined) return nextForTaken(watch, record.takenBack, now)
  const asked = askNext(watch.attempts, now)
  if (record.isUntold === true && asked === undefined) return nextUntold(watch, now)
  if (isLone(record)) return nextForLone(watch, now)
  if (record.failure !== undefined || record.state === 'closing') return nextClosing(watch, now)
  if (record.turn !== undefined) return nextForTurns(watch, now)
  for (const leg of record.legs) {
    if (leg.replaces !== undefined) return nextReplacing(watch, leg, leg.replaces, now)
  }
  const alive = record.legs.filter(({ isOver }) => isOver !== true)
  const ended = alive.find((leg) => hasEnded(watch, leg))
  if (ended !== undefined) return afterEnd(watch, ended)
  const step = nextForFills(watch, alive) ?? asked
  if (step !== undefined) return step
  return alive.length < 2 ? changed(watch, dissolved(watch)) : { do: 'rest' }
}

/** Reports the outcome once it is final: market orders have ended, resting ones are there. */
function nextUntold({ attempts }: Watch, now: number): WatchStep {
  const trading = attempts.find((attempt) => attempt.decision?.plan.type === 'market' && isOpenOrder(attempt))
  if (trading === undefined) return { do: 'amend' }
  const { ref, notBefore = 0 } = trading
  return now < notBefore ? { do: 'wait', until: notBefore } : { do: 'lookUp', ref }
}

/** A leg that is filled ends the others; one that ended otherwise leaves them, and raises an alarm. */
function afterEnd(watch: Watch, leg: Leg): WatchStep {
  const { record } = watch.stored
  const { plan } = leg.decision
  const { found } = attemptFor(watch, leg.decision) ?? {}
  const legs = record.legs.map((each) => (each === leg ? { ...leg, isOver: true } : each))
  const orderText = `${plan.type} ${plan.side} ${plan.quantity}`
  if (found?.status !== 'filled') {
    const why = found === undefined ? 'is not at the exchange' : `ended as ${found.status}, not by its group`
    const text = `${orderText} ${why}, ${filledOf(watch, leg)} of it filled; the other orders stay`
    return changed(watch, { legs }, { text, isAlarm: true })
  }
  if (record.rules.mode === 'reduce')
    return changed(watch, { legs }, { text: `${orderText} is filled`, isAlarm: false })
  const notice = { text: `${orderText} is filled, the other orders are canceled`, isAlarm: false }
  return changed(watch, { legs, state: 'closing', closedBy: plan.clientOrderId }, notice)
}

/** Returns the step after fills for the legs that are alive. */
function nextForFills(watch: Watch, alive: readonly Leg[]): WatchStep | undefined {
  const { record } = watch.stored
  const { onPartial } = record.rules
  const partial = alive.find((leg) => !isZero(filledOf(watch, leg)))
  if (partial !== undefined && onPartial === 'keep') return undefined
  if (partial !== undefined && onPartial === 'cancel') {
    const { plan } = partial.decision
    const notice = { text: `${plan.type} is filled in part, the other orders are canceled`, isAlarm: false }
    return changed(watch, { state: 'closing', closedBy: plan.clientOrderId }, notice)
  }
  for (const leg of alive) {
    const reduced = reducedLeg(watch, leg)
    if (reduced === undefined) continue
    const legs = record.legs.map((each) => (each === leg ? reduced : each))
    const notice = {
      text: `${leg.decision.plan.type} is reduced to ${reduced.decision.plan.quantity}`,
      isAlarm: false,
    }
    return changed(watch, { legs }, notice)
  }
  return undefined
}

function changed({ stored }: Watch, change: Partial<LegsRecord>, notice?: Notice): WatchStep {
  return {
    do: 'record',
    record: { ...stored.record, ...change },
    over: stored.revision,
    ...(notice && { notice }),
  }
}
