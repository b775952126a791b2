import type { Metrics } from '@tripline/kit/metrics'
import { meterProcess } from '@tripline/kit/process-metrics'
import { createGatewayMetrics } from '../../gateway/src/metrics.ts'
import { createAuthMetrics } from '../../services/auth/src/metrics.ts'
import { createExecutorMetrics } from '../../services/executor/src/metrics.ts'
import { createHistoryMetrics } from '../../services/history/src/metrics.ts'
import { createIntakeMetrics } from '../../services/intake/src/metrics.ts'
import { createKeysMetrics } from '../../services/keys/src/metrics.ts'
import { createNotifierMetrics } from '../../services/notifier/src/metrics.ts'
import { createPaperExchangeMetrics } from '../../services/paper-exchange/src/metrics.ts'
import type { ServiceName } from '../services.ts'

const own: Record<ServiceName, () => Metrics> = {
  gateway: () => createGatewayMetrics().metrics,
  intake: () => createIntakeMetrics().metrics,
  executor: () => createExecutorMetrics().metrics,
  auth: () => createAuthMetrics().metrics,
  keys: () => createKeysMetrics().metrics,
  history: () => createHistoryMetrics().metrics,
  notifier: () => createNotifierMetrics().metrics,
  'paper-exchange': () => createPaperExchangeMetrics(() => 0),
}

/** Every metric that a service registers, with its labels; a histogram under the names that can be asked for. */
export function registeredMetrics(): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>()
  for (const create of Object.values(own)) {
    const metrics = create()
    meterProcess(metrics, () => true)
    for (const { name, kind, labels } of metrics.registered()) {
      for (const asked of kind === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']) {
        const known = all.get(name + asked) ?? new Set()
        all.set(name + asked, known)
        for (const label of asked === '_bucket' ? [...labels, 'le'] : labels) known.add(label)
      }
    }
  }
  return all
}
