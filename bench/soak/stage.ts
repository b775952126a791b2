import type { Bus } from '@tripline/kit/bus/bus'
import type { Closers } from '@tripline/testkit/closers'
import { startOwnNats } from '@tripline/testkit/infra/nats'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { type Link, link } from '@tripline/testkit/link'
import { phase } from '@tripline/testkit/progress'
import { secondExecutor, secondExecutorName } from '@tripline/testkit/second-executor'
import { type Product, startProduct } from '@tripline/testkit/stack/product'
import { serviceNames } from '@tripline/testkit/stack/services'
import { writeNatsConfig } from '@tripline/testkit/stack/setup'
import { openTraders, type Trader } from '../alert-to-order/traders.ts'
import { operatorBus } from '../operator-bus.ts'
import { newDoctor, type Vitals } from '../vitals/vitals.ts'

const users = 24
const botsEach = 5

/** The executor that nobody kills, beside the one that is. */
const steadyExecutor = secondExecutorName

/** A running product with everything that disturbs or watches it. */
export interface Stage {
  product: Product
  traders: readonly Trader[]
  /** The way of all services to the bus. */
  busLink: Link
  /** A connection that no cut of that way meets. */
  ops: Bus
  /** Returns the use of each service, the garbage collected. */
  examine: () => Promise<Map<string, Vitals>>
  /** Services that ended without a signal. */
  deaths: string[]
}

/** Starts the product with a second executor, on a bus that can be cut off. */
export async function setStage(closers: Closers): Promise<Stage> {
  const { folder: dataDir, remove } = await temporaryFolder()
  await closers.add(remove)
  const nats = await startOwnNats({ dataDir, configFile: writeNatsConfig(dataDir) })
  await closers.add(nats.stop)
  const busLink = await link(nats.url)
  await closers.add(busLink.stop)
  process.env['NATS_URL'] = busLink.url
  const doctor = await newDoctor(closers)
  const deaths: string[] = []
  const onDeath = (service: string, how: string): void => void deaths.push(`${service} ended with ${how}`)
  const product = await startProduct({ dataDir, ephemeral: true, closers, phase, env: doctor.env, onDeath })
  await startSteadyExecutor(product, closers, (how) => onDeath(steadyExecutor, how))
  const ops = await operatorBus(dataDir, nats.url, closers)
  const traders = await phase('linked Paper bots', () => openTraders(product, ops, users, botsEach))
  const names = [...serviceNames, steadyExecutor]
  const examine = async () => await doctor.examineAll(dataDir, names)
  return { product, traders, busLink, ops, examine, deaths }
}

async function startSteadyExecutor(
  product: Product,
  closers: Closers,
  onDeath: (how: string) => void,
): Promise<void> {
  const executor = await secondExecutor(product, onDeath)
  await closers.add(executor.stop)
  await executor.start()
}
