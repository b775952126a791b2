import { eventIdOf } from '@tripline/proto/event'
import { lostCode } from './receipt-state.ts'
import { type RefusedAlert, type RefusedEvent, refusedEvent } from './refused-event.ts'

/**
 * The event of an alert that was accepted and then lost. It is of a kind that every reader knows, and an event besides the
 * one that may say that its storage was not confirmed.
 */
export function lostEvent(alert: RefusedAlert, text: string, at: number): RefusedEvent {
  const event = refusedEvent(alert, { errorCode: lostCode, text }, at)
  return { ...event, eventId: eventIdOf(alert.alertId, '-', 'lost') }
}
