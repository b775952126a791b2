import type { FlightView } from '@tripline/proto/http/execution'
import { timeText } from '../../shared/moment-text.ts'
import { texts } from './texts.ts'

const words = texts.details.notification

/** Returns the outcomes of the messages about an execution; times by a zone's clock. */
export function notificationOf(
  notification: FlightView['notification'],
  zone: string,
): { status: string; detail: string } {
  if (notification === null) return { status: 'recorded', detail: words.unknown }
  const { is_on, is_known, sent_at, waiting, last_error } = notification
  if (waiting > 0) {
    return last_error === null
      ? { status: 'running', detail: words.waiting }
      : { status: 'failed', detail: words.failing(last_error) }
  }
  if (sent_at !== null) return { status: 'success', detail: words.sent(timeText(sent_at, zone)) }
  if (!is_known) return { status: 'recorded', detail: words.forgotten }
  return { status: 'recorded', detail: is_on ? words.none : words.off }
}
