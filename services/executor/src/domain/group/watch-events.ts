import type { ExecutionEvent } from '@tripline/proto/event'
import type { Attempt } from '../order/attempt.ts'
import { isTerminal } from '../order/order.ts'
import {
  alarmEvent,
  type CommandScene,
  commandEvent,
  orderAcknowledged,
  orderEnded,
  orderSent,
} from '../order/order-events.ts'
import type { Notice, Watch } from './watch.ts'
import type { WatchObservation } from './watch-observe.ts'

/** Returns the events that follow from an observation of the group of a command. */
export function watchEventsOf(
  scene: CommandScene,
  before: Watch,
  observation: WatchObservation,
  after: Watch,
): readonly ExecutionEvent[] {
  const ended = endedIn(before, after).flatMap(({ found }) => (found ? orderEnded(scene, found) : []))
  return [...ownEventsOf(scene, observation), ...ended]
}

function ownEventsOf(scene: CommandScene, observation: WatchObservation): readonly ExecutionEvent[] {
  switch (observation.of) {
    case 'sent':
      return observation.decisions.map((decision) => orderSent(scene, decision, observation))
    case 'place': {
      const { placement, sentAt = scene.at } = observation
      return placement.outcome === 'done'
        ? [orderAcknowledged(scene, placement.order, sentAt, placement.source)]
        : []
    }
    case 'change':
      return [changeEvent(scene, observation)]
    case 'amended': {
      const { outcome } = observation
      return [{ kind: 'command.amended', ...commandEvent(scene, 'amended'), outcome }]
    }
    default:
      return []
  }
}

/** The event of a change of a group; a change that a person should look at is an alarm instead. */
function changeEvent(
  scene: CommandScene,
  { phase, notice: { text, isAlarm } }: { phase: string; notice: Notice },
): ExecutionEvent {
  if (isAlarm) return alarmEvent(scene, { name: phase, text })
  return { kind: 'group.changed', ...commandEvent(scene, phase), text }
}

/** Returns the orders that are known to have ended after an observation, and were not before. */
export function endedIn(before: Watch, after: Watch): readonly Attempt[] {
  return after.attempts.filter(
    (attempt) => hasEnded(attempt) && !before.attempts.some((one) => isSame(one, attempt) && hasEnded(one)),
  )
}

function hasEnded({ found }: Attempt): boolean {
  return found !== undefined && isTerminal(found)
}

function isSame(one: Attempt, other: Attempt): boolean {
  return one.ref.clientOrderId === other.ref.clientOrderId
}
