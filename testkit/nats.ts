import { cp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import { ensureStreams } from '@tripline/kit/bus/streams'
import type { BusUser } from '@tripline/proto/permission'
import { startOwnNats } from './infra/nats.ts'
import { renderNatsConfig } from './infra/nats-config.ts'
import { recordedPid } from './infra/process-record.ts'
import type { Server } from './infra/server.ts'
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

/** A copy of what a server stored. */
export interface SavedStore {
  folder: string
}

/** A bus whose server can be put back to what it stored earlier, as a disk does that loses what was written last. */
export interface ForgetfulNats extends TestNats {
  /** Copies the files as they are at this moment. */
  save(): Promise<SavedStore>
  /** Ends the server at once, puts the files of these streams back (all files without any), and starts it again. */
  putBack(saved: SavedStore, streams?: readonly string[]): Promise<void>
  /** Ends the server at once; it starts again with what it stored. */
  kill(): Promise<void>
}

/** A bus on a new server that can be made to forget. */
export async function forgetfulNats(): Promise<ForgetfulNats> {
  const { folder: dataDir, server, ...own } = await ownServer()
  const bus = await busOn({ ...own, url: server.url })
  const stored = path.join(dataDir, 'nats')
  const streamsIn = (folder: string): string => path.join(folder, 'jetstream/$G/streams')
  const signal = (name: NodeJS.Signals): void =>
    void process.kill(recordedPid(path.join(dataDir, 'pids/nats.json')) ?? 0, name)
  let copies = 0
  const killAnd = async (act: () => Promise<void>): Promise<void> => {
    signal('SIGKILL')
    await server.stop()
    await act()
    await server.start()
  }
  return {
    ...bus,
    save: async () => {
      const folder = path.join(dataDir, `saved-${copies++}`)
      signal('SIGSTOP')
      await cp(stored, folder, { recursive: true }).finally(() => signal('SIGCONT'))
      return { folder }
    },
    putBack: async ({ folder }, streams) =>
      await killAnd(async () => {
        const pairs =
          streams === undefined
            ? [[folder, stored] as const]
            : streams.map(
                (name) => [path.join(streamsIn(folder), name), path.join(streamsIn(stored), name)] as const,
              )
        for (const [from, to] of pairs) {
          await rm(to, { recursive: true, force: true })
          await cp(from, to, { recursive: true })
        }
      }),
    kill: async () => await killAnd(async () => undefined),
  }
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

async function ownServer(): Promise<Required<SeededServer> & { folder: string; server: Server }> {
  const { folder, remove } = await temporaryFolder()
  const seeds = newBusSeeds()
  const configFile = path.join(folder, 'nats.conf')
  await writeFile(configFile, renderNatsConfig(publicBusKeys(seeds)))
  const server = await startOwnNats({ dataDir: folder, configFile })
  const stop = async () => {
    await server.stop()
    await remove()
  }
  return { url: server.url, seeds, stop, folder, server }
}
