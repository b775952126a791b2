import type { getExecution } from '@tripline/proto/history-request'
import type { FlightView } from '@tripline/proto/http/execution'
import type { FoundMessages } from '@tripline/proto/notification-request'
import type { z } from 'zod'
import { executionView } from './domain/execution-view.ts'
import { snakeCase } from './domain/snake-case.ts'

/** Returns an execution with all its events, in the form of HTTP. */
export function flightView(
  flight: z.infer<typeof getExecution.answered>,
  messages: FoundMessages | undefined,
): FlightView {
  const { execution, body, stages, events } = flight
  const { queueMs, planMs, venueMs, settleMs } = stages
  return {
    ...executionView(execution),
    webhook_payload: { message: execution.message, body },
    stages: { queue_ms: queueMs, plan_ms: planMs, venue_ms: venueMs, settle_ms: settleMs },
    notification: messages === undefined ? null : notificationView(messages),
    events: events.map(({ at, afterMs, kind, command, details }) => ({
      at: new Date(at).toISOString(),
      after_ms: afterMs,
      kind,
      command,
      details: Object.fromEntries(Object.entries(details).map(([name, value]) => [snakeCase(name), value])),
    })),
  }
}

function notificationView({ isOn, isKnown, sentAt, waiting, lastError }: FoundMessages) {
  return { is_on: isOn, is_known: isKnown, sent_at: sentAt, waiting, last_error: lastError }
}
