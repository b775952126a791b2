import type { Bus } from '@tripline/kit/bus/bus'
import type { ConsumerProgress } from '@tripline/kit/bus/durable-consumer'
import { serve } from '@tripline/kit/bus/request'
import { listAlertEnds, mostAlertEnds, readAlertEnds } from '@tripline/proto/history-request'
import { findAlertEnds, listEnds } from '../store/alert-ends.ts'
import type { Db } from '../store/tables.ts'

/**
 * Serves requests about the ends of alerts; returns an unsubscribe function. The events that are not taken yet are counted
 * before rows are read: an end that is missing is in none of the events up to `takenUntil`.
 */
export function serveAlertEnds(bus: Bus, db: Db, progress: () => Promise<ConsumerProgress>): () => void {
  const stops = [
    serve(bus, readAlertEnds, async ({ alerts }) => {
      const taken = await progress()
      return { alerts: await findAlertEnds(db, alerts), ...taken }
    }),
    serve(bus, listAlertEnds, async ({ from, before }) => {
      const taken = await progress()
      const found = await listEnds(db, from, before)
      return { alerts: found.slice(0, mostAlertEnds), hasMore: found.length > mostAlertEnds, ...taken }
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
