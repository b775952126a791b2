import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { migrate, openDatabase } from '@tripline/kit/postgres'
import { type Kysely, sql } from 'kysely'
import { testLog } from '../../log.ts'
import { postgres } from '../../postgres.ts'

let database: Awaited<ReturnType<typeof postgres>>
let db: Kysely<unknown>
let folder: string

beforeEach(async () => {
  database = await postgres()
  db = openDatabase(database.url, 'shop', testLog('migrate'))
  await sql`create schema shop`.execute(db)
  folder = await mkdtemp(path.join(tmpdir(), 'migrations-'))
  await addMigration(folder, '0001-item')
})
afterEach(async () => {
  await db.destroy()
  await database.stop()
  await rm(folder, { recursive: true })
})

/** Adds a migration that makes a table of its name. */
async function addMigration(directory: string, name: string): Promise<void> {
  const body = `export const up = async (db) => { await db.schema.createTable('${name}').execute() }\n`
  await writeFile(path.join(directory, `${name}.ts`), body)
}

test('a schema gets each migration once', async () => {
  expect(await migrate(db, 'shop', folder)).toEqual(['0001-item'])
  await addMigration(folder, '0002-price')
  expect(await migrate(db, 'shop', folder)).toEqual(['0002-price'])
  expect(await migrate(db, 'shop', folder)).toEqual([])
})

test('an older version takes the schema of a newer one as it is', async () => {
  const newer = `${folder}-newer`
  await cp(folder, newer, { recursive: true })
  await addMigration(newer, '0002-price')
  await migrate(db, 'shop', newer)
  await rm(newer, { recursive: true })
  expect(await migrate(db, 'shop', folder)).toEqual([])
  await sql`select from "0001-item", "0002-price"`.execute(db)
})
