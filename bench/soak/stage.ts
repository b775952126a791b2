import type { Bus } from '@tripline/kit/bus/bus'
import type { Closers } from '@tripline/testkit/closers'
import { startOwnNats } from '@tripline/testkit/infra/nats'
import { startOwnPostgres } from '@tripline/testkit/infra/postgres'
import { startRedis } from '@tripline/testkit/infra/redis'
import type { Server, ServerChange } from '@tripline/testkit/infra/server'
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
export const steadyExecutor = secondExecutorName

/** The servers under the product, by the names of their processes. */
export const serverNames = ['postgres', 'nats', 'redis'] as const
export type ServerName = (typeof serverNames)[number]

/** The end of a process by itself, by the monotonic clock. */
export interface Death {
  service: string
  how: string
  at: number
}

/** A running product with everything that disturbs or watches it. */
export interface Stage {
  product: Product
  traders: readonly Trader[]
  /** The ways of all services to the servers. */
  links: Readonly<Record<ServerName, Link>>
  /** A connection that no cut of that way meets. */
  ops: Bus
  /** Returns the use of each service, the garbage collected. */
  examine: () => Promise<Map<string, Vitals>>
  /** Services that ended without a signal. */
  deaths: Death[]
}

/** Starts the product with a second executor, on servers that can be killed and cut off. */
export async function setStage(closers: Closers): Promise<Stage> {
  const { folder: dataDir, remove } = await temporaryFolder()
  await closers.add(remove)
  const { links, natsUrl } = await startServers(dataDir, closers)
  process.env['DATABASE_URL'] = links.postgres.url
  process.env['NATS_URL'] = links.nats.url
  process.env['REDIS_URL'] = links.redis.url
  const doctor = await newDoctor(closers)
  const deaths: Death[] = []
  const onDeath = (service: string, how: string): void =>
    void deaths.push({ service, how, at: performance.now() })
  const product = await startProduct({ dataDir, ephemeral: true, closers, phase, env: doctor.env, onDeath })
  await startSteadyExecutor(product, closers, (how) => onDeath(steadyExecutor, how))
  const ops = await operatorBus(dataDir, natsUrl, closers)
  const traders = await phase('linked Paper bots', () => openTraders(product, ops, users, botsEach))
  const names = [...serviceNames, steadyExecutor]
  const examine = async () => await doctor.examineAll(dataDir, names)
  return { product, traders, links, ops, examine, deaths }
}

/** Starts servers that come back at their addresses when they are killed, and a way to each; and the way to NATS itself. */
async function startServers(
  dataDir: string,
  closers: Closers,
): Promise<{ links: Stage['links']; natsUrl: string }> {
  const onChange = ({ kind }: ServerChange): void => {
    if (kind === 'lost') throw new Error('A server that was killed does not start again')
  }
  const configFile = writeNatsConfig(dataDir)
  const [postgres, nats, redis] = await Promise.all([
    startOwnPostgres({ dataDir, onChange }),
    startOwnNats({ dataDir, configFile, syncsAlways: true, onChange }),
    startRedis({ dataDir, onChange }),
  ])
  for (const server of [postgres, nats, redis]) await closers.add(server.stop)
  const open = async ({ url }: Server): Promise<Link> => {
    const way = await link(url)
    await closers.add(way.stop)
    return way
  }
  const links = { postgres: await open(postgres), nats: await open(nats), redis: await open(redis) }
  return { links, natsUrl: nats.url }
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
