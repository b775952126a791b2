import { type Attempt, foundOf, isOpenOrder } from '../order/attempt.ts'
import { askNext, type Notice, nextEnding, type Watch, type WatchStep } from './watch.ts'

/** Returns the next step for orders that end by themselves: nothing, until they have, or their position is closed. */
export function nextForLone({ stored, attempts }: Watch, now: number): WatchStep {
  const { record, revision } = stored
  const step = record.isClosed === true ? nextEnding(attempts, now) : askNext(attempts, now)
  if (step !== undefined) return step
  if (attempts.some(isOpenOrder)) return { do: 'rest' }
  const notice = record.isClosed === true ? undefined : oddEndOf(attempts)
  return { do: 'record', record: { ...record, state: 'done' }, over: revision, ...(notice && { notice }) }
}

/** Returns a notice for a person on orders of which none traded or was canceled. */
function oddEndOf(attempts: readonly Attempt[]): Notice | undefined {
  const found = attempts.flatMap(foundOf)
  if (found.some(({ status }) => status === 'filled' || status === 'canceled')) return undefined
  const ends = found.map(
    ({ status, type, side, quantity, filled }) =>
      `${type} ${side} ${quantity} ended as ${status}, ${filled} of it filled`,
  )
  const forgotten = 'the exchange does not know the order any more, nor what became of it'
  return { text: ends.length === 0 ? forgotten : ends.join('; '), isAlarm: true }
}
