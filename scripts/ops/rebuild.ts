import { closers as newClosers } from '../closers.ts'
import { lockDataFolder } from '../data-lock.ts'
import { startNats } from '../infra/nats.ts'
import { startPostgres } from '../infra/postgres.ts'
import { runCommand } from '../infra/run-command.ts'
import { localKeys } from '../local-keys.ts'
import { dataFolder, rootDir } from '../paths.ts'
import { setup, writeNatsConfig } from '../setup.ts'
import { onStopRequest } from '../stop-request.ts'

/**
 * Makes history anew from the event stream, on the servers that are given, or on those of a data folder that nobody uses
 * now. Refuses where the stream does not hold what history tells, unless it is forced.
 */
export async function rebuild(projection: string | undefined, isForced: boolean): Promise<void> {
  if (projection !== 'history')
    throw new Error('Name the projection to be made anew: history is the only one')
  const closers = newClosers()
  onStopRequest(async () => {
    await closers.close()
    process.exit(1)
  })
  try {
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
    const act = ['services/history/src/main.ts', 'rebuild', ...(isForced ? ['--force'] : [])]
    await runCommand(process.execPath, act, { cwd: rootDir, env })
  } finally {
    await closers.close()
  }
}
