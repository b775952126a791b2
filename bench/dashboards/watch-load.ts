import type { Closers } from '@tripline/testkit/closers'
import { freePort } from '@tripline/testkit/infra/free-port'
import { startOwnPrometheus } from '@tripline/testkit/infra/prometheus'
import { alertRules, dashboardQueries, filledIn } from '@tripline/testkit/monitoring/watchers'
import { type DemoAccount, openDemoAccount } from '@tripline/testkit/people/demo-account'
import { openLiveStream } from '@tripline/testkit/people/live-stream'
import { phase } from '@tripline/testkit/progress'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { serviceNames } from '@tripline/testkit/stack/services'
import { openTraders, type Trader } from '../alert-to-order/traders.ts'
import { operatorBus } from '../operator-bus.ts'
import { textTable } from '../table.ts'
import { brokenRules, firingAlerts, seriesOf, writeRules } from './prometheus.ts'

const traderCount = 20
const alertsPerSecond = 10
const scrapeEveryS = 1
/** Grafana's value here, from the interval of scrapes. */
const rateInterval = '15s'
const messages = [
  'market(buy, 0.01)',
  'market(sell, 0.01)',
  'limit(buy, 0.01, 5%)',
  'cancel(all)',
  'balance',
  'oco { stop(sell, 100%p, e-1%); limit(sell, 100%p, e2%) }',
  'nonsense(1)',
]

export interface Watched {
  report: string
  faults: string[]
}

/** Starts the product with a Prometheus, lets alerts come, and asks what every dashboard asks. */
export async function watchLoad({ seconds }: { seconds: number }, closers: Closers): Promise<Watched> {
  const metricsPort = await freePort()
  const env = { METRICS_PORT: String(metricsPort) }
  const product = await startProduct({ ephemeral: true, ownServers: true, closers, phase, env })
  const url = await phase('started Prometheus', () => openPrometheus(product, metricsPort, closers))
  const bus = await operatorBus(product.dataDir, product.servers.nats.url, closers)
  const traders = await phase('linked Paper bots', () => openTraders(product, bus, traderCount))
  const demo = await openDemoAccount(product.urls.web, product.dataDir)
  const stream = await openLiveStream(product.urls.web, demo.accessToken)
  const statuses = await phase('let alerts come', () => sendLoad(product, traders, demo, seconds))
  const answers = await phase('asked what dashboards ask', () => askAll(url))
  const alerts = await firingAlerts(url)
  const broken = await brokenRules(url)
  stream.stop()
  const empty = answers.filter(({ series }) => series === 0).map(({ asker }) => `${asker} finds nothing`)
  return { report: describe(statuses, answers, alerts), faults: [...empty, ...broken] }
}

async function openPrometheus(product: Product, metricsPort: number, closers: Closers): Promise<string> {
  const targets = serviceNames.map((name) => ({
    targets: [name === 'gateway' ? `127.0.0.1:${metricsPort}` : new URL(product.urls.services[name]).host],
    labels: { namespace: 'tripline', pod: `${name}-0` },
  }))
  const interval = `${scrapeEveryS}s`
  const { url, stop } = await startOwnPrometheus(product.dataDir, {
    global: { scrape_interval: interval, evaluation_interval: interval },
    rule_files: [await writeRules(product.dataDir, alertRules())],
    scrape_configs: [{ job_name: 'tripline', static_configs: targets }],
  })
  await closers.add(stop)
  return url
}

/** Alerts of every kind, evenly, beside somebody who looks at the web app; returns how often each status came. */
async function sendLoad(
  product: Product,
  traders: readonly Trader[],
  demo: DemoAccount,
  seconds: number,
): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>()
  const sending: Promise<void>[] = []
  const count = seconds * alertsPerSecond
  const startedAt = performance.now()
  for (let index = 0; index < count; index++) {
    const dueInMs = startedAt + (index * 1000) / alertsPerSecond - performance.now()
    if (dueInMs > 0) await new Promise((resolve) => setTimeout(resolve, dueInMs))
    const { webhookPath = '' } = traders[index % traders.length] ?? {}
    sending.push(sendOne(new URL(webhookPath, product.urls.web), index, statuses))
    if (index % alertsPerSecond === 0) sending.push(look(product, demo))
  }
  await Promise.all(sending)
  return statuses
}

async function sendOne(url: URL, index: number, statuses: Map<number, number>): Promise<void> {
  const body = `MyBot(BTCUSDT) { ${messages[index % messages.length]} }`
  const answer = await fetch(url, { method: 'POST', body })
  await answer.arrayBuffer()
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
}

async function look({ urls }: Product, { accessToken }: DemoAccount): Promise<void> {
  const headers = { authorization: `Bearer ${accessToken}` }
  for (const route of ['/api/keys', '/api/executions', '/api/notification-config', '/']) {
    await (await fetch(new URL(route, urls.web), { headers })).arrayBuffer()
  }
}

interface Answered {
  asker: string
  series: number
}

async function askAll(url: string): Promise<Answered[]> {
  const answers: Answered[] = []
  for (const query of dashboardQueries()) {
    answers.push({ asker: query.asker, series: await seriesOf(url, filledIn(query, rateInterval)) })
  }
  return answers
}

function describe(
  statuses: ReadonlyMap<number, number>,
  answers: readonly Answered[],
  alerts: readonly string[],
): string {
  const counts = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')
  const rows = answers.map(({ asker, series }) => [asker, String(series)])
  const firing = alerts.length === 0 ? 'no alert fires' : `firing: ${alerts.join(', ')}`
  return [`Alerts answered: ${counts}; ${firing}.`, '', textTable(['query', 'series'], rows)].join('\n')
}
