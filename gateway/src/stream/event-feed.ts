import { type Bus, lastSequence } from '@tripline/kit/bus'
import { RefusedError } from '@tripline/kit/refused-error'
import { readStream, type StreamMessage } from '@tripline/kit/stream-reader'
import { ExecutionEvent } from '@tripline/proto/event'
import type { UserId } from '@tripline/proto/id'
import { type LiveEvent, liveEventOf } from '@tripline/proto/live-event'
import { eventFilter } from '@tripline/proto/subject'

const mostReplayed = 200

/** Where in the event stream a browser stands: behind what it saw last, or at the end when it saw nothing. */
export async function standingPlace(bus: Bus, lastSeen: number | undefined): Promise<number> {
  if (!bus.isConnected()) throw unavailable()
  const last = await lastSequence(bus, 'EVENTS').catch((error: unknown) => {
    throw unavailable(error)
  })
  // An id beyond the end was given by a stream that no longer exists.
  return lastSeen === undefined || lastSeen > last ? last : lastSeen
}

export interface FeedOptions {
  userId: UserId
  /** The sequence behind which reading begins. */
  behind: number
  onEvent: (sequence: number, event: LiveEvent) => void
}

/** Reads a user's events behind a place, of a long past only the newest; answers how to stop. */
export async function feedEvents(bus: Bus, { userId, behind, onEvent }: FeedOptions): Promise<() => void> {
  let isReplaying = true
  const reader = await readStream(bus, {
    stream: 'EVENTS',
    filter: eventFilter(userId),
    start: { from: 'sequence', sequence: behind + 1 },
    onMessage: (message) => {
      if (isReplaying && message.pending >= mostReplayed) return
      isReplaying = false
      const event = readEvent(bus, message)
      if (event !== undefined) onEvent(message.sequence, liveEventOf(event))
    },
  })
  return reader.stop
}

function readEvent(bus: Bus, { text, sequence }: StreamMessage): ExecutionEvent | undefined {
  try {
    return ExecutionEvent.parse(JSON.parse(text))
  } catch (error) {
    bus.log.error({ err: error, sequence }, 'event not understood')
    return undefined
  }
}

function unavailable(cause?: unknown): RefusedError {
  return new RefusedError('unavailable', 'Live events are not available, please try again', { cause })
}
