import { setTimeout as sleep } from 'node:timers/promises'
import { WebhookAnswer } from '@tripline/proto/http/webhook'
import { partitionOf } from '@tripline/proto/subject'
import type { Closers } from '@tripline/testkit/closers'
import { phase } from '@tripline/testkit/progress'
import { secondExecutor } from '@tripline/testkit/second-executor'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import type { ServiceProcess } from '@tripline/testkit/stack/service-process'
import { waitUntil } from '@tripline/testkit/wait-until'
import { steady } from '../alert-to-order/loads.ts'
import { readJournal, takeJournal } from '../alert-to-order/paper.ts'
import { alternatingOrders, openShooter, productSender } from '../alert-to-order/rows.ts'
import { openTraders, type Trader } from '../alert-to-order/traders.ts'
import { microsecondsBetween, nowNs } from '../alert-to-order/wall-clock.ts'
import { operatorBus } from '../operator-bus.ts'
import { percentile } from '../statistics.ts'
import { textTable } from '../table.ts'
import { type Leases, watchLeases } from './leases.ts'

const plans = { full: { users: 240, rounds: 5 }, quick: { users: 160, rounds: 1 } }

/** Load is on for so long before an executor is drained, and what is sent in all. */
const loadBeforeMs = 2000
const busy = { perSecond: 20, count: 160 }

/** One partition that a drained executor handed over; in ms. */
interface HandOver {
  /** From asking the executor to end until the lease was released. */
  settled: number
  /** From then until another one held it. */
  owned: number
  /** From then until the order of an alert that came at that moment was at the exchange. */
  traded: number
}

interface Stage {
  product: Product
  second: ServiceProcess
  leases: Leases
  /** A user in each partition that has one, who trades only where it is handed over. */
  probes: ReadonlyMap<number, Trader>
  /** Sends a user's alert; returns the beginning of its order's id. */
  probe: (trader: Trader) => Promise<string>
  /** Alerts of the others, for some seconds. */
  load: () => Promise<unknown>
}

/** Measures how long a partition of a drained executor has no owner: until it is owned, and until it trades again. */
export async function handOver(pace: keyof typeof plans, closers: Closers): Promise<string> {
  const { users, rounds } = plans[pace]
  const stage = await phase('set the stage', () => setStage(users, closers))
  const measured = { idle: [] as HandOver[], [`${busy.perSecond} alerts/s`]: [] as HandOver[] }
  for (let round = 0; round < rounds; round++)
    for (const [name, handOvers] of Object.entries(measured))
      await phase(`drained, ${name}`, async () =>
        handOvers.push(...(await drainOnce(stage, name === 'idle' ? undefined : stage.load))),
      )
  return `\n${report(measured)}\n`
}

async function setStage(users: number, closers: Closers): Promise<Stage> {
  const product = await startProduct({ ephemeral: true, ownServers: true, closers })
  const bus = await operatorBus(product.dataDir, product.servers.nats.url, closers)
  const leases = await watchLeases(bus, closers)
  const traders = await openTraders(product, bus, users)
  const probes = new Map(traders.map((trader) => [partitionOf(trader.userId), trader]))
  const others = traders.filter((trader) => probes.get(partitionOf(trader.userId)) !== trader)
  const sendOther = productSender(product.urls.intake, alternatingOrders(others), closers)
  const second = await secondExecutor(product)
  await closers.add(second.stop)
  const shoot = openShooter(product.urls.intake, closers)
  const sides = new Map<Trader, number>()
  const probe = async (trader: Trader): Promise<string> => {
    const round = sides.get(trader) ?? 0
    sides.set(trader, round + 1)
    const body = `MyBot(BTCUSDT) { market(${round % 2 === 0 ? 'buy' : 'sell'}, 0.01) }`
    const { answer } = await shoot({ path: `${trader.webhookPath}?wait=0`, body })
    return `t${WebhookAnswer.pick({ alert_id: true }).parse(answer).alert_id}`
  }
  const load = async (): Promise<unknown> => await steady(busy.perSecond, busy.count).run(sendOther)
  for (const trader of traders) await probe(trader)
  return { product, second, leases, probes, probe, load }
}

/** Lets the second executor take its half, then drains it. */
async function drainOnce(stage: Stage, load: (() => Promise<unknown>) | undefined): Promise<HandOver[]> {
  const { product, second, leases, probes, probe } = stage
  await second.start()
  await leases.shared(2)
  await takeJournal(product.urls.paper)
  const loading = load?.()
  if (load !== undefined) await sleep(loadBeforeMs)
  const asked = new Map<number, Promise<string>>()
  const drainedNs = nowNs()
  const passings = await leases.passings(second.stop, (partition) => {
    const trader = probes.get(partition)
    if (trader !== undefined) asked.set(partition, probe(trader))
  })
  await loading
  const arrivals = await arrivalsOf(product.urls.paper, await Promise.all(asked.values()))
  return await Promise.all(
    passings.flatMap(({ partition, releasedNs, ownedNs }) => {
      const key = asked.get(partition)
      if (key === undefined) return []
      return [
        key.then((orderKey) => ({
          settled: msBetween(drainedNs, releasedNs),
          owned: msBetween(releasedNs, ownedNs),
          traded: msBetween(releasedNs, arrivals.get(orderKey) ?? releasedNs),
        })),
      ]
    }),
  )
}

/** When the order of each alert arrived, once all have. */
async function arrivalsOf(paperUrl: string, keys: readonly string[]): Promise<Map<string, bigint>> {
  const read = async (): Promise<Map<string, bigint>> => {
    const entries = (await readJournal(paperUrl)).filter(({ outcome }) => outcome === 'accepted')
    return new Map(
      entries.map(({ clientOrderId, receivedNs }) => [clientOrderId?.slice(0, 27) ?? '', receivedNs]),
    )
  }
  const haveArrived = async (): Promise<boolean> => {
    const arrived = await read()
    return keys.every((key) => arrived.has(key))
  }
  await waitUntil(haveArrived, { deadlineMs: 60_000, awaited: 'the orders of all alerts' })
  return await read()
}

function msBetween(from: bigint, to: bigint): number {
  return microsecondsBetween(from, to) / 1000
}

function report(measured: Record<string, readonly HandOver[]>): string {
  const line = (name: string, values: readonly number[]): string[] => [
    name,
    ...[0.5, 0.9, 1].map((share) => percentile(values, share).toFixed(1)),
    `${values.length}`,
  ]
  const lines = Object.entries(measured).flatMap(([name, handOvers]) => [
    line(
      `${name}: asked to released`,
      handOvers.map(({ settled }) => settled),
    ),
    line(
      `${name}: released to owned`,
      handOvers.map(({ owned }) => owned),
    ),
    line(
      `${name}: released to the next order at the exchange`,
      handOvers.map(({ traded }) => traded),
    ),
  ])
  return textTable(['a partition of a drained executor, ms', 'p50', 'p90', 'most', 'partitions'], lines)
}
