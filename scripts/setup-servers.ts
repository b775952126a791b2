import { busSettings, loadConfig } from '@tripline/kit/config'
import { StoreSettings, setupBus } from '@tripline/testkit/stack/setup-bus'
import { setupDatabase } from '@tripline/testkit/stack/setup-database'
import { z } from 'zod'

/** The settings of the job that prepares the servers. */
export const Config = z.object({
  NATS_URL: busSettings.NATS_URL,
  /** The seed of the bus user `ops`. */
  NATS_NKEY_SEED: z.string().min(1),
  ...StoreSettings,
  /** The database as a role that may create roles, or as the one role that all services share. */
  DATABASE_URL: z.string().min(1),
  /** Holds each schema role's password as `postgres-<schema>`. */
  PASSWORDS_DIR: z.string().min(1),
})

if (import.meta.main) {
  const config = loadConfig(Config, process.env)
  await Promise.all([
    setupDatabase(config.DATABASE_URL, config.PASSWORDS_DIR),
    setupBus({ url: config.NATS_URL, seed: config.NATS_NKEY_SEED, stores: config }),
  ])
  console.log('Schemas, streams and buckets are as they have to be.')
}
