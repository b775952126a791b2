import { createMetrics } from '@tripline/kit/metrics'
import { declareBus, declareConsumer, declareDatabase } from '@tripline/kit/service-metrics'

/** The metrics of history, with nothing metered yet. */
export function createHistoryMetrics() {
  const metrics = createMetrics('history')
  return {
    metrics,
    bus: declareBus(metrics),
    consumer: declareConsumer(metrics),
    database: declareDatabase(metrics),
  }
}
