import { createMetrics } from '@tripline/kit/telemetry/metrics'
import { declareBus, declareConsumer, declareDatabase } from '@tripline/kit/telemetry/service-metrics'

/** The notifier's metrics. */
export type NotifierMetrics = ReturnType<typeof createNotifierMetrics>

/** The metrics of notifier, with nothing metered yet. */
export function createNotifierMetrics() {
  const metrics = createMetrics('notifier')
  return {
    metrics,
    bus: declareBus(metrics),
    consumer: declareConsumer(metrics),
    database: declareDatabase(metrics),
    messages: metrics.counter('messages_total', 'Messages to Telegram, by how the attempt ended.', {
      outcome: ['sent', 'refused', 'later', 'unreadable'],
    }),
    alarms: metrics.counter('alarms_total', 'Alarms of commands, which a person should look at.', {}),
  }
}
