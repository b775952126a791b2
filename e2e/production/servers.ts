import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Closers } from '@tripline/testkit/closers'
import { startChildServer, waitUntilReady } from '@tripline/testkit/infra/child-server'
import { freePort } from '@tripline/testkit/infra/free-port'
import { freshDatabase } from '@tripline/testkit/infra/fresh-database'
import { type Mailbox, startMailbox } from '@tripline/testkit/infra/mailbox'
import { natsProgram } from '@tripline/testkit/infra/nats'
import { startPostgres } from '@tripline/testkit/infra/postgres'
import { startRedis } from '@tripline/testkit/infra/redis'
import { runCommand } from '@tripline/testkit/infra/run-command'
import { rootDir } from '@tripline/testkit/paths'
import { waitUntil } from '@tripline/testkit/wait-until'
import { z } from 'zod'
import type { Release } from './release.ts'

/** The servers under the services, and the folder with each one's secrets. */
export interface Servers {
  bus: BusServer
  mailbox: Mailbox
  secretsDir: string
}

/** The server of the bus. */
interface BusServer {
  url: string
  /** Has it read another list of what each process may say. */
  permit: (users: string) => Promise<void>
}

/** Starts the servers as a cluster has them, one of each, with secrets made for them. */
export async function startServers(
  dataDir: string,
  busFiles: Release['busFiles'],
  closers: Closers,
): Promise<Servers> {
  const postgres = await startPostgres({ dataDir, ephemeral: true })
  await closers.add(postgres.stop)
  const database = await freshDatabase(postgres.url)
  await closers.add(database.drop)
  const redis = await startRedis({ dataDir })
  await closers.add(redis.stop)
  const mailbox = await startMailbox({ dataDir })
  await closers.add(mailbox.stop)
  const secretsDir = path.join(dataDir, 'secrets')
  const urls = ['--database-url', database.url, '--redis-url', redis.url, '--smtp-url', mailbox.url]
  await runCommand(process.execPath, [path.join(rootDir, 'scripts/secrets.ts'), secretsDir, ...urls])
  return { bus: await startBus(dataDir, secretsDir, busFiles, closers), mailbox, secretsDir }
}

/** The bus with the configuration of a cluster that has one server of it. */
async function startBus(
  dataDir: string,
  secretsDir: string,
  busFiles: Release['busFiles'],
  closers: Closers,
): Promise<BusServer> {
  const folder = path.join(dataDir, 'nats-config')
  await mkdir(folder)
  const storeDir = path.join(dataDir, 'nats')
  for (const [name, text] of Object.entries(busFiles))
    await writeFile(path.join(folder, name), text.replace('"/data"', JSON.stringify(storeDir)))
  const [port, monitor] = [await freePort(), await freePort()]
  const pidFile = path.join(dataDir, 'nats.pid')
  const places = ['-a', '127.0.0.1', '-p', `${port}`, '-m', `${monitor}`, '-P', pidFile]
  const server = await startChildServer({
    name: 'nats',
    dataDir,
    command: await natsProgram(),
    args: ['-c', path.join(folder, 'nats.conf'), ...places],
    env: { POD_NAME: 'nats-0', ...(await publicKeys(secretsDir)) },
  })
  await closers.add(server.stop)
  const page = `http://127.0.0.1:${monitor}`
  await waitUntilReady(server, async () => (await fetch(`${page}/healthz`)).ok)
  return {
    url: `nats://127.0.0.1:${port}`,
    permit: async (users) => {
      const before = await configuredAt(page)
      await writeFile(path.join(folder, 'users.conf'), users)
      process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGHUP')
      const isRead = async (): Promise<boolean> => (await configuredAt(page)) !== before
      await waitUntil(isRead, {
        deadlineMs: 30_000,
        awaited: 'the server of the bus to read its configuration',
      })
    },
  }
}

const Variables = z.object({ config_load_time: z.string() })

async function configuredAt(page: string): Promise<string> {
  return Variables.parse(await (await fetch(`${page}/varz`)).json()).config_load_time
}

async function publicKeys(secretsDir: string): Promise<Record<string, string>> {
  const text = await readFile(path.join(secretsDir, 'nats/users.env'), 'utf8')
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2)),
  )
}
