import { readdirSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type Closers, closers as newClosers } from '@tripline/testkit/closers'
import { runCommand } from '@tripline/testkit/infra/run-command'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { natsCluster } from '@tripline/testkit/nats-cluster'
import { rootDir } from '@tripline/testkit/paths'
import { postgres } from '@tripline/testkit/postgres'
import { schemas, setupDatabase } from '@tripline/testkit/stack/setup-database'
import { Client } from 'pg'

let closers: Closers
beforeEach(() => {
  closers = newClosers()
})
afterEach(async () => await closers.close())

async function newFolder(): Promise<string> {
  const { folder, remove } = await temporaryFolder()
  await closers.add(remove)
  return folder
}

/** Returns the output of `npm run ops -- rebuild history` with these settings alone. */
async function rebuild(settings: Record<string, string>): Promise<string> {
  const env = { PATH: process.env['PATH'], ...settings }
  return await runCommand(process.execPath, ['scripts/ops.ts', 'rebuild', 'history'], { cwd: rootDir, env })
}

async function canLogIn(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}

test('on given servers history alone is made anew: roles, copies of streams and the data folder stay', async () => {
  const [database, bus] = await Promise.all([postgres(), natsCluster()])
  for (const { stop } of [database, bus]) await closers.add(stop)
  const urls = await setupDatabase(database.url, await newFolder())
  const TRIPLINE_DATA = await newFolder()
  const NATS_NKEY_SEED = bus.seed('history') ?? ''
  await rebuild({ DATABASE_URL: database.url, NATS_URL: bus.url, NATS_NKEY_SEED, TRIPLINE_DATA })
  expect(await Promise.all(Object.values(urls).map(canLogIn))).toEqual(schemas.map(() => true))
  const ops = await bus.connect('ops')
  for (const name of ['ALERTS', 'EVENTS'])
    expect((await ops.manager.streams.info(name)).config.num_replicas).toBe(3)
  expect(readdirSync(TRIPLINE_DATA)).toEqual([])
}, 180_000)

test.each([
  ['DATABASE_URL', { NATS_URL: 'nats://nowhere.invalid', NATS_NKEY_SEED: 'seed' }],
  ['NATS_URL', { DATABASE_URL: 'postgres://nowhere.invalid/none', NATS_NKEY_SEED: 'seed' }],
  ['NATS_NKEY_SEED', { DATABASE_URL: 'postgres://nowhere.invalid/none', NATS_URL: 'nats://nowhere.invalid' }],
])('without %s nothing is done on given servers', async (missing, settings) => {
  const TRIPLINE_DATA = await newFolder()
  await expect(rebuild({ ...settings, TRIPLINE_DATA })).rejects.toThrow(`${missing}: is missing`)
  expect(readdirSync(TRIPLINE_DATA)).toEqual([])
})
