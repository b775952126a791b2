import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { lastSequence } from '@tripline/kit/bus/stream-end'
import { type AlertEnds, listAlertEnds, readAlertEnds } from '@tripline/proto/history-request'
import type { AlertId, UserId } from '@tripline/proto/id'

/** A history that has what a test gives it. */
export interface HistoryPeer {
  /** Notes what it has of an alert: nothing besides what is named. */
  note: (userId: UserId, alertId: AlertId, ends: Partial<AlertEnds>) => void
  /** Events that it has not taken. */
  fallBehind: (events: number) => void
  /** Forgets all of it. */
  clear: () => void
  stop: () => void
}

/** Plays the history on the bus. */
export function startHistoryPeer(bus: Bus): HistoryPeer {
  const known = new Map<string, AlertEnds>()
  let behind = 0
  const taken = async () => {
    const storedUntil = await lastSequence(bus, 'EVENTS')
    return { pending: behind, storedUntil, takenUntil: storedUntil - behind }
  }
  const stops = [
    serve(bus, readAlertEnds, async ({ alerts }) => ({
      ...(await taken()),
      alerts: alerts.flatMap(({ userId, alertId }) => known.get(`${userId} ${alertId}`) ?? []),
    })),
    serve(bus, listAlertEnds, async ({ from, before }) => ({
      ...(await taken()),
      alerts: [...known.values()]
        .filter(({ alertId }) => alertId >= from && alertId < before)
        .toSorted((one, other) => (one.alertId < other.alertId ? -1 : 1)),
      hasMore: false,
    })),
  ]
  return {
    note: (userId, alertId, ends) => {
      const unset = { refusal: null, ended: 0, open: 0, contradicted: 0 }
      known.set(`${userId} ${alertId}`, { userId, alertId, ...unset, ...ends })
    },
    fallBehind: (events) => {
      behind = events
    },
    clear: () => {
      known.clear()
      behind = 0
    },
    stop: () => {
      for (const stop of stops) stop()
    },
  }
}
