import { createMetrics, type Metrics } from '@tripline/kit/metrics'

/** The metrics of the paper exchange, which has so many accounts. */
export function createPaperExchangeMetrics(countAccounts: () => number): Metrics {
  const metrics = createMetrics('paper-exchange')
  const accounts = metrics.gauge('paper_accounts', 'Accounts of the simulated venue.', {})
  accounts.follow(() => [[{}, countAccounts()]])
  return metrics
}
