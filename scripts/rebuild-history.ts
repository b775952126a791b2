import { closers as newClosers } from './closers.ts'
import { lockDataFolder } from './data-lock.ts'
import { startNats } from './infra/nats.ts'
import { startPostgres } from './infra/postgres.ts'
import { runCommand } from './infra/run-command.ts'
import { localKeys } from './local-keys.ts'
import { dataFolder, rootDir } from './paths.ts'
import { phase } from './progress.mjs'
import { setup, writeNatsConfig } from './setup.ts'
import { onStopRequest } from './stop-request.ts'

const closers = newClosers()

onStopRequest(async () => {
  await closers.close()
  process.exit(1)
})

try {
  await phase('made history anew from the event stream', rebuild)
  await closers.close()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  await closers.close()
  process.exit(1)
}

/** Runs history's own command on the servers that are given, or on those of a data folder that nobody uses now. */
async function rebuild(): Promise<void> {
  const dataDir = dataFolder()
  const isGiven = Boolean(process.env['DATABASE_URL'] && process.env['NATS_URL'])
  if (!isGiven) {
    const release = await lockDataFolder(dataDir)
    await closers.add(async () => release())
  }
  // Only these: the others of this folder may belong to a product that runs on the servers that are given.
  const postgres = await startPostgres({ dataDir })
  await closers.add(postgres.stop)
  const nats = await startNats({ dataDir, configFile: writeNatsConfig(dataDir) })
  await closers.add(nats.stop)
  const urls = await setup({ dataDir, databaseUrl: postgres.url, natsUrl: nats.url, replicas: 1 })
  const env = {
    ...process.env,
    DATABASE_URL: urls.history,
    NATS_URL: nats.url,
    NATS_NKEY_SEED_FILE: localKeys(dataDir).busSeedFile('history'),
  }
  await runCommand(process.execPath, ['services/history/src/main.ts', 'rebuild'], { cwd: rootDir, env })
}
