import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { eventsIn } from '@tripline/proto/event'
import { readAlertEnds } from '@tripline/proto/history-request'

/** Serves the ends of alerts as history does, by all events that were ever stored. */
export function startHistoryPeer(history: Bus, ops: Bus): void {
  const received = new Map<string, Set<string>>()
  const ended = new Set<string>()
  ops.connection.subscribe('event.>', {
    callback: (_error, message) => {
      for (const { event } of eventsIn(message.string())) {
        if (event?.kind !== 'execution.received' && event?.kind !== 'execution.finished') continue
        const executions = received.get(event.alertId) ?? new Set()
        received.set(event.alertId, executions.add(event.executionId))
        if (event.kind === 'execution.finished') ended.add(event.executionId)
      }
    },
  })
  serve(history, readAlertEnds, async ({ alerts }) => ({
    alerts: alerts.flatMap(({ userId, alertId }) => {
      const executions = [...(received.get(alertId) ?? [])]
      const open = executions.filter((id) => !ended.has(id)).length
      if (executions.length === 0) return []
      return [{ userId, alertId, refusal: null, ended: executions.length - open, open, contradicted: 0 }]
    }),
    pending: 0,
    storedUntil: 0,
    takenUntil: 0,
  }))
}
