import { type Bus, store } from '@tripline/kit/bus'
import { eventSubject } from '@tripline/proto/subject'
import type { RefusedEvent } from '../domain/refused-event.ts'

// As long as a bus may be away before the rows of that time are given up.
const keepTryingMs = 300_000
// Bounds what is held in memory meanwhile.
const heldLimit = 2000

/** Records refused alerts, in the background: no answer waits for it. */
export interface Refusals {
  record: (event: RefusedEvent, traceparent: string | undefined) => void
  /** Resolves once everything recorded so far is stored, or when the time is over. */
  settled: (withinMs: number) => Promise<void>
}

/** A recorder that keeps trying while the bus is away. */
export function openRefusals(bus: Bus): Refusals {
  const held = new Set<Promise<void>>()
  const keep = async (event: RefusedEvent, traceparent: string | undefined): Promise<void> => {
    try {
      await store(bus, eventSubject(event.userId, event.botId), JSON.stringify(event), {
        messageId: event.eventId,
        attemptMs: 2000,
        deadlineMs: keepTryingMs,
        traceparent,
      })
    } catch (error) {
      bus.log.error({ err: error, alertId: event.alertId }, 'refusal not recorded')
    }
  }
  return {
    record: (event, traceparent) => {
      if (held.size >= heldLimit) {
        bus.log.error({ alertId: event.alertId }, 'refusal not recorded, too many are waiting')
        return
      }
      const keeping = keep(event, traceparent).finally(() => held.delete(keeping))
      held.add(keeping)
    },
    settled: async (withinMs) => {
      let overdue: NodeJS.Timeout | undefined
      const over = new Promise((resolve) => {
        overdue = setTimeout(resolve, withinMs)
      })
      await Promise.race([Promise.all(held), over])
      clearTimeout(overdue)
    },
  }
}
