import type { Closers } from '@tripline/testkit/closers'
import { phase } from '@tripline/testkit/progress'
import { startProduct } from '@tripline/testkit/stack/product'
import { bursts, type Load, steady } from '../alert-to-order/loads.ts'
import { openRows } from '../alert-to-order/rows.ts'
import { openTraders } from '../alert-to-order/traders.ts'
import { operatorBus } from '../operator-bus.ts'
import { newDoctor } from '../vitals/vitals.ts'
import { measureLoads, warmUpBy } from './measure-loads.ts'
import { report } from './report.ts'
import { openAll, startAgain } from './warm-bots.ts'

/** The size of a measurement. */
interface Plan {
  users: number
  botsEach: number
  rounds: number
  /** So few alerts that no user sends half of the 60 a minute that a webhook may take: nearer to it, each waits for Redis. */
  loads: readonly Load[]
  warmUp: readonly Load[]
}

const plans = {
  full: {
    users: 200,
    botsEach: 5,
    rounds: 3,
    loads: [steady(20, 60), steady(50, 150), steady(200, 600), bursts(20, 6), bursts(200, 3)],
    warmUp: [bursts(20, 10), bursts(100, 4), bursts(200, 3), steady(200, 400)],
  },
  most: { users: 2000, botsEach: 5, rounds: 1, loads: [steady(20, 200)], warmUp: [steady(20, 60)] },
  quick: {
    users: 40,
    botsEach: 5,
    rounds: 1,
    loads: [steady(20, 10), steady(50, 25), steady(200, 100), bursts(20, 2), bursts(200, 1)],
    warmUp: [bursts(20, 5), bursts(200, 1)],
  },
} as const satisfies Record<string, Plan>

/** Measures one executor with as many bots as one may have to hold. */
export function mostBots(pace: 'full' | 'quick', closers: Closers): Promise<string> {
  return manyBots(pace === 'full' ? 'most' : pace, closers)
}

/** Measures one executor with very many bots: what a warm one costs, how soon all are, and the way of their alerts. */
export async function manyBots(pace: keyof typeof plans, closers: Closers): Promise<string> {
  const { users, botsEach, rounds, loads, warmUp }: Plan = plans[pace]
  const bots = users * botsEach
  const doctor = await newDoctor(closers, { watchesHeap: pace === 'most' })
  const product = await startProduct({ ephemeral: true, ownServers: true, closers, phase, env: doctor.env })
  const bus = await operatorBus(product.dataDir, product.servers.nats.url, closers)
  const examine = async () => await doctor.examine(product.dataDir, 'executor')
  const empty = await examine()
  const traders = await phase(`linked ${bots} Paper bots`, () =>
    openAll(product, bots, () => openTraders(product, bus, users, botsEach)),
  )
  const idle = await examine()
  const rows = (await openRows(product, traders, closers)).filter(({ name }) => name !== 'gateway')
  const way = { paperUrl: product.urls.paper, bus, rows }
  await phase('warmed up', () => warmUpBy(way, warmUp))
  const measured = await phase('measured', () => measureLoads({ ...way, loads, rounds }))
  const busy = await examine()
  const starts = await phase('started the executor again, three times', async () => [
    await startAgain(product, bots),
    await startAgain(product, bots),
    await startAgain(product, bots),
  ])
  return `\n${report({ users, bots, rounds, measured, starts, vitals: { empty, idle, busy } })}`
}
