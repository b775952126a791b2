import { createMetrics } from '@tripline/kit/metrics'
import { declareBus, declareDatabase } from '@tripline/kit/service-metrics'

/** The metrics of auth, with nothing metered yet. */
export function createAuthMetrics() {
  const metrics = createMetrics('auth')
  return {
    metrics,
    bus: declareBus(metrics),
    database: declareDatabase(metrics),
  }
}
