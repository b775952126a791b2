import type { AccountReading } from './account.ts'
import { type Attempt, isOpenOrder } from './attempt.ts'
import { isProtective } from './decide.ts'
import { decisionOf } from './doubt-record.ts'
import { type Execution, foundOf } from './execution-state.ts'
import type { LegsRecord } from './legs-record.ts'
import type { OrderPlan } from './order.ts'
import { isSingle } from './single-order.ts'
import { isAgainst } from './sizing.ts'
import { askNext, nextEnding, type Told, type Watch, type WatchStep } from './watch.ts'

/** What is written of the one order that a command leaves open, so that its end is told; undefined where it leaves none. */
export function loneRecord({ commands, outcomes, current }: Execution): LegsRecord | undefined {
  const command = commands[outcomes.length]
  const { orders = [], reading } = current
  const open = orders.filter(isOpenOrder)
  if (command === undefined || !isSingle(command) || open.length === 0) return undefined
  const protects = reading !== undefined && open.some(({ decision }) => isStopOf(decision?.plan, reading))
  return {
    state: 'live',
    keeper: 'venue',
    rules: { mode: 'cancel', onPartial: 'keep' },
    legs: open.map((attempt) => ({ decision: decisionOf(attempt), revision: 0 })),
    ...(protects && { protects }),
    isLone: true,
  }
}

function isStopOf(plan: OrderPlan | undefined, reading: AccountReading): boolean {
  return plan !== undefined && isProtective(plan) && isAgainst(plan, reading)
}

/** What is to be done next for orders that end by themselves: nothing, until they have, or their position is closed. */
export function nextForLone({ kept, attempts }: Watch, now: number): WatchStep {
  const { record, revision } = kept
  const step = record.isClosed === true ? nextEnding(attempts, now) : askNext(attempts, now)
  if (step !== undefined) return step
  if (attempts.some(isOpenOrder)) return { do: 'rest' }
  const told = record.isClosed === true ? undefined : oddEndOf(attempts)
  return { do: 'record', record: { ...record, state: 'done' }, over: revision, ...(told && { told }) }
}

/** What a person should know of orders of which none traded or was canceled. */
function oddEndOf(attempts: readonly Attempt[]): Told | undefined {
  const found = attempts.flatMap(foundOf)
  if (found.some(({ status }) => status === 'filled' || status === 'canceled')) return undefined
  const ends = found.map(
    ({ status, type, side, quantity, filled }) =>
      `${type} ${side} ${quantity} ended as ${status}, ${filled} of it filled`,
  )
  const forgotten = 'the exchange does not know the order any more, nor what became of it'
  return { text: ends.length === 0 ? forgotten : ends.join('; '), isAlarm: true }
}
