import { type Kysely, sql } from 'kysely'

/**
 * Creates registrations, which become users once their email is verified, and the tokens of the links that are mailed,
 * by their hashes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createRegistration(db)
  await db.schema
    .createTable('mail_token')
    .addColumn('mail_id', 'uuid', (column) => column.primaryKey())
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('registration_id', 'uuid', (column) =>
      column.references('registration.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'uuid', (column) => column.references('user.id').onDelete('cascade'))
    .addColumn('expires_at', 'timestamptz', (column) => column.notNull())
    .addColumn('used_at', 'timestamptz')
    // A link verifies a registration, or it resets the password of a user.
    .addCheckConstraint('mail_token_purpose', sql`num_nonnulls(registration_id, user_id) = 1`)
    .execute()
  for (const owner of ['registration_id', 'user_id']) {
    await db.schema.createIndex(`mail_token_${owner}`).on('mail_token').column(owner).execute()
  }
}

async function createRegistration(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('registration')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('first_name', 'text', (column) => column.notNull())
    .addColumn('last_name', 'text', (column) => column.notNull())
    .addColumn('country', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('registration_email')
    .on('registration')
    .expression(sql`lower(email), created_at`)
    .execute()
}
