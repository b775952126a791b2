import { spawn } from 'node:child_process'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { freshDatabase, query } from '../infra/fresh-database.ts'
import { startOwnNats } from '../infra/nats.ts'
import { startOwnPostgres } from '../infra/postgres.ts'
import type { ServerChange } from '../infra/server.ts'
import { temporaryFolder } from '../infra/temporary-folder.ts'
import { setup } from '../stack/setup.ts'
import { waitUntil } from '../wait-until.ts'

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

/** Ends a recorded server as a crash would, and nothing else of it. */
async function killRecorded(name: string): Promise<void> {
  const record = await readFile(path.join(scratch.folder, 'pids', `${name}.json`), 'utf8')
  process.kill(JSON.parse(record).pid, 'SIGKILL')
}

test('a database starts at once after its server was killed in the middle of a query', async () => {
  const first = await startOwnPostgres({ dataDir: scratch.folder, ephemeral: true })
  // A process of its own in the server, which ends when it has counted.
  const counting = query(first.url, 'select count(*) from generate_series(1, 20000000)').catch(
    () => 'broken off',
  )
  await waitUntil(
    async () =>
      await query(
        first.url,
        "select from pg_stat_activity where query like 'select count%' and pid <> pg_backend_pid()",
      ),
    { deadlineMs: 30_000, awaited: 'the query to run' },
  )
  await killRecorded('postgres')
  const second = await startOwnPostgres({ dataDir: scratch.folder, ephemeral: true })
  expect(await query(second.url, 'select 1')).toBe(1)
  await counting
  await second.stop()
}, 120_000)

test('a database starts though its killed server has left its number to another process', async () => {
  const first = await startOwnPostgres({ dataDir: scratch.folder, ephemeral: true })
  const cluster = path.join(scratch.folder, 'postgres/cluster')
  const lock = path.join(cluster, 'postmaster.pid')
  await killRecorded('postgres')
  await first.stop()
  const { uid, gid } = await stat(cluster)
  const stranger = spawn('sleep', ['60'], { uid, gid })
  try {
    const lines = await readFile(lock, 'utf8')
    await writeFile(lock, lines.replace(/^\d+/, String(stranger.pid)))
    const second = await startOwnPostgres({ dataDir: scratch.folder, ephemeral: true })
    expect(await query(second.url, 'select 1')).toBe(1)
    await second.stop()
  } finally {
    stranger.kill()
  }
}, 120_000)

test('a server of a product is started again, and given up once its data cannot be used', async () => {
  const changes: ServerChange[] = []
  const onChange = (change: ServerChange) => void changes.push(change)
  const database = await startOwnPostgres({ dataDir: scratch.folder, onChange })
  await query(database.url, 'create table note (text text)')
  await killRecorded('postgres')
  await waitUntil(() => changes.length === 2, { deadlineMs: 60_000, awaited: 'the database to return' })
  expect(changes).toEqual([{ kind: 'ended', how: 'SIGKILL' }, { kind: 'returned' }])
  expect(await query(database.url, 'select * from note')).toBe(0)
  await rm(path.join(scratch.folder, 'postgres/cluster/global'), { recursive: true })
  await killRecorded('postgres')
  await waitUntil(() => changes.length === 4, { deadlineMs: 60_000, awaited: 'the database to be given up' })
  expect(changes[3]).toEqual({
    kind: 'lost',
    error: expect.objectContaining({ message: expect.stringContaining('postgres ended while starting') }),
  })
  await database.stop()
}, 180_000)
