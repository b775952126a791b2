import { createMetrics } from '@tripline/kit/telemetry/metrics'
import { declareBus, declareDatabase } from '@tripline/kit/telemetry/service-metrics'

/** Metrics of auth. */
export type AuthMetrics = ReturnType<typeof createAuthMetrics>

/** The metrics of auth, with nothing metered yet. */
export function createAuthMetrics() {
  const metrics = createMetrics('auth')
  return {
    metrics,
    bus: declareBus(metrics),
    database: declareDatabase(metrics),
    mails: metrics.counter('mails_total', 'Attempts to send a mail, by how they ended.', {
      outcome: ['sent', 'unsent', 'refused'],
    }),
  }
}
