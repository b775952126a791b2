import { readArguments } from './arguments.ts'
import { dataFolder } from './paths.ts'
import { phase } from './progress.mjs'
import { setup, writeNatsConfig } from './stack/setup.ts'

readArguments({
  help: 'npm run setup\nMakes schemas, streams and keys on the servers of DATABASE_URL and NATS_URL.',
})
const { DATABASE_URL: databaseUrl, NATS_URL: natsUrl } = process.env
if (!databaseUrl || !natsUrl) throw new Error('Set DATABASE_URL and NATS_URL')
const dataDir = dataFolder()
console.log(`The users for the NATS server: ${writeNatsConfig(dataDir)}`)
await phase('prepared schemas, streams and buckets', () => setup({ dataDir, databaseUrl, natsUrl }))
