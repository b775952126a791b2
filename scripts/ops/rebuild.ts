import { loadConfig } from '@tripline/kit/config'
import { closers as newClosers } from '@tripline/testkit/closers'
import { startNats } from '@tripline/testkit/infra/nats'
import { startPostgres } from '@tripline/testkit/infra/postgres'
import { runCommand } from '@tripline/testkit/infra/run-command'
import { dataFolder, rootDir } from '@tripline/testkit/paths'
import { localKeys } from '@tripline/testkit/stack/local-keys'
import { setup, writeNatsConfig } from '@tripline/testkit/stack/setup'
import { z } from 'zod'
import { lockDataFolder } from '../data-lock.ts'
import { onStopRequest } from '../stop-request.ts'

const needed = z.string("is missing; on given servers all three of history's own have to be given")

/** History's own settings on servers that somebody else runs. */
const Given = z.object({ DATABASE_URL: needed, NATS_URL: needed, NATS_NKEY_SEED: needed })

/**
 * Makes history anew from the event stream, on the servers that are given, or on those of a data folder that nobody uses
 * now. Refuses where the stream does not hold the events of history, unless it is forced.
 */
export async function rebuild(projection: string | undefined, isForced: boolean): Promise<void> {
  if (projection !== 'history')
    throw new Error('Name the projection to be made anew: history is the only one')
  const act = ['services/history/src/main.ts', 'rebuild', ...(isForced ? ['--force'] : [])]
  const run = async (env: NodeJS.ProcessEnv): Promise<void> =>
    void (await runCommand(process.execPath, act, { cwd: rootDir, env }))
  if (!isGiven()) return await onDataFolder(run)
  // The owner of the secrets in the data folder is unknown: none of them may reach those servers.
  await run({ ...process.env, ...loadConfig(Given, process.env) })
}

function isGiven(): boolean {
  const settings = ['DATABASE_URL', 'NATS_URL'].flatMap((name) => [name, `${name}_FILE`])
  return settings.some((name) => Boolean(process.env[name]))
}

/** Runs it on the servers of the data folder, which are started and stopped again. */
async function onDataFolder(run: (env: NodeJS.ProcessEnv) => Promise<void>): Promise<void> {
  const closers = newClosers()
  onStopRequest(async () => {
    await closers.close()
    process.exit(1)
  })
  try {
    const dataDir = dataFolder()
    const { release } = await lockDataFolder(dataDir)
    await closers.add(async () => release())
    const postgres = await startPostgres({ dataDir })
    await closers.add(postgres.stop)
    const nats = await startNats({ dataDir, configFile: writeNatsConfig(dataDir), syncsAlways: true })
    await closers.add(nats.stop)
    const urls = await setup({ dataDir, databaseUrl: postgres.url, natsUrl: nats.url })
    const own = { DATABASE_URL: urls.history, NATS_URL: nats.url }
    await run({ ...process.env, ...own, NATS_NKEY_SEED_FILE: localKeys(dataDir).busSeedFile('history') })
  } finally {
    await closers.close()
  }
}
