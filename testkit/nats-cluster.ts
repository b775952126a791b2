import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Bus, connectBus } from '@tripline/kit/bus'
import { ensureStreams } from '@tripline/kit/streams'
import type { BusUser } from '@tripline/proto/permission'
import { newBusSeeds, publicBusKeys } from '@tripline/scripts/bus-seeds'
import { freePort } from '@tripline/scripts/infra/free-port'
import { startOwnNats } from '@tripline/scripts/infra/nats'
import { renderNatsConfig } from '@tripline/scripts/infra/nats-config'
import { temporaryFolder } from '@tripline/scripts/infra/temporary-folder'
import { testLog } from './log.ts'
import type { TestNats } from './nats.ts'
import { waitFor } from './wait-for.ts'

const serverNames = ['one', 'two', 'three'] as const

// A write waits for a majority, and on a busy machine for the election of who leads.
const patienceMs = 30_000

/** A bus of several servers. */
export interface TestCluster extends TestNats {
  /** Ends one of them, to which no client is connected. */
  loseServer: () => Promise<void>
}

/** A bus of three servers with three copies of every stream and bucket, and the users of production. */
export async function natsCluster(): Promise<TestCluster> {
  const { folder, remove } = await temporaryFolder()
  const seeds = newBusSeeds()
  const routes = await Promise.all(serverNames.map(async () => `127.0.0.1:${await freePort()}`))
  const servers = await Promise.all(
    serverNames.map(async (name, index) => {
      const dataDir = path.join(folder, name)
      const configFile = path.join(folder, `${name}.conf`)
      const users = renderNatsConfig(publicBusKeys(seeds))
      await writeFile(configFile, users + renderCluster(name, routes[index] ?? '', routes))
      return await startOwnNats({ dataDir, configFile })
    }),
  )
  const url = servers[0]?.url ?? ''
  const open: Bus[] = []
  const connect = async (user: BusUser): Promise<Bus> => {
    const bus = await connectBus({ url, user, seed: seeds[user], log: testLog(user), patienceMs })
    open.push(bus)
    return bus
  }
  const ops = await connect('ops')
  // Nobody answers before the servers have chosen who leads, and nothing can be made before all have been found.
  await waitFor(async () => await ops.connection.request('$JS.API.INFO', '', { timeout: 1000 }))
  await waitFor(async () => await ensureStreams(ops, { replicas: 3 }).then(() => true))
  const stop = async (): Promise<void> => {
    await Promise.all(open.map(async (bus) => await bus.close()))
    await Promise.all(servers.map(async (server) => await server.stop()))
    await remove()
  }
  const loseServer = async (): Promise<void> => await servers.at(-1)?.stop()
  return { url, seed: (user) => seeds[user], connect, stop, loseServer }
}

function renderCluster(name: string, listen: string, routes: readonly string[]): string {
  const urls = routes.map((route) => `"nats://${route}"`).join(', ')
  return `server_name: ${name}\ncluster { name: test, listen: "${listen}", routes: [${urls}] }\n`
}
