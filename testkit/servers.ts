import { natsProgram } from '@tripline/scripts/infra/nats'
import { startPostgres } from '@tripline/scripts/infra/postgres'
import { startRedis } from '@tripline/scripts/infra/redis'
import { temporaryFolder } from '@tripline/scripts/infra/temporary-folder'

/** Starts what all test files share and tells its addresses through the environment; answers how to stop it. */
export async function startSharedServers(): Promise<() => Promise<void>> {
  const { folder, remove } = await temporaryFolder()
  const [postgres, redis] = await Promise.all([
    startPostgres({ dataDir: folder, ephemeral: true }),
    startRedis({ dataDir: folder }),
    // Fetched here if need be, so that no test pays for it.
    process.env['NATS_URL'] ? undefined : natsProgram(),
  ])
  process.env['DATABASE_URL'] = postgres.url
  process.env['REDIS_URL'] = redis.url
  return async () => {
    await Promise.all([postgres.stop(), redis.stop()])
    await remove()
  }
}
