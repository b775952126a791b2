import type { BotId, UserId } from '@tripline/proto/id'
import type { NotificationConfig } from '@tripline/proto/notification'
import type { SealedCredentials, UserConfig } from '@tripline/proto/user-config'
import { sql } from 'kysely'
import { listBotConfigs, listUnlinkedBots } from './bot.ts'
import type { Db } from './database.ts'
import { findNotification } from './notification.ts'
import { findWebhook } from './webhook.ts'

/** A user's whole state at one version, as it belongs on the bus. */
export interface UserParts {
  config: UserConfig
  credentials: SealedCredentials[]
  /** Undefined while the user never set any. */
  notifications: NotificationConfig | undefined
  /** Bots that are gone and whose credentials have to go. */
  unlinked: BotId[]
  isPublished: boolean
}

/** The whole state of a user, all of one moment; undefined while the user has none. */
export async function readUserState(db: Db, userId: UserId): Promise<UserParts | undefined> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => await readSnapshot(snapshot, userId))
}

async function readSnapshot(db: Db, userId: UserId): Promise<UserParts | undefined> {
  const row = await db.selectFrom('user_config').selectAll().where('user_id', '=', userId).executeTakeFirst()
  const webhook = await findWebhook(db, userId)
  if (row === undefined || webhook === undefined) return undefined
  const { version } = row
  const { tokenEnvelope: _, ...known } = webhook
  const { bots, credentials, switches } = await listBotConfigs(db, userId, row.trading_state)
  const notification = await findNotification(db, userId)
  return {
    config: { userId, version, webhook: known, bots },
    credentials,
    notifications: notification && { userId, version, ...notification, bots: switches },
    unlinked: await listUnlinkedBots(db, userId),
    isPublished: row.published_version >= version,
  }
}

/** Notes that this version of a user's state is on the bus. */
export async function notePublished(db: Db, userId: UserId, version: number): Promise<void> {
  await db
    .updateTable('user_config')
    .set({ published_version: sql<number>`greatest(published_version, ${version})` })
    .where('user_id', '=', userId)
    .execute()
}

/** Some of the users whose newest state is not known to be on the bus. */
export async function listUsersBehind(db: Db, limit: number): Promise<UserId[]> {
  const rows = await db
    .selectFrom('user_config')
    .select('user_id')
    .whereRef('published_version', '<', 'version')
    .limit(limit)
    .execute()
  return rows.map((row) => row.user_id)
}

/** The next users in the order of their ids, after this one. */
export async function listUsersAfter(db: Db, after: UserId | undefined, limit: number): Promise<UserId[]> {
  const rows = await db
    .selectFrom('user_config')
    .select('user_id')
    .$if(after !== undefined, (query) => query.where('user_id', '>', after as UserId))
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.user_id)
}
