import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { publicBusKeys } from './bus-seeds.ts'
import { renderNatsConfig } from './infra/nats-config.ts'
import { keysFolder, localKeys } from './local-keys.ts'
import { dataFolder } from './paths.ts'
import { phase } from './progress.mjs'
import { RoomSettings, setupBus } from './setup-bus.ts'
import { type DatabaseUrls, setupDatabase } from './setup-database.ts'

interface SetupOptions {
  dataDir: string
  databaseUrl: string
  natsUrl: string
  replicas: number
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
    setupBus({ url: natsUrl, seed, replicas, rooms: z.object(RoomSettings).parse(process.env) }),
  ])
  return urls
}

/** The path of the server configuration that knows the users of this data folder's secrets. */
export function writeNatsConfig(dataDir: string): string {
  const file = path.join(keysFolder(dataDir), 'nats.conf')
  writeFileSync(file, renderNatsConfig(publicBusKeys(localKeys(dataDir).busSeeds)), { mode: 0o600 })
  return file
}

if (import.meta.main) {
  const { DATABASE_URL: databaseUrl, NATS_URL: natsUrl, NATS_REPLICAS = '1' } = process.env
  if (!databaseUrl || !natsUrl) throw new Error('Set DATABASE_URL and NATS_URL')
  const dataDir = dataFolder()
  console.log(`The users for the NATS server: ${writeNatsConfig(dataDir)}`)
  const options = { dataDir, databaseUrl, natsUrl, replicas: Number(NATS_REPLICAS) }
  await phase('prepared schemas, streams and buckets', () => setup(options))
}
