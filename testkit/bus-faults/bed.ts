import path from 'node:path'
import type { Bus } from '@tripline/kit/bus/bus'
import { ensureStreams } from '@tripline/kit/bus/streams'
import type { Closers } from '../closers.ts'
import { startOwnNats } from '../infra/nats.ts'
import { recordedPid } from '../infra/process-record.ts'
import { temporaryFolder } from '../infra/temporary-folder.ts'
import { type Link, link } from '../link.ts'
import { type ClusterServer, natsCluster } from '../nats-cluster.ts'
import { operatorBus } from '../people/crowd.ts'
import { secondExecutor } from '../second-executor.ts'
import { localKeys } from '../stack/local-keys.ts'
import { type Product, startProduct } from '../stack/product.ts'
import type { ServiceProcess } from '../stack/service-process.ts'
import { writeNatsConfig } from '../stack/setup.ts'

/** Buses by their number of servers. */
export const busKinds = ['one', 'three'] as const
export type BusKind = (typeof busKinds)[number]

/** One server of the bus, as a fault meets it. */
export type BusServer = Omit<ClusterServer, 'kill' | 'url'>

/** A running product on a bus whose servers, files and ways can be struck. */
export interface Bed {
  kind: BusKind
  product: Product
  /** The executor beside the product's own. */
  second: ServiceProcess
  servers: readonly BusServer[]
  ops: Bus
  /** Makes the streams and buckets that are missing, as an operator does by `npm run setup`. */
  setUp: () => Promise<void>
  /** The server that leads a stream. */
  leaderOf: (stream: string) => Promise<BusServer>
  /** Processes that ended by themselves. */
  deaths: string[]
}

/** The processes that a fault may kill: all but the exchange. */
export const ownServices = ['intake', 'executor', 'history'] as const

interface StruckBus {
  /** The address for the product, and for its second executor. */
  urls: readonly [string, string]
  opsUrl: string
  servers: readonly BusServer[]
}

/** Starts a product with two executors on a bus of one server or of three. */
export async function startBed(kind: BusKind, closers: Closers): Promise<Bed> {
  const { folder: dataDir, remove } = await temporaryFolder()
  await closers.add(remove)
  const bus = kind === 'one' ? await oneServer(dataDir, closers) : await threeServers(dataDir, closers)
  const [url, secondUrl] = bus.urls
  const deaths: string[] = []
  const replicas = bus.servers.length
  const product = await startProduct({
    dataDir,
    ephemeral: true,
    bus: { url, replicas },
    services: ['paper-exchange', ...ownServices],
    onDeath: (service, how) => deaths.push(`${service} ${how}`),
    closers,
  })
  const second = await secondExecutor(product, (how) => deaths.push(`executor-2 ${how}`), {
    NATS_URL: secondUrl,
  })
  await closers.add(second.stop)
  await second.start()
  const ops = await operatorBus({ ...product, servers: serversAt(product, bus.opsUrl) })
  await closers.add(ops.close)
  const setUp = async (): Promise<void> => await ensureStreams(ops, { replicas })
  const leaderOf = async (stream: string): Promise<BusServer> => {
    const name = (await ops.manager.streams.info(stream)).cluster?.leader
    const leader = bus.servers.find((server) => server.name === name) ?? bus.servers[0]
    if (leader === undefined) throw new Error('There is no server')
    return leader
  }
  return { kind, product, second, servers: bus.servers, ops, setUp, leaderOf, deaths }
}

function serversAt({ servers }: Product, url: string): Product['servers'] {
  return { ...servers, nats: { ...servers.nats, url } }
}

/** One server, to which the product and its second executor have a way each. */
async function oneServer(dataDir: string, closers: Closers): Promise<StruckBus> {
  const server = await startOwnNats({ dataDir, configFile: writeNatsConfig(dataDir), syncsAlways: true })
  await closers.add(server.stop)
  const ways = await Promise.all([link(server.url), link(server.url)])
  for (const way of ways) await closers.add(way.stop)
  const record = path.join(dataDir, 'pids/nats.json')
  return {
    urls: [ways[0].url, ways[1].url],
    opsUrl: server.url,
    servers: [
      {
        name: 'one',
        store: path.join(dataDir, 'nats'),
        end: async (name) => {
          signal(record, name)
          await server.stop()
        },
        start: server.start,
        freeze: (isFrozen) => signal(record, isFrozen ? 'SIGSTOP' : 'SIGCONT'),
        cutOff: (isCutOff) => {
          for (const way of ways) cut(way, isCutOff)
        },
      },
    ],
  }
}

function cut(way: Link, isCut: boolean): void {
  if (isCut) way.cut()
  else way.mend()
}

function signal(record: string, name: NodeJS.Signals): void {
  const pid = recordedPid(record)
  if (pid !== undefined) process.kill(pid, name)
}

async function threeServers(dataDir: string, closers: Closers): Promise<StruckBus> {
  const cluster = await natsCluster(localKeys(dataDir).busSeeds, { syncsAlways: true, onNetwork: true })
  await closers.add(cluster.stop)
  const { allUrls, servers } = cluster
  return { urls: [allUrls, allUrls], opsUrl: allUrls, servers }
}
