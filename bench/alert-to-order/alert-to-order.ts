import type { Closers } from '@tripline/testkit/closers'
import { phase } from '@tripline/testkit/progress'
import { startProduct } from '@tripline/testkit/stack/product'
import { operatorBus } from '../operator-bus.ts'
import { checkClocks } from './clock-check.ts'
import { bursts, type Load, steady } from './loads.ts'
import { measure } from './measure.ts'
import { report } from './report.ts'
import { openRows, type Row } from './rows.ts'
import { openTraders } from './traders.ts'

/** The size of a measurement. */
interface Plan {
  rounds: number
  loads: readonly Load[]
  warmUp: readonly Load[]
  /** So many that none sends half of the 60 alerts a minute that a webhook may take: nearer to it, each waits for Redis. */
  traders: number
}

/** The whole measurement, in about a minute; and a short one, to see whether something broke. */
const plans = {
  full: {
    rounds: 5,
    loads: [steady(20, 40), steady(200, 240), bursts(20, 8)],
    warmUp: [bursts(40, 15), steady(200, 100)],
    traders: 240,
  },
  quick: {
    rounds: 2,
    loads: [steady(20, 20), steady(200, 150), bursts(20, 4)],
    warmUp: [bursts(40, 8)],
    traders: 120,
  },
} as const satisfies Record<string, Plan>

/** Measures the product's way from an alert to the arrived order beside a lean peer; returns the tables. */
export async function alertToOrder(pace: keyof typeof plans, closers: Closers): Promise<string> {
  const plan: Plan = plans[pace]
  const product = await startProduct({ ephemeral: true, ownServers: true, closers, phase })
  const { paper } = product.urls
  const bus = await operatorBus(product.dataDir, product.servers.nats.url, closers)
  const traders = await phase('linked Paper bots', () => openTraders(product, bus, plan.traders))
  const rows = await openRows(product, traders, closers)
  await phase('warmed up', () => warmUp(rows, plan.warmUp))
  const clocks = await checkClocks(paper)
  const measured = await phase('measured', () => measure(paper, rows, plan.loads, plan.rounds))
  return `\n${report(measured, plan.rounds, clocks)}`
}

async function warmUp(rows: readonly Row[], loads: readonly Load[]): Promise<void> {
  for (const load of loads) for (const { send } of rows) await load.run(send)
}
