import type { Metrics, Registered } from '@tripline/kit/telemetry/metrics'
import { meterProcess } from '@tripline/kit/telemetry/process-metrics'
import { createGatewayMetrics } from '../../gateway/src/metrics.ts'
import { createAuthMetrics } from '../../services/auth/src/metrics.ts'
import { createExecutorMetrics } from '../../services/executor/src/metrics.ts'
import { createHistoryMetrics } from '../../services/history/src/metrics.ts'
import { createIntakeMetrics } from '../../services/intake/src/metrics.ts'
import { createKeysMetrics } from '../../services/keys/src/metrics.ts'
import { createNotifierMetrics } from '../../services/notifier/src/metrics.ts'
import { createPaperExchangeMetrics } from '../../services/paper-exchange/src/metrics.ts'
import type { ServiceName } from '../stack/services.ts'

const own: Record<ServiceName, () => Metrics> = {
  gateway: () => createGatewayMetrics().metrics,
  intake: () => createIntakeMetrics().metrics,
  executor: () => createExecutorMetrics().metrics,
  auth: () => createAuthMetrics().metrics,
  keys: () => createKeysMetrics().metrics,
  history: () => createHistoryMetrics().metrics,
  notifier: () => createNotifierMetrics().metrics,
  'paper-exchange': () => createPaperExchangeMetrics(() => 0).metrics,
}

/** Returns the metrics that each service registers. */
export function registeredMetrics(): Record<ServiceName, readonly Registered[]> {
  const all = Object.entries(own).map(([service, create]) => {
    const metrics = create()
    meterProcess(metrics, () => true)
    return [service, metrics.registered()]
  })
  return Object.fromEntries(all)
}

/** Every metric that can be asked for, with its labels; a histogram is several. */
export function askableMetrics(): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>()
  for (const { name, kind, labels } of Object.values(registeredMetrics()).flat()) {
    for (const suffix of kind === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']) {
      const known = all.get(name + suffix) ?? new Set()
      all.set(name + suffix, known)
      for (const label of suffix === '_bucket' ? [...labels, 'le'] : labels) known.add(label)
    }
  }
  return all
}
