import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Bus, connectBus } from '@tripline/kit/bus'
import { ensureStreams } from '@tripline/kit/streams'
import type { BusUser } from '@tripline/proto/permission'
import { type BusSeeds, newBusSeeds, publicBusKeys } from '@tripline/scripts/bus-seeds'
import { refuseContents, removeContents } from '@tripline/scripts/empty-bus'
import { startOwnNats } from '@tripline/scripts/infra/nats'
import { renderNatsConfig } from '@tripline/scripts/infra/nats-config'
import { temporaryFolder } from '@tripline/scripts/infra/temporary-folder'
import { testLog } from './log.ts'

/** A bus with every stream and bucket, empty, and the users with the permissions they have in production. */
export interface TestNats {
  readonly url: string
  /** The secret of a user; undefined on a given server, which may have no users. */
  seed(user: BusUser): string | undefined
  /** A connection as that user, closed at the latest when the server stops. */
  connect(user: BusUser): Promise<Bus>
  stop(): Promise<void>
}

/** A bus of one's own: a new server, or the one of NATS_URL, which has to be empty and is left empty. */
export async function nats(): Promise<TestNats> {
  const given = process.env['NATS_URL']
  const server = given ? givenServer(given) : await ownServer()
  const open: Bus[] = []
  const connect = async (user: BusUser): Promise<Bus> => {
    const seed = server.seeds?.[user]
    const bus = await connectBus({ url: server.url, user, seed, log: testLog(user) })
    open.push(bus)
    return bus
  }
  const ops = await connect('ops')
  if (given) await refuseContents(ops)
  await ensureStreams(ops, { replicas: 1 })
  const stop = async () => {
    if (given) await removeContents(ops)
    await Promise.all(open.map((bus) => bus.close()))
    await server.stop()
  }
  return { url: server.url, seed: (user) => server.seeds?.[user], connect, stop }
}

interface SeededServer {
  url: string
  seeds?: BusSeeds
  stop(): Promise<void>
}

function givenServer(url: string): SeededServer {
  return { url, stop: async () => {} }
}

async function ownServer(): Promise<SeededServer> {
  const { folder, remove } = await temporaryFolder()
  const seeds = newBusSeeds()
  const configFile = path.join(folder, 'nats.conf')
  await writeFile(configFile, renderNatsConfig(publicBusKeys(seeds)))
  const server = await startOwnNats({ dataDir: folder, configFile })
  const stop = async () => {
    await server.stop()
    await remove()
  }
  return { url: server.url, seeds, stop }
}
