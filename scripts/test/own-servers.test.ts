import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { freshDatabase, query } from '../infra/fresh-database.ts'
import { startOwnNats } from '../infra/nats.ts'
import { startOwnPostgres } from '../infra/postgres.ts'
import { temporaryFolder } from '../infra/temporary-folder.ts'
import { setup } from '../setup.ts'

let scratch: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  scratch = await temporaryFolder()
})
afterEach(() => scratch.remove())

test('a database is found again after an interrupted first start, a stop and a new start', async () => {
  const leftover = path.join(scratch.folder, 'postgres/cluster-new')
  await mkdir(leftover, { recursive: true })
  await writeFile(path.join(leftover, 'PG_VERSION'), 'half')
  const first = await startOwnPostgres({ dataDir: scratch.folder, ephemeral: true })
  await query(first.url, 'create table note (text text)')
  await first.stop()
  const second = await startOwnPostgres({ dataDir: scratch.folder, ephemeral: true })
  expect(await query(second.url, 'select * from note')).toBe(0)
  await second.stop()
})

test('setting up twice changes nothing, and each service reaches its own schema only', async () => {
  const nats = await startOwnNats({ dataDir: scratch.folder })
  const database = await freshDatabase(process.env['DATABASE_URL'] ?? '')
  const options = { dataDir: scratch.folder, databaseUrl: database.url, natsUrl: nats.url, replicas: 1 }
  const urls = await setup(options)
  expect(await setup(options)).toEqual(urls)
  await query(urls.auth, 'create table auth.probe (text text)')
  await expect(query(urls.keys, 'select * from auth.probe')).rejects.toThrow('permission denied')
  await database.drop()
  await nats.stop()
})
