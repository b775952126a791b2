import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import { ensureStreams } from '@tripline/kit/bus/streams'
import type { BusUser } from '@tripline/proto/permission'
import { startOwnNats } from './infra/nats.ts'
import { renderNatsConfig } from './infra/nats-config.ts'
import { temporaryFolder } from './infra/temporary-folder.ts'
import { testLog } from './log.ts'
import { type BusSeeds, newBusSeeds, publicBusKeys } from './stack/bus-seeds.ts'
import { refuseContents, removeContents } from './stack/empty-bus.ts'

/** A bus with every stream and bucket, empty, and the users with the permissions they have in production. */
export interface TestNats {
  readonly url: string
  /** The secret of a user; undefined on a given server, which may have no users. */
  seed(user: BusUser): string | undefined
  /** A connection as that user, closed at the latest when the server stops. */
  connect(user: BusUser): Promise<Bus>
  stop(): Promise<void>
}

// A machine that stalls for seconds must not turn an answer into a refusal.
const patienceMs = 20_000

// A given server can be only one bus at a time; who needs a second one beside it gets a server of its own.
let isGivenTaken = false

/** A bus of one's own: the server of NATS_URL, which has to be empty and is left empty, or a new server. */
export async function nats(): Promise<TestNats> {
  return await busOn((await takeGivenServer()) ?? (await ownServer()))
}

/** A bus on a new server, whatever is given: there everybody may do what they may in production, and no more. */
export async function guardedNats(): Promise<TestNats> {
  return await busOn(await ownServer())
}

async function busOn(server: SeededServer): Promise<TestNats> {
  const open: Bus[] = []
  const connect = async (user: BusUser): Promise<Bus> => {
    const seed = server.seeds?.[user]
    const bus = await connectBus({ url: server.url, user, seed, log: testLog(user), patienceMs })
    open.push(bus)
    return bus
  }
  const stop = async (): Promise<void> => {
    await Promise.all(open.map((bus) => bus.close()))
    await server.stop()
  }
  await ensureStreams(await connect('ops'), { replicas: 1 })
  return { url: server.url, seed: (user) => server.seeds?.[user], connect, stop }
}

interface SeededServer {
  url: string
  seeds?: BusSeeds
  stop(): Promise<void>
}

async function takeGivenServer(): Promise<SeededServer | undefined> {
  const url = process.env['NATS_URL']
  if (!url || isGivenTaken) return undefined
  isGivenTaken = true
  await withOps(url, refuseContents)
  const stop = async (): Promise<void> => {
    await withOps(url, removeContents)
    isGivenTaken = false
  }
  return { url, stop }
}

async function withOps(url: string, act: (ops: Bus) => Promise<void>): Promise<void> {
  const ops = await connectBus({ url, user: 'ops', log: testLog('ops') })
  await act(ops).finally(ops.close)
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
