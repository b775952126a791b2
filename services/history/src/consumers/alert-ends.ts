import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { listAlertEnds, mostAlertEnds, readAlertEnds } from '@tripline/proto/history-request'
import { findAlertEnds, listEnds } from '../store/alert-ends.ts'
import type { Db } from '../store/tables.ts'

/**
 * Serves requests about the ends of alerts; returns an unsubscribe function. The events that are not taken yet are counted
 * before rows are read: where there are none, an end that is missing was not stored by then.
 */
export function serveAlertEnds(bus: Bus, db: Db, pendingEvents: () => Promise<number>): () => void {
  const stops = [
    serve(bus, readAlertEnds, async ({ alerts }) => {
      const pending = await pendingEvents()
      return { alerts: await findAlertEnds(db, alerts), pending }
    }),
    serve(bus, listAlertEnds, async ({ from, before }) => {
      const pending = await pendingEvents()
      const found = await listEnds(db, from, before)
      return { alerts: found.slice(0, mostAlertEnds), hasMore: found.length > mostAlertEnds, pending }
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
