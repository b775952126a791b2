import type { User } from '@tripline/proto/auth-request'
import type { UserId } from '@tripline/proto/id'
import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from './database.ts'

/** Keeps a new user; says which of the two names that must be unique was taken, if one was. */
export async function insertUser(db: Db, user: User): Promise<'inserted' | 'emailTaken' | 'usernameTaken'> {
  const inserted = await db
    .insertInto('user')
    .values(userRow(user))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted !== undefined) return 'inserted'
  return (await findLogin(db, user.email)) === undefined ? 'usernameTaken' : 'emailTaken'
}

/** Keeps what a user proves itself with, in place of what it was before. */
export async function putCredential(
  db: Db,
  credential: { userId: UserId; passwordHash: string; changedAt: string },
): Promise<void> {
  const { userId, passwordHash, changedAt } = credential
  const values = { password_hash: passwordHash, changed_at: changedAt }
  await db
    .insertInto('credential')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

/** Returns the user with this email, in any spelling of upper and lower case, and the hash of their password. */
export async function findLogin(
  db: Db,
  email: string,
): Promise<{ user: User; passwordHash: string } | undefined> {
  const row = await db
    .selectFrom('user')
    .innerJoin('credential', 'credential.user_id', 'user.id')
    .selectAll('user')
    .select('credential.password_hash as passwordHash')
    .where(sql<string>`lower(email)`, '=', sql<string>`lower(${email})`)
    .executeTakeFirst()
  return row && { user: toUser(row), passwordHash: row.passwordHash }
}

/** The user of this id. */
export async function findUser(db: Db, userId: UserId): Promise<User | undefined> {
  const row = await db.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst()
  return row && toUser(row)
}

/** A user as a row says it. */
export function toUser(row: Selectable<Tables['user']>): User {
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    firstName: row.first_name,
    lastName: row.last_name,
    country: row.country,
    createdAt: row.created_at,
  }
}

/** A user as a row. */
export function userRow(user: User): Selectable<Tables['user']> {
  return {
    id: user.id,
    email: user.email,
    username: user.username,
    first_name: user.firstName,
    last_name: user.lastName,
    country: user.country,
    created_at: user.createdAt,
  }
}
