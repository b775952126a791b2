import { type Kysely, sql } from 'kysely'

/** Creates users and, apart from them, what they prove themselves with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createUser(db)
  await db.schema
    .createTable('credential')
    .addColumn('user_id', 'uuid', (column) => column.primaryKey().references('user.id').onDelete('cascade'))
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'timestamptz', (column) => column.notNull())
    .execute()
}

async function createUser(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('first_name', 'text', (column) => column.notNull())
    .addColumn('last_name', 'text', (column) => column.notNull())
    .addColumn('country', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute()
  for (const column of ['email', 'username']) {
    await db.schema
      .createIndex(`user_${column}`)
      .unique()
      .on('user')
      .expression(sql`lower(${sql.ref(column)})`)
      .execute()
  }
}
