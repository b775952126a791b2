import { randomBytes } from 'node:crypto'
import { query } from './infra/fresh-database.ts'
import { type OwnDatabase, postgres } from './postgres.ts'

const setting = 'EXECUTOR_DATABASE_URL'
const template = 'executor'

/** Makes the database in which every schema of an executor is made in this test run, and names it in the environment. */
export async function executorDatabase(migrations: string): Promise<OwnDatabase> {
  const database = await postgres({ schema: template, migrations })
  process.env[setting] = database.url
  return database
}

/**
 * Returns the address of a schema of one's own with the empty tables of an executor. They are copied from the migrated
 * ones, which takes some ms, and go with the database.
 */
export async function executorSchema(): Promise<string> {
  const url = new URL(process.env[setting] ?? '')
  const schema = `executor_${randomBytes(6).toString('hex')}`
  await query(
    url.href,
    `do $$ declare t text; begin
    create schema ${schema};
    for t in select tablename from pg_tables where schemaname = '${template}' loop
      execute format('create table ${schema}.%I (like ${template}.%I including all)', t, t);
    end loop; end $$`,
  )
  url.searchParams.set('options', `-c search_path=${schema}`)
  return url.href
}
