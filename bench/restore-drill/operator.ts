import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from '@tripline/testkit/infra/find-program'
import { startOwnNats } from '@tripline/testkit/infra/nats'
import { startOwnPostgres } from '@tripline/testkit/infra/postgres'
import { runningPid } from '@tripline/testkit/infra/process-record'
import { runCommand } from '@tripline/testkit/infra/run-command'
import { rootDir } from '@tripline/testkit/paths'
import { localKeys } from '@tripline/testkit/stack/local-keys'
import type { Product } from '@tripline/testkit/stack/product'
import { serviceNames } from '@tripline/testkit/stack/services'
import { setup, writeNatsConfig } from '@tripline/testkit/stack/setup'

/** An operator's access to a product: its secrets' folder and the addresses of its servers. */
interface Servers {
  dataDir: string
  natsUrl: string
  databaseUrl: string
}

/** Backs a running product up as the operations page says: secrets, then the bus, then Postgres. */
export async function backUp({ dataDir, natsUrl, databaseUrl }: Servers, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await cp(path.join(dataDir, 'keys'), path.join(folder, 'keys'), { recursive: true })
  await ops({ dataDir, natsUrl }, 'back-up', path.join(folder, 'bus'))
  const file = path.join(folder, 'postgres.dump')
  await runCommand(postgresTool('pg_dump'), ['--format=custom', `--file=${file}`, databaseUrl])
}

/** Ends every process of a product without a word to any of them, and removes its folder. */
export async function destroy({ dataDir, kill }: Product): Promise<void> {
  await Promise.all(serviceNames.map(async (name) => await kill(name)))
  const records = path.join(dataDir, 'pids')
  for (const record of await readdir(records)) {
    const pid = await runningPid(path.join(records, record))
    if (pid === undefined) continue
    process.kill(pid, 'SIGKILL')
    while ((await runningPid(path.join(records, record))) !== undefined) await sleep(20)
  }
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

/** Brings a back-up into an empty data folder, on empty servers, as the operations page says; returns what it held. */
export async function restore(folder: string, dataDir: string): Promise<string> {
  await cp(path.join(folder, 'keys'), path.join(dataDir, 'keys'), { recursive: true })
  const postgres = await startOwnPostgres({ dataDir, ephemeral: true })
  const nats = await startOwnNats({ dataDir, configFile: writeNatsConfig(dataDir) })
  try {
    await setup({ dataDir, databaseUrl: postgres.url, natsUrl: nats.url })
    const dump = path.join(folder, 'postgres.dump')
    await runCommand(postgresTool('pg_restore'), ['--clean', '--if-exists', `--dbname=${postgres.url}`, dump])
    return await ops({ dataDir, natsUrl: nats.url }, 'restore', path.join(folder, 'bus'))
  } finally {
    await Promise.all([postgres.stop(), nats.stop()])
  }
}

/** Returns the output of `npm run ops` for an act on these servers. */
export async function ops(
  { dataDir, natsUrl }: Pick<Servers, 'dataDir' | 'natsUrl'>,
  ...act: string[]
): Promise<string> {
  const seed = localKeys(dataDir).busSeedFile('ops')
  const env = { ...process.env, NATS_URL: natsUrl, NATS_NKEY_SEED_FILE: seed }
  return (await runCommand(process.execPath, ['scripts/ops.ts', ...act], { cwd: rootDir, env })).trim()
}

function postgresTool(name: 'pg_dump' | 'pg_restore'): string {
  const [program] = findProgram(name)
  if (program !== undefined) return program
  throw new Error(`There is no ${name} here. On Debian or Ubuntu: apt-get install postgresql-client`)
}
