import { createMetrics } from '@tripline/kit/metrics'
import { declareBus, declareConsumer, declareDatabase } from '@tripline/kit/service-metrics'

/** What is metered of notifier. */
export type NotifierMetrics = ReturnType<typeof createNotifierMetrics>

/** The metrics of notifier, with nothing metered yet. */
export function createNotifierMetrics() {
  const metrics = createMetrics('notifier')
  return {
    metrics,
    bus: declareBus(metrics),
    consumer: declareConsumer(metrics),
    database: declareDatabase(metrics),
  }
}
