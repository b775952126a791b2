import { setTimeout as sleep } from 'node:timers/promises'
import type { Closers } from '@tripline/testkit/closers'
import { paperControl } from '@tripline/testkit/paper-control'
import { phase } from '@tripline/testkit/progress'
import { startProduct } from '@tripline/testkit/stack/product'
import { waitUntil } from '@tripline/testkit/wait-until'
import { Pool } from 'undici'
import { alternatingOrders } from '../alert-to-order/rows.ts'
import { openTraders } from '../alert-to-order/traders.ts'
import { operatorBus } from '../operator-bus.ts'
import { percentile } from '../statistics.ts'
import { textTable } from '../table.ts'
import { giveWay } from './other-machines.ts'
import { between, boundOf, countBeyond, countOf, type Histogram, readStages } from './stage-times.ts'

/** A load at which alerts are offered, whether or not the last ones are answered. */
interface Plan {
  /** Alerts a second, one load after the other. */
  loads: readonly number[]
  secondsEach: number
  /** So many that none sends half of the 60 alerts a minute that a webhook may take: nearer to it, each waits for Redis. */
  traders: number
}

const plans = {
  full: { loads: [200, 400, 800], secondsEach: 15, traders: 1200 },
  quick: { loads: [100, 800], secondsEach: 3, traders: 120 },
} as const satisfies Record<string, Plan>

const lateMs = 1000
const betweenMs = 3000
/** Stands for a connection that was refused or ended. */
const noAnswer = 999

/** One load, and what became of its alerts. */
interface Measured {
  perSecond: number
  answers: readonly Answer[]
  stages: ReadonlyMap<string, Histogram>
}

interface Answer {
  status: number
  isRetryNamed: boolean
  /** From the sending, in ms. */
  tookMs: number
}

/** Offers alerts at growing loads, beyond what the machine can do; returns a table of what is executed, refused and late. */
export async function overload(pace: keyof typeof plans, closers: Closers): Promise<string> {
  const { loads, secondsEach, traders: count } = plans[pace]
  // All senders share one address.
  const env = { CONNECTIONS_PER_ADDRESS: '5000' }
  const product = await startProduct({ ephemeral: true, ownServers: true, env, closers, phase })
  giveWay(product.dataDir)
  const bus = await operatorBus(product.dataDir, product.servers.nats.url, closers)
  const traders = await phase('linked Paper bots', async () => {
    const opened = await openTraders(product, bus, count)
    // Answers with mean prices need no look-up: the exchange on the same machine is asked for no more than its orders.
    const { setTerms } = paperControl(product.urls.paper)
    for (const { apiKeys } of opened)
      for (const apiKey of apiKeys) await setTerms(apiKey, { meanPrices: true })
    return opened
  })
  const pool = new Pool(product.urls.intake, {
    connections: null,
    keepAliveTimeout: 60_000,
    connectTimeout: 60_000,
  })
  await closers.add(async () => await pool.destroy())
  const orders = alternatingOrders(traders)
  const isDone = async (): Promise<boolean> => (await bus.manager.streams.info('ALERTS')).state.messages === 0
  const measure = async (perSecond: number): Promise<Measured> => {
    const before = await readStages(product.urls.services.executor)
    const answers = await offer(() => send(pool, orders()), perSecond, secondsEach)
    await waitUntil(isDone, { deadlineMs: 120_000, intervalMs: 100, awaited: 'the end of all alerts' })
    await sleep(betweenMs)
    const after = await readStages(product.urls.services.executor)
    const stages = new Map([...after].map(([name, stage]) => [name, between(before.get(name), stage)]))
    return { perSecond, answers, stages }
  }
  await phase('warmed up', () => measure(loads[0]))
  const measured: Measured[] = []
  await phase('measured', async () => {
    for (const perSecond of loads) measured.push(await measure(perSecond))
  })
  return report(measured, secondsEach)
}

/** Offers so many alerts a second, evenly, whether or not the earlier ones are answered. */
async function offer(sendOne: () => Promise<Answer>, perSecond: number, seconds: number): Promise<Answer[]> {
  const startedAt = performance.now()
  const answers: Promise<Answer>[] = []
  while (answers.length < perSecond * seconds) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond) + 1
    while (answers.length < Math.min(due, perSecond * seconds)) answers.push(sendOne())
    await sleep(1)
  }
  return await Promise.all(answers)
}

async function send(pool: Pool, { path, body }: { path: string; body: string }): Promise<Answer> {
  const sentAt = performance.now()
  const answer = await pool
    .request({ method: 'POST', path, body })
    .then(async ({ statusCode: status, headers, body: rest }) => {
      await rest.dump()
      return { status, isRetryNamed: 'retry-after' in headers }
    })
    .catch(() => ({ status: noAnswer, isRetryNamed: false }))
  return { ...answer, tookMs: performance.now() - sentAt }
}

const noOrders: Histogram = new Map()

function report(measured: readonly Measured[], seconds: number): string {
  const header = [
    ...['offered', 'executed/s', 'refused', 'to wire, p50', 'p99', `> ${lateMs} ms`, 'answers, p50', 'p99'],
  ]
  const stageHeader = ['p99 of stages', 'store', 'pick_up', 'resolve', 'send', 'acknowledge']
  const stageRows = measured.map(({ perSecond, stages }) => [
    `${perSecond}/s`,
    ...stageHeader.slice(1).map((stage) => boundOf(stages.get(stage) ?? noOrders, 0.99).toString()),
  ])
  return [
    `Alerts that are offered for ${seconds} s, and their orders, from the receipt; upper bounds in ms.`,
    textTable(
      header,
      measured.map((load) => rowOf(load, seconds)),
    ),
    textTable(stageHeader, stageRows),
  ].join('\n\n')
}

function rowOf({ perSecond, answers, stages }: Measured, seconds: number): string[] {
  const refused = answers.filter(({ status }) => status >= 300)
  const kinds = [
    ...new Set(refused.map(({ status, isRetryNamed }) => (isRetryNamed ? status : `${status}!`))),
  ]
  const toWire = stages.get('to_wire') ?? noOrders
  const answered = answers.map(({ tookMs }) => tookMs)
  return [
    `${perSecond}/s`,
    (countOf(toWire) / seconds).toFixed(0),
    refused.length === 0 ? '0' : `${refused.length} (${kinds.join(', ')})`,
    ...[0.5, 0.99].map((share) => boundOf(toWire, share).toString()),
    countBeyond(toWire, lateMs).toString(),
    ...[0.5, 0.99].map((share) => percentile(answered, share).toFixed(0)),
  ]
}
