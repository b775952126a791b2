import { createMetrics } from '@tripline/kit/telemetry/metrics'
import { declareBus, declareConsumer, declareDatabase } from '@tripline/kit/telemetry/service-metrics'

/** Metrics of history. */
export type HistoryMetrics = ReturnType<typeof createHistoryMetrics>

/** The metrics of history, with nothing metered yet. */
export function createHistoryMetrics() {
  const metrics = createMetrics('history')
  return {
    metrics,
    bus: declareBus(metrics),
    consumer: declareConsumer(metrics),
    database: declareDatabase(metrics),
    setAside: metrics.counter(
      'events_set_aside_total',
      'Events that could not be stored, and are stored as they came in the table set_aside.',
      {},
    ),
  }
}
