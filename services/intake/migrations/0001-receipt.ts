import { type Kysely, sql } from 'kysely'

/** Receipts of accepted alerts, each user's in a chain of hashes, and what the audit of them found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('receipt')
    .addColumn('user_id', 'uuid', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('alert_id', sql`text collate "C"`, (column) => column.notNull().unique())
    .addColumn('received_at', 'timestamptz', (column) => column.notNull())
    .addColumn('message_hash', 'text', (column) => column.notNull())
    .addColumn('previous_hash', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    // Whether the stream has confirmed the alert, and where it lies there; null where another process stored it.
    .addColumn('is_confirmed', 'boolean', (column) => column.notNull())
    .addColumn('sequence', 'bigint')
    .addColumn('blocks', 'smallint', (column) => column.notNull())
    // Null once the history has it.
    .addColumn('message', 'text')
    .addColumn('state', 'text', (column) => column.notNull().defaultTo('open'))
    .addColumn('state_at', 'timestamptz', (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint('receipt_pk', ['user_id', 'number'])
    .execute()
  await sql`create index receipt_open on receipt (alert_id) where state in ('open', 'waiting')`.execute(db)
  await sql`create index receipt_lost on receipt (state_at) where state = 'lost'`.execute(db)
  // Those that are too old are looked for over all users.
  await db.schema.createIndex('receipt_oldest').on('receipt').column('received_at').execute()
  await db.schema
    .createTable('receipt_head')
    .addColumn('user_id', 'uuid', (column) => column.primaryKey())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    // The hash of the receipt on which the last batch built: a batch that builds on another one is not stored.
    .addColumn('based_on', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('receipt_problem')
    .addColumn('alert_id', sql`text collate "C"`, (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('user_id', 'uuid', (column) => column.notNull())
    .addColumn('found_at', 'timestamptz', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('receipt_problem_pk', ['alert_id', 'kind'])
    .execute()
  await db.schema
    .createIndex('receipt_problem_newest')
    .on('receipt_problem')
    .columns(['user_id', sql`found_at desc`])
    .execute()
  await db.schema
    .createTable('receipt_audit')
    .addColumn('id', 'smallint', (column) => column.primaryKey())
    .addColumn('turn_at', 'timestamptz')
    .addColumn('audited_at', 'timestamptz')
    // Alerts received before this have no receipt for certain: nobody made any, or receipts may wait somewhere.
    .addColumn('covered_from', 'timestamptz')
    // The ids up to which alerts were looked for receipts, one for each age at which they are.
    .addColumn('looked_until', 'json')
    .execute()
  await sql`insert into receipt_audit (id) values (1)`.execute(db)
}
