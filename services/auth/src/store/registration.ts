import type { User } from '@tripline/proto/auth-request'
import type { UserId } from '@tripline/proto/id'
import { sql } from 'kysely'
import { type Db, toIso } from './database.ts'
import { toUser, userRow } from './user.ts'

/** Somebody who has registered; the id is that of the user to come. */
export interface Registration {
  user: User
  /** Absent once it has become a user. */
  passwordHash: string | null
}

/** Keeps a new registration; there may be several of one email, each with a link of its own. */
export async function insertRegistration(db: Db, { user, passwordHash }: Registration): Promise<void> {
  await db
    .insertInto('registration')
    .values({ ...userRow(user), password_hash: passwordHash })
    .execute()
}

/** The registration of this id. */
export async function findRegistration(db: Db, id: UserId): Promise<Registration | undefined> {
  const row = await db.selectFrom('registration').selectAll().where('id', '=', id).executeTakeFirst()
  return row && { user: toUser(row), passwordHash: row.password_hash }
}

/** The newest registration of an email that has not become a user. */
export async function findOpenRegistration(db: Db, email: string): Promise<Registration | undefined> {
  const row = await db
    .selectFrom('registration')
    .selectAll()
    .where(sql<string>`lower(email)`, '=', sql<string>`lower(${email})`)
    .where('password_hash', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { user: toUser(row), passwordHash: row.password_hash }
}

/** Leaves of an email's registrations the one that has become a user, without its password. */
export async function closeRegistrations(db: Db, user: User): Promise<void> {
  await db
    .deleteFrom('registration')
    .where(sql<string>`lower(email)`, '=', sql<string>`lower(${user.email})`)
    .where('id', '<>', user.id)
    .execute()
  await db.updateTable('registration').set({ password_hash: null }).where('id', '=', user.id).execute()
}

/** Forgets registrations from before the moment, with their mails and tokens. */
export async function deleteRegistrations(db: Db, createdBefore: number): Promise<void> {
  await db.deleteFrom('registration').where('created_at', '<', toIso(createdBefore)).execute()
}
