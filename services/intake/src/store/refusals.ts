import { type Bus, store } from '@tripline/kit/bus/bus'
import type { AlertId, UserId } from '@tripline/proto/id'
import { eventSubject } from '@tripline/proto/subject'
import type { Refusal } from '../domain/refusal.ts'
import type { RefusedEvent } from '../domain/refused-event.ts'
import type { ResentEvent } from '../domain/resent-event.ts'
import { openRefusalCounts } from './refusal-counts.ts'

// As long as a bus may be away before the rows of that time are given up.
const keepTryingMs = 300_000
// Bounds what is held in memory meanwhile.
const pendingLimit = 2000

/** Records the outcomes of alerts without an execution of their own, in the background: no answer waits for it. */
export interface Refusals {
  record: (event: RefusedEvent | ResentEvent, traceparent: string | undefined) => void
  /** Counts one that a limit refused; returns the id of the row with their number. */
  count: (userId: UserId, refusal: Refusal, at: number) => AlertId
  /** Records what is counted; resolves once everything recorded so far is stored, or when the time is over. */
  allRecorded: (withinMs: number) => Promise<void>
}

/** A recorder that keeps trying while the bus is away. */
export function openRefusals(bus: Bus, clock: () => number): Refusals {
  const pending = new Set<Promise<void>>()
  const storeEvent = async (
    event: RefusedEvent | ResentEvent,
    traceparent: string | undefined,
  ): Promise<void> => {
    try {
      await store(bus, eventSubject(event.userId, event.botId), JSON.stringify(event), {
        messageId: event.eventId,
        attemptMs: 2000,
        deadlineMs: keepTryingMs,
        traceparent,
      })
    } catch (error) {
      bus.log.error({ err: error, alertId: event.alertId }, 'event not recorded')
    }
  }
  const record: Refusals['record'] = (event, traceparent) => {
    if (pending.size >= pendingLimit) {
      bus.log.error({ alertId: event.alertId }, 'event not recorded, too many are waiting')
      return
    }
    const storing = storeEvent(event, traceparent).finally(() => pending.delete(storing))
    pending.add(storing)
  }
  const recordCount = (event: RefusedEvent): void => {
    const { alertId, userId, error } = event
    bus.log.info({ alertId, userId, error }, 'alerts refused by a limit')
    record(event, undefined)
  }
  const counts = openRefusalCounts(recordCount, clock)
  return {
    record,
    count: counts.count,
    allRecorded: async (withinMs) => {
      counts.recordAll()
      let overdue: NodeJS.Timeout | undefined
      const over = new Promise((resolve) => {
        overdue = setTimeout(resolve, withinMs)
      })
      await Promise.race([Promise.all(pending), over])
      clearTimeout(overdue)
    },
  }
}
