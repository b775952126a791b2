import { connectBus } from '@tripline/kit/bus/bus'
import { createLog } from '@tripline/kit/telemetry/log'
import type { Closers } from '../closers.ts'
import { freshDatabase } from '../infra/fresh-database.ts'
import { type Mailbox, startMailbox } from '../infra/mailbox.ts'
import { startNats, startOwnNats } from '../infra/nats.ts'
import { startOwnPostgres, startPostgres } from '../infra/postgres.ts'
import { startRedis } from '../infra/redis.ts'
import { type OnServerChange, type Server, type ServerChange, serverOf } from '../infra/server.ts'
import { refuseContents, removeContents } from './empty-bus.ts'
import { localKeys } from './local-keys.ts'
import { writeNatsConfig } from './setup.ts'

/** The servers that the product stands on. */
export interface Infrastructure {
  postgres: Server
  nats: Server
  redis: Server
  mailbox: Mailbox
}

/** Callback for what becomes of the servers, each under the name that people know. */
export type OnInfrastructureChange = (server: string, change: ServerChange) => void

interface InfrastructureOptions {
  dataDir: string
  /** For a test: everything is empty at the beginning and nothing is left at the end. */
  ephemeral: boolean
  /** Whether our own NATS server writes through to the disk. */
  syncsBus: boolean
  /** Servers that can be stopped, whatever addresses the environment gives. */
  ownServers: boolean
  /** The address of a bus of the caller's. */
  busUrl: string | undefined
  closers: Closers
  onChange: OnInfrastructureChange
}

/** Starts the servers, or finds those that are given. */
export async function startInfrastructure(options: InfrastructureOptions): Promise<Infrastructure> {
  const { dataDir, closers, ephemeral } = options
  const closedLater = async <Started extends Server>(starting: Promise<Started>): Promise<Started> => {
    const server = await starting
    await closers.add(server.stop)
    return server
  }
  const [postgres, nats, redis, mailbox] = await Promise.all([
    closedLater(postgresFor(options)),
    closedLater(natsFor(options)),
    closedLater(startRedis({ dataDir, onChange: changesOf('Redis', options) })),
    closedLater(startMailbox({ dataDir, onChange: changesOf('the mailbox', options) })),
  ])
  if (ephemeral && process.env['NATS_URL'] === nats.url) await keepEmpty(nats.url, options)
  return { postgres, nats, redis, mailbox }
}

function changesOf(server: string, { onChange }: InfrastructureOptions): OnServerChange {
  return (change) => onChange(server, change)
}

async function postgresFor(options: InfrastructureOptions): Promise<Server> {
  const { dataDir, ephemeral, ownServers, closers } = options
  const starting = { dataDir, ephemeral, onChange: changesOf('PostgreSQL', options) }
  if (ownServers) return startOwnPostgres(starting)
  const server = await startPostgres(starting)
  if (!ephemeral) return server
  await closers.add(server.stop)
  const { url, drop } = await freshDatabase(server.url)
  return { ...server, url, stop: drop }
}

async function natsFor(options: InfrastructureOptions): Promise<Server> {
  const { dataDir, ownServers, syncsBus: syncsAlways, busUrl } = options
  if (busUrl !== undefined) return serverOf(busUrl, 'of the caller')
  const about = { dataDir, configFile: writeNatsConfig(dataDir), syncsAlways }
  const starting = { ...about, onChange: changesOf('NATS', options) }
  return ownServers ? startOwnNats(starting) : startNats(starting)
}

async function keepEmpty(url: string, { dataDir, closers }: InfrastructureOptions): Promise<void> {
  const seed = localKeys(dataDir).busSeeds.ops
  const ops = await connectBus({ url, user: 'ops', seed, log: createLog('ops', 'warn') })
  await closers.add(() => ops.close())
  await refuseContents(ops)
  await closers.add(() => removeContents(ops))
}
