import type { ExecutionEvent } from '@tripline/proto/event'
import type { Placement } from '../order/order.ts'
import {
  type About,
  alarmEvent,
  type CommandScene,
  commandEvent,
  type EventScene,
  orderAcknowledged,
  orderEnded,
  orderFound,
  orderSent,
} from '../order/order-events.ts'
import { alarmOf, overtakenAlarm } from './aftermath.ts'
import { placementsIn, shownBy } from './flight.ts'
import type { EndedCommand, Execution, Observation } from './state.ts'

/** The command that runs. */
export function aboutOf({ outcomes, commands }: Pick<Execution, 'outcomes' | 'commands'>): About {
  const command = outcomes.length
  return { command, type: commands[command]?.type ?? '' }
}

/** Returns the events that follow from an observation of an execution; the same happening has the same ids in every attempt. */
export function eventsOf(
  { identity, at }: EventScene,
  before: Execution,
  observation: Observation,
): readonly ExecutionEvent[] {
  const scene = { identity, at, about: aboutOf(before) }
  switch (observation.of) {
    case 'begun':
      return [started(scene)]
    case 'sent': {
      const { quote } = before.market
      return observation.decisions.map((decision) => orderSent(scene, decision, observation, quote))
    }
    case 'place':
    case 'placeOco':
      return placementsIn(observation).flatMap((each) => placedEvents(scene, each, observation.sentAt))
    case 'lookUp':
      return shownBy(before, observation).flatMap(({ order, as }) => [
        started(scene),
        ...(as === 'new' ? orderFound(scene, order, observation.askedAt) : []),
        ...(as === 'ended' ? orderEnded(scene, order) : []),
      ])
    case 'cancel':
      return shownBy(before, observation).flatMap(({ order }) => orderEnded(scene, order))
    case 'keepProgress':
      return [
        { kind: 'command.waiting', ...commandEvent(scene, 'waiting'), wakeAt: observation.sleep.wakeAt },
      ]
    case 'longUnknown': {
      const text = 'the exchange does not report the result of the order, look there'
      return [alarmEvent(scene, { code: 'E602', text })]
    }
    case 'inVain': {
      const text = `not done yet, and tried again for up to ${observation.forMs / 1000} s: ${observation.reason}`
      return [alarmEvent(scene, { name: 'in-vain', text })]
    }
    case 'ended':
      return endingEventsOf(scene, before, observation)
    default:
      return []
  }
}

function started(scene: CommandScene): ExecutionEvent {
  return { kind: 'command.started', ...commandEvent(scene, 'started') }
}

/** An order that the venue has; where it says that it has one of this name already, that is looked up. */
function placedEvents(scene: CommandScene, placement: Placement, sentAt = scene.at): ExecutionEvent[] {
  if (placement.outcome === 'done')
    return [orderAcknowledged(scene, placement.order, sentAt, placement.source)]
  if (placement.outcome !== 'unknown' || placement.isThere === true) return []
  return [{ kind: 'command.unknown', ...commandEvent(scene, 'unknown'), cause: placement.cause }]
}

/** Returns the events of a command that ends. */
export function endingEventsOf(
  scene: CommandScene,
  before: Pick<Execution, 'outcomes' | 'commands' | 'flight'>,
  { outcome, entryNotes = [], isOvertaken = false, alarm = alarmOf(before, outcome) }: EndedCommand,
): readonly ExecutionEvent[] {
  const late = overtakenAlarm(outcome, isOvertaken)
  return [
    ...(outcome.status === 'skipped' ? [] : [started(scene)]),
    ...(alarm === undefined ? [] : [alarmEvent(scene, { code: alarm.code, text: alarm.error })]),
    ...(late === undefined ? [] : [alarmEvent(scene, { name: 'overtaken', text: late })]),
    {
      kind: 'command.finished',
      ...commandEvent(scene, 'finished'),
      outcome,
      ...(before.flight && { flight: before.flight }),
      ...(entryNotes.length > 0 && { entryNotes: [...entryNotes] }),
    },
  ]
}
