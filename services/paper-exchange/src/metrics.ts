import { type Counter, createMetrics, type Metrics } from '@tripline/kit/telemetry/metrics'
import type { WireRequest } from './wire/backing.ts'

/** The metrics of the paper exchange, which has so many accounts. */
export interface PaperExchangeMetrics {
  metrics: Metrics
  requests: Counter<Record<keyof WireRequest, 'few'>>
}

/** Nothing counted yet. */
export function createPaperExchangeMetrics(countAccounts: () => number): PaperExchangeMetrics {
  const metrics = createMetrics('paper-exchange')
  const accounts = metrics.gauge('paper_accounts', 'Accounts of the simulated venue.', {})
  accounts.follow(() => [[{}, countAccounts()]])
  const requests = metrics.counter(
    'paper_requests_total',
    'Requests to the endpoints of the simulated venues, those over sockets included.',
    { wire: 'few', transport: 'few', endpoint: 'few' },
  )
  return { metrics, requests }
}
