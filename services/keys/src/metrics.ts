import { createMetrics } from '@tripline/kit/telemetry/metrics'
import { declareBus, declareDatabase } from '@tripline/kit/telemetry/service-metrics'

/** The metrics of keys. */
export type KeysMetrics = ReturnType<typeof createKeysMetrics>

/** The metrics of keys, with nothing metered yet. */
export function createKeysMetrics() {
  const metrics = createMetrics('keys')
  return {
    metrics,
    bus: declareBus(metrics),
    database: declareDatabase(metrics),
  }
}
