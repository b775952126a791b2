import type { User } from '@tripline/proto/auth-request'
import type { UserId } from '@tripline/proto/id'
import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from './database.ts'

/** Keeps a new user; says which of the two names that must be unique was taken, if one was. */
export async function insertUser(db: Db, user: User): Promise<'kept' | 'emailTaken' | 'usernameTaken'> {
  const kept = await db
    .insertInto('user')
    .values({
      id: user.id,
      email: user.email,
      username: user.username,
      first_name: user.firstName,
      last_name: user.lastName,
      country: user.country,
      created_at: user.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (kept !== undefined) return 'kept'
  return (await findLogin(db, user.email)) === undefined ? 'usernameTaken' : 'emailTaken'
}

/** Keeps what a user proves itself with. */
export async function insertCredential(
  db: Db,
  credential: { userId: UserId; passwordHash: string; changedAt: string },
): Promise<void> {
  const { userId, passwordHash, changedAt } = credential
  await db
    .insertInto('credential')
    .values({ user_id: userId, password_hash: passwordHash, changed_at: changedAt })
    .execute()
}

/** Whose email this is, in any spelling of upper and lower case, and the hash of their password. */
export async function findLogin(
  db: Db,
  email: string,
): Promise<{ userId: UserId; passwordHash: string } | undefined> {
  return await db
    .selectFrom('user')
    .innerJoin('credential', 'credential.user_id', 'user.id')
    .select(['user.id as userId', 'credential.password_hash as passwordHash'])
    .where(sql<string>`lower(email)`, '=', sql<string>`lower(${email})`)
    .executeTakeFirst()
}

/** The user of this id. */
export async function findUser(db: Db, userId: UserId): Promise<User | undefined> {
  const row = await db.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst()
  return row && toUser(row)
}

function toUser(row: Selectable<Tables['user']>): User {
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
