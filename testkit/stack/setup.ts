import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { renderNatsConfig } from '../infra/nats-config.ts'
import { publicBusKeys } from './bus-seeds.ts'
import { keysFolder, localKeys } from './local-keys.ts'
import { StoreSettings, setupBus } from './setup-bus.ts'
import { type DatabaseUrls, setupDatabase } from './setup-database.ts'

interface SetupOptions {
  dataDir: string
  databaseUrl: string
  natsUrl: string
  /** The number of copies of each stream, where the servers are the caller's. */
  replicas?: number | undefined
}

/** Makes everything that services expect to find: schemas with their roles, streams and buckets. */
export async function setup({
  dataDir,
  databaseUrl,
  natsUrl,
  replicas,
}: SetupOptions): Promise<DatabaseUrls> {
  const seed = localKeys(dataDir).busSeeds.ops
  const [urls] = await Promise.all([
    setupDatabase(databaseUrl, keysFolder(dataDir)),
    setupBus({ url: natsUrl, seed, stores: storesOn(natsUrl, replicas) }),
  ])
  return urls
}

/** Returns the settings of the stores: copies are for servers that the environment names, since our own is one. */
function storesOn(natsUrl: string, replicas = 1) {
  const stores = z.object(StoreSettings).parse(process.env)
  return natsUrl === process.env['NATS_URL'] ? stores : { ...stores, NATS_REPLICAS: replicas }
}

/** The path of the server configuration that knows the users of this data folder's secrets. */
export function writeNatsConfig(dataDir: string): string {
  const file = path.join(keysFolder(dataDir), 'nats.conf')
  writeFileSync(file, renderNatsConfig(publicBusKeys(localKeys(dataDir).busSeeds)), { mode: 0o600 })
  return file
}
