import { type Bus, isFull, store } from '@tripline/kit/bus/bus'
import type { AlertMessage } from '@tripline/proto/alert'
import { alertSubject } from '@tripline/proto/subject'

/** One attempt: long enough for a stream that lives, and short enough to try again while the caller still waits. */
export const attemptMs = 300

/** The outcome of storing an alert; `unconfirmed` leaves open whether it lies in the stream. */
export type Storing =
  | { outcome: 'stored'; sequence: number }
  | { outcome: 'full' }
  | { outcome: 'unconfirmed'; cause: unknown }

/** Makes the whole alert durable in one message; attempts repeat under its id until the deadline. */
export async function storeAlert(
  bus: Bus,
  { alertId, userId }: Pick<AlertMessage, 'alertId' | 'userId'>,
  payload: string,
  deadlineMs: number,
  traceparent: string | undefined,
): Promise<Storing> {
  try {
    const options = { messageId: alertId, attemptMs, deadlineMs, isUrgent: true, traceparent }
    const { sequence } = await store(bus, alertSubject(userId), payload, options)
    return { outcome: 'stored', sequence }
  } catch (cause) {
    return isFull(cause) ? { outcome: 'full' } : { outcome: 'unconfirmed', cause }
  }
}
