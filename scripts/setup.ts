import { dataFolder } from '@tripline/testkit/paths'
import { phase } from '@tripline/testkit/progress'
import { setup, writeNatsConfig } from '@tripline/testkit/stack/setup'
import { readArguments } from './arguments.ts'

readArguments({
  help: 'npm run setup\nMakes schemas, streams and keys on the servers of DATABASE_URL and NATS_URL.',
})
const { DATABASE_URL: databaseUrl, NATS_URL: natsUrl } = process.env
if (!databaseUrl || !natsUrl) throw new Error('Set DATABASE_URL and NATS_URL')
const dataDir = dataFolder()
console.log(`The users for the NATS server: ${writeNatsConfig(dataDir)}`)
await phase('prepared schemas, streams and buckets', () => setup({ dataDir, databaseUrl, natsUrl }))
