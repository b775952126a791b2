import { migrate, openDatabase } from '@tripline/kit/postgres'
import { givenUrl } from './given-url.ts'
import { freshDatabase, query } from './infra/fresh-database.ts'
import { testLog } from './log.ts'

/** A service's schema and the folder of its migrations. */
export interface Schema {
  schema: string
  migrations: string
}

/** A database of one's own. */
export interface OwnDatabase {
  url: string
  stop(): Promise<void>
}

/** A database of one's own, with the schema migrated to its newest form if one is named. */
export async function postgres(wanted?: Schema): Promise<OwnDatabase> {
  const { url, drop } = await freshDatabase(givenUrl('DATABASE_URL'))
  if (wanted) await createSchema(url, wanted)
  return { url, stop: drop }
}

async function createSchema(url: string, { schema, migrations }: Schema): Promise<void> {
  await query(url, `create schema ${schema}`)
  const db = openDatabase<unknown>(url, schema, testLog('migrate'))
  try {
    await migrate(db, schema, migrations)
  } finally {
    await db.destroy()
  }
}
