import { readdir } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import type { Log } from './telemetry/log.ts'

// Times come as ISO text and numerics as decimal text: neither a Date nor a float ever leaves the database.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString())
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text))

/** Limits of a pool of connections. */
interface PoolLimits {
  connections: number
  connectMs: number
  /** After so long the server ends a statement. */
  statementMs: number
  /** Every statement has ended by then, so a server that is silent for so long is not there: nothing else would say so. */
  silenceMs: number
  /** After so long an answer is not waited for, whatever the server does; as long as its silence lets unless it is set. */
  answerMs?: number
}

const usualLimits: PoolLimits = {
  connections: 10,
  connectMs: 5000,
  statementMs: 10_000,
  silenceMs: 15_000,
}

/** A pool of connections that sees one schema only. */
export function openDatabase<Tables>(
  url: string,
  schema: string,
  log: Log,
  limits: Partial<PoolLimits> = {},
): Kysely<Tables> {
  const { connections, connectMs, statementMs, silenceMs, answerMs } = { ...usualLimits, ...limits }
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    ...(answerMs !== undefined && { query_timeout: answerMs }),
    options: `-c search_path=${schema}`,
    stream: () => endedBySilence(silenceMs),
  })
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'))
  // One lost between two queries of a transaction raises an error that nobody awaits; the next query fails with it.
  pool.on('connect', (connection) => connection.on('error', () => undefined))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

/** A socket that fails once nothing went over it for so long; the pool closes idle connections before. */
function endedBySilence(ms: number): Socket {
  const socket = new Socket()
  return socket.setTimeout(ms, () => socket.destroy(new Error(`The database was silent for ${ms} ms`)))
}

const watchEveryMs = 1000
const watchPatienceMs = 2500

/** Asks the database again and again whether it answers; `isUp` returns how the last attempt ended. */
export function watchDatabase<Tables>(
  db: Kysely<Tables>,
  log: Log,
): { isUp: () => boolean; stop: () => void } {
  let up = false
  let due: NodeJS.Timeout | undefined
  let stopped = false
  const watch = async (): Promise<void> => {
    const answered = await answersInTime(db)
    if (answered !== up) log.info({ answered }, 'database')
    up = answered
    if (!stopped) due = setTimeout(() => void watch(), watchEveryMs)
  }
  void watch()
  return {
    isUp: () => up,
    stop: () => {
      stopped = true
      clearTimeout(due)
    },
  }
}

/** True where the database answers a question that asks for nothing. */
export async function answersInTime<Tables>(db: Kysely<Tables>): Promise<boolean> {
  let overdue: NodeJS.Timeout | undefined
  const tooLate = new Promise<boolean>((resolve) => {
    overdue = setTimeout(() => resolve(false), watchPatienceMs)
  })
  const answered = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
  return await Promise.race([answered, tooLate]).finally(() => clearTimeout(overdue))
}

/** True for the error of a value that no column of its type can hold; trying again changes nothing. */
export function refusesValue(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code?.startsWith('22') ?? false)
}

/**
 * Brings a schema up to the newest migration of the folder; returns the names of those it ran. Migrations that a newer
 * version ran stay, so that an older one can be gone back to.
 */
export async function migrate(db: Kysely<unknown>, schema: string, folder: string): Promise<string[]> {
  const getMigrations = async (): Promise<Record<string, Migration>> => ({
    ...(await ranMigrations(db, schema)),
    ...(await readMigrations(folder)),
  })
  const migrator = new Migrator({ db, provider: { getMigrations }, migrationTableSchema: schema })
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) throw new Error(`Migrations of ${schema} failed`, { cause: error })
  return (results ?? []).map((result) => result.migrationName)
}

/** The migrations that were run already, by name; they are not run again, and so do nothing. */
async function ranMigrations(db: Kysely<unknown>, schema: string): Promise<Record<string, Migration>> {
  const table = `${schema}.${DEFAULT_MIGRATION_TABLE}`
  const { rows: places } = await sql<{
    place: string | null
  }>`select to_regclass(${table}) as place`.execute(db)
  if (places[0]?.place == null) return {}
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)}`.execute(db)
  return Object.fromEntries(rows.map(({ name }) => [name, { up: async () => {} }]))
}

async function readMigrations(folder: string): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).sort()
  const modules = await Promise.all(
    files.map(async (file) => (await import(pathToFileURL(join(folder, file)).href)) as Migration),
  )
  return Object.fromEntries(modules.map((migration, index) => [files[index]?.slice(0, -3) ?? '', migration]))
}
