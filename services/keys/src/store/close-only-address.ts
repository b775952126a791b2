import type { BotId, UserId } from '@tripline/proto/id'
import type { Db } from './database.ts'
import type { StoredToken } from './webhook.ts'

/** The token of a bot's close-only address, encrypted; undefined where it has none. */
export async function findCloseOnlyToken(db: Db, botId: BotId): Promise<StoredToken | undefined> {
  return await db
    .selectFrom('close_only_address')
    .select(['token_hash as tokenHash', 'token_envelope as tokenEnvelope'])
    .where('bot_id', '=', botId)
    .executeTakeFirst()
}

/** Gives a bot its close-only address; false where it has one. */
export async function insertCloseOnlyToken(db: Db, botId: BotId, token: StoredToken): Promise<boolean> {
  const inserted = await db
    .insertInto('close_only_address')
    .values({ bot_id: botId, token_hash: token.tokenHash, token_envelope: token.tokenEnvelope })
    .onConflict((conflict) => conflict.column('bot_id').doNothing())
    .returning('bot_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Puts another token in the place of the one that a bot's close-only address has; false where it has none. */
export async function setCloseOnlyToken(db: Db, botId: BotId, token: StoredToken): Promise<boolean> {
  const changed = await db
    .updateTable('close_only_address')
    .set({ token_hash: token.tokenHash, token_envelope: token.tokenEnvelope })
    .where('bot_id', '=', botId)
    .returning('bot_id')
    .executeTakeFirst()
  return changed !== undefined
}

/** Takes a bot's close-only address away; false where it has none. */
export async function removeCloseOnlyToken(db: Db, botId: BotId): Promise<boolean> {
  const removed = await db
    .deleteFrom('close_only_address')
    .where('bot_id', '=', botId)
    .returning('bot_id')
    .executeTakeFirst()
  return removed !== undefined
}

/** The bots of a user that have a close-only address. */
export async function listCloseOnlyBots(db: Db, userId: UserId): Promise<BotId[]> {
  const rows = await db
    .selectFrom('close_only_address')
    .innerJoin('bot', 'bot.id', 'close_only_address.bot_id')
    .select('bot.id')
    .where('bot.user_id', '=', userId)
    .execute()
  return rows.map(({ id }) => id)
}

const envelopesAtOnce = 500

/** The envelopes of the tokens of close-only addresses, a page by bot behind this one. */
export async function listCloseOnlyEnvelopes(
  db: Db,
  after: BotId | undefined,
): Promise<{ id: BotId; envelope: string }[]> {
  return await db
    .selectFrom('close_only_address')
    .select(['bot_id as id', 'token_envelope as envelope'])
    .$if(after !== undefined, (query) => query.where('bot_id', '>', after as BotId))
    .orderBy('bot_id')
    .limit(envelopesAtOnce)
    .execute()
}

/** Puts another envelope of the same token in the place of this one, if it is still there. */
export async function replaceCloseOnlyEnvelope(
  db: Db,
  botId: BotId,
  from: string,
  to: string,
): Promise<void> {
  await db
    .updateTable('close_only_address')
    .set({ token_envelope: to })
    .where('bot_id', '=', botId)
    .where('token_envelope', '=', from)
    .execute()
}
