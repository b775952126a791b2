import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Closers } from '@tripline/scripts/closers'
import { startChildServer, waitUntilReady } from '@tripline/scripts/infra/child-server'
import { freePort } from '@tripline/scripts/infra/free-port'
import { freshDatabase } from '@tripline/scripts/infra/fresh-database'
import { type Mailbox, startMailbox } from '@tripline/scripts/infra/mailbox'
import { natsProgram } from '@tripline/scripts/infra/nats'
import { startPostgres } from '@tripline/scripts/infra/postgres'
import { startRedis } from '@tripline/scripts/infra/redis'
import { filesOf } from '@tripline/scripts/k8s/pod-environment'
import { renderOverlay } from '@tripline/scripts/k8s/render'
import { writeSecrets } from '@tripline/scripts/secrets'

/** What the services stand on, and the folder with each one's secrets. */
export interface Servers {
  natsUrl: string
  mailbox: Mailbox
  secretsDir: string
}

/** Starts the servers as a cluster has them, one of each, with secrets made for them. */
export async function startServers(dataDir: string, closers: Closers): Promise<Servers> {
  const postgres = await startPostgres({ dataDir, ephemeral: true })
  await closers.add(postgres.stop)
  const database = await freshDatabase(postgres.url)
  await closers.add(database.drop)
  const redis = await startRedis({ dataDir })
  await closers.add(redis.stop)
  const mailbox = await startMailbox({ dataDir })
  await closers.add(mailbox.stop)
  const secretsDir = path.join(dataDir, 'secrets')
  writeSecrets(secretsDir, { databaseUrl: database.url, redisUrl: redis.url, smtpUrl: mailbox.url })
  return { natsUrl: await startBus(dataDir, secretsDir, closers), mailbox, secretsDir }
}

/** The bus with the configuration of a cluster that has one server of it. */
async function startBus(dataDir: string, secretsDir: string, closers: Closers): Promise<string> {
  const folder = path.join(dataDir, 'nats-config')
  await mkdir(folder)
  const storeDir = path.join(dataDir, 'nats')
  for (const [name, text] of Object.entries(filesOf(await renderOverlay('small'), 'nats-config')))
    await writeFile(path.join(folder, name), text.replace('"/data"', JSON.stringify(storeDir)))
  const [port, monitor] = [await freePort(), await freePort()]
  const places = [
    '-a',
    '127.0.0.1',
    '-p',
    `${port}`,
    '-m',
    `${monitor}`,
    '-P',
    path.join(dataDir, 'nats.pid'),
  ]
  const server = await startChildServer({
    name: 'nats',
    dataDir,
    command: await natsProgram(),
    args: ['-c', path.join(folder, 'nats.conf'), ...places],
    env: { POD_NAME: 'nats-0', ...(await publicKeys(secretsDir)) },
  })
  await closers.add(server.stop)
  await waitUntilReady(server, async () => (await fetch(`http://127.0.0.1:${monitor}/healthz`)).ok)
  return `nats://127.0.0.1:${port}`
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
