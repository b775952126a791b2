import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import { ensureStreams } from '@tripline/kit/bus/streams'
import type { BusUser } from '@tripline/proto/permission'
import { freePort } from './infra/free-port.ts'
import { startOwnNats } from './infra/nats.ts'
import { renderNatsConfig } from './infra/nats-config.ts'
import { recordedPid } from './infra/process-record.ts'
import { temporaryFolder } from './infra/temporary-folder.ts'
import { type Link, link } from './link.ts'
import { testLog } from './log.ts'
import type { TestNats } from './nats.ts'
import { type NetworkHost, openNetwork } from './network.ts'
import { type BusSeeds, newBusSeeds, publicBusKeys } from './stack/bus-seeds.ts'
import { waitFor } from './wait-for.ts'

const serverNames = ['one', 'two', 'three'] as const

// A write waits for a majority, and on a busy machine for the election of who leads.
const patienceMs = 30_000

/** One server of a cluster. */
export interface ClusterServer {
  name: string
  url: string
  /** The folder in which it stores streams. */
  store: string
  kill: () => void
  /** Ends it in order (SIGTERM) or not, and settles once it is gone. */
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
  /** Starts it again on its store. */
  start: () => Promise<void>
  /** Lets it stand still, or go on. */
  freeze: (isFrozen: boolean) => void
  /** Cuts it off from the other servers, and not from its clients, or joins it again. */
  cutOff: (isCutOff: boolean) => Promise<void> | void
  /** Cuts it off from everybody; undefined where it has no network of its own. */
  unplug?: NetworkHost['unplug'] | undefined
}

/** A bus of several servers. */
export interface TestCluster extends TestNats {
  /** The addresses of all servers, as one setting. */
  allUrls: string
  /** A connection to the first server, or to one of those that are given. */
  connect: (user: BusUser, url?: string) => Promise<Bus>
  servers: readonly ClusterServer[]
  /** The name of the server that leads a stream; the first one answers clients that know no other. */
  leaderOf: (stream: string) => Promise<string | undefined>
  /** Ends one of them, to which no client is connected. */
  loseServer: () => Promise<void>
}

/** The place in which the servers of a cluster run. */
interface ClusterOptions {
  syncsAlways?: boolean
  /** Has each on a host of its own, where the machine allows it; they are cut off by lost packets then. */
  onNetwork?: boolean
}

/** A bus of three servers with three copies of every stream and bucket, and the users of production. */
export async function natsCluster(
  seeds: BusSeeds = newBusSeeds(),
  { syncsAlways = false, onNetwork = false }: ClusterOptions = {},
): Promise<TestCluster> {
  const { folder, remove } = await temporaryFolder()
  const ports = await Promise.all(serverNames.map(async () => await freePort()))
  const network = onNetwork ? await openNetwork(serverNames.length) : undefined
  const links = network === undefined ? await linkAll(ports) : []
  const routesOf = (index: number): string[] =>
    network === undefined
      ? links.filter(({ from }) => from === index).map(({ way }) => way.url)
      : network.hosts.flatMap(({ address }, to) => (to === index ? [] : [`nats://${address}:${ports[to]}`]))
  const servers = await Promise.all(
    serverNames.map(async (name, index) => {
      const dataDir = path.join(folder, name)
      const configFile = path.join(folder, `${name}.conf`)
      const host = network?.hosts[index]
      const listen = `${host?.address ?? '127.0.0.1'}:${ports[index]}`
      const users = renderNatsConfig(publicBusKeys(seeds))
      await writeFile(configFile, users + renderCluster(name, listen, routesOf(index)))
      const server = await startOwnNats({ dataDir, configFile, syncsAlways, ...(host && { host }) })
      return { name, server, dataDir, host, record: path.join(dataDir, 'pids/nats.json') }
    }),
  )
  const url = servers[0]?.server.url ?? ''
  const open: Bus[] = []
  const connect = async (user: BusUser, to = url): Promise<Bus> => {
    const bus = await connectBus({ url: to, user, seed: seeds[user], log: testLog(user), patienceMs })
    open.push(bus)
    return bus
  }
  const ops = await connect('ops')
  // Nobody answers before the servers have chosen who leads, and nothing can be made before all have been found.
  await waitFor(async () => await ops.connection.request('$JS.API.INFO', '', { timeout: 1000 }))
  await waitFor(async () => await ensureStreams(ops, { replicas: 3 }).then(() => true))
  const stop = async (): Promise<void> => {
    await Promise.all(open.map(async (bus) => await bus.close()))
    await Promise.all(servers.map(async ({ server }) => await server.stop()))
    await Promise.all(links.map(async ({ way }) => await way.stop()))
    await network?.stop()
    await remove()
  }
  return {
    url,
    allUrls: servers.map(({ server }) => server.url).join(),
    seed: (user) => seeds[user],
    connect,
    stop,
    servers: servers.map(({ name, server, dataDir, host, record }, index) => {
      const signal = (name: NodeJS.Signals): void => {
        const pid = recordedPid(record)
        if (pid !== undefined) process.kill(pid, name)
      }
      return {
        name,
        url: server.url,
        store: path.join(dataDir, 'nats'),
        kill: () => signal('SIGKILL'),
        end: async (name) => {
          signal(name)
          await server.stop()
        },
        start: server.start,
        freeze: (isFrozen) => signal(isFrozen ? 'SIGSTOP' : 'SIGCONT'),
        cutOff: async (isCutOff) => {
          for (const other of network?.hosts ?? []) if (host !== undefined) await part(host, other, isCutOff)
          for (const { from, to, way } of links) {
            if (from !== index && to !== index) continue
            if (isCutOff) way.cut()
            else way.mend()
          }
        },
        unplug: host?.unplug,
      }
    }),
    leaderOf: async (stream) => (await ops.manager.streams.info(stream)).cluster?.leader,
    loseServer: async () => await servers.at(-1)?.server.stop(),
  }
}

/** A link from each server to each other one. */
async function linkAll(ports: readonly number[]): Promise<{ from: number; to: number; way: Link }[]> {
  const pairs = ports.flatMap((_, from) =>
    ports.flatMap((port, to) => (from === to ? [] : [{ from, to, port }])),
  )
  return await Promise.all(
    pairs.map(async ({ from, to, port }) => ({ from, to, way: await link(`nats://127.0.0.1:${port}`) })),
  )
}

async function part(host: NetworkHost, other: NetworkHost, isParted: boolean): Promise<void> {
  if (host === other) return
  await host.losePackets(other, isParted)
  await other.losePackets(host, isParted)
}

/** Servers get no way to each other but the given ones: what they advertise leads nowhere. */
function renderCluster(name: string, address: string, routes: readonly string[]): string {
  const urls = routes.map((route) => JSON.stringify(route)).join(', ')
  const listen = `listen: ${JSON.stringify(address)}, cluster_advertise: "127.0.0.1:1"`
  return `server_name: ${name}\ncluster { name: test, ${listen}, routes: [${urls}] }\n`
}
