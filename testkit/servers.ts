import path from 'node:path'
import { executorDatabase } from './executor-schema.ts'
import { natsProgram } from './infra/nats.ts'
import { startPostgres } from './infra/postgres.ts'
import { startRedis } from './infra/redis.ts'
import { temporaryFolder } from './infra/temporary-folder.ts'
import { startPaperHost } from './paper-host.ts'
import { rootDir } from './paths.ts'

/**
 * Starts what all test files share, with so many hosts of paper exchanges, and puts the addresses into the environment.
 * Returns how to stop it.
 */
export async function startSharedServers(paperHosts: number): Promise<() => Promise<void>> {
  const { folder, remove } = await temporaryFolder()
  const [hosts, postgres, redis] = await Promise.all([
    Promise.all(Array.from({ length: paperHosts }, startPaperHost)),
    startPostgres({ dataDir: folder, ephemeral: true }),
    startRedis({ dataDir: folder }),
    // Fetched here if need be, so that no test pays for it.
    process.env['NATS_URL'] ? undefined : natsProgram(),
  ])
  process.env['DATABASE_URL'] = postgres.url
  process.env['REDIS_URL'] = redis.url
  const database = await executorDatabase(path.join(rootDir, 'services/executor/migrations'))
  process.env['PAPER_HOSTS'] = hosts.map(({ url }) => url).join(' ')
  return async () => {
    await database.stop()
    await Promise.all([postgres, redis, ...hosts].map(async (server) => await server.stop()))
    await remove()
  }
}
