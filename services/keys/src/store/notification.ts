import type { UserId } from '@tripline/proto/id'
import type { Db } from './database.ts'

/** The destination of a user's notifications. */
export interface StoredNotification {
  isEnabled: boolean
  /** The bot token; only the notifier opens it. */
  sealedToken: string | null
  chatId: string | null
}

/** Returns the destination of a user's notifications, if one was ever set. */
export async function findNotification(db: Db, userId: UserId): Promise<StoredNotification | undefined> {
  const row = await db.selectFrom('notification').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row && { isEnabled: row.is_enabled, sealedToken: row.sealed_token, chatId: row.chat_id }
}

/** Keeps where a user's notifications go. */
export async function setNotification(
  db: Db,
  userId: UserId,
  notification: StoredNotification,
): Promise<void> {
  const settings = {
    is_enabled: notification.isEnabled,
    sealed_token: notification.sealedToken,
    chat_id: notification.chatId,
  }
  await db
    .insertInto('notification')
    .values({ user_id: userId, ...settings })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(settings))
    .execute()
}
