import { isOpenOrder } from './attempt.ts'
import type { Execution } from './execution-state.ts'
import type { LegsRecord } from './legs-record.ts'
import { isSingle } from './single-order.ts'
import { decisionOf } from './untold.ts'
import { askNext, attemptFor, hasEnded, type Told, type Watch, type WatchStep } from './watch.ts'

/** What is written of the one order that a command leaves open, so that its end is told; undefined where it leaves none. */
export function loneRecord({ commands, outcomes, current }: Execution): LegsRecord | undefined {
  const command = commands[outcomes.length]
  const [attempt] = current.orders ?? []
  if (command === undefined || !isSingle(command) || attempt === undefined || !isOpenOrder(attempt))
    return undefined
  return {
    state: 'live',
    keeper: 'venue',
    rules: { mode: 'cancel', onPartial: 'keep' },
    legs: [{ decision: decisionOf(attempt), revision: 0 }],
    isLone: true,
  }
}

/** What is to be done next for an order that has no others: nothing, until it has ended. */
export function nextForLone(watch: Watch, now: number): WatchStep {
  const { record, revision } = watch.kept
  const asked = askNext(watch.attempts, now)
  if (asked !== undefined) return asked
  const [leg] = record.legs
  if (leg !== undefined && !hasEnded(watch, leg)) return { do: 'rest' }
  const told = leg && oddEndOf(watch, leg)
  return { do: 'record', record: { ...record, state: 'done' }, over: revision, ...(told && { told }) }
}

/** What a person should know of an order that neither traded nor was canceled. */
function oddEndOf(watch: Watch, { decision }: LegsRecord['legs'][number]): Told | undefined {
  const { found } = attemptFor(watch, decision) ?? {}
  if (found === undefined) {
    return { text: 'the exchange does not know the order any more, nor what became of it', isAlarm: true }
  }
  const { status, type, side, quantity, filled } = found
  if (status === 'filled' || status === 'canceled') return undefined
  return {
    text: `${type} ${side} ${quantity} ended as ${status}, ${filled} of it filled`,
    isAlarm: true,
  }
}
