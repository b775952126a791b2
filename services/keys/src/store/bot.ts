import type { BotId, UserId } from '@tripline/proto/id'
import type { Bot } from '@tripline/proto/key-request'
import type { LastKeyTest } from '@tripline/proto/key-test'
import type { BotSwitches } from '@tripline/proto/notification'
import { stricterState } from '@tripline/proto/stricter-state'
import type { BotConfig, SealedCredentials, TradingState } from '@tripline/proto/user-config'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Tables } from './database.ts'

/** Keeps a new bot with its sealed credentials; false when the user has one of this label already. */
export async function insertBot(db: Db, userId: UserId, bot: Bot, sealed: string): Promise<boolean> {
  const inserted = await db
    .insertInto('bot')
    .values({
      id: bot.id,
      user_id: userId,
      label: bot.label,
      exchange: bot.exchange,
      market_type: bot.marketType,
      is_testnet: bot.isTestnet,
      api_key_preview: bot.apiKeyPreview,
      sealed_credentials: sealed,
      notify_on_trade: bot.notifyOnTrade,
      notify_on_error: bot.notifyOnError,
      notify_on_fill: bot.notifyOnFill,
      created_at: bot.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** The bots of a user, oldest first. */
export async function listBots(db: Db, userId: UserId): Promise<Bot[]> {
  return (await selectBots(db, userId)).map(toBot)
}

/** One bot of a user with its sealed credentials; undefined where the user has no such bot. */
export async function findBotWithSecret(
  db: Db,
  userId: UserId,
  botId: BotId,
): Promise<(Pick<Bot, 'exchange' | 'marketType' | 'isTestnet'> & { sealed: string }) | undefined> {
  const row = await selectBot(db, userId, botId)
  if (row === undefined) return undefined
  const { exchange, marketType, isTestnet } = toBot(row)
  return { exchange, marketType, isTestnet, sealed: row.sealed_credentials }
}

/** One bot of a user; undefined where the user has no such bot. */
export async function findBot(db: Db, userId: UserId, botId: BotId): Promise<Bot | undefined> {
  const row = await selectBot(db, userId, botId)
  return row && toBot(row)
}

/** Keeps what can be changed about a bot. */
export async function setBot(db: Db, userId: UserId, bot: Bot): Promise<void> {
  await db
    .updateTable('bot')
    .set({
      label: bot.label,
      market_type: bot.marketType,
      notify_on_trade: bot.notifyOnTrade,
      notify_on_error: bot.notifyOnError,
      notify_on_fill: bot.notifyOnFill,
    })
    .where('user_id', '=', userId)
    .where('id', '=', bot.id)
    .execute()
}

/** Keeps what the last test of a bot's credentials found. */
export async function setLastTest(db: Db, userId: UserId, botId: BotId, test: LastKeyTest): Promise<void> {
  await db
    .updateTable('bot')
    .set({ last_test: JSON.stringify(test) })
    .where('user_id', '=', userId)
    .where('id', '=', botId)
    .execute()
}

/** Removes a bot with its credentials and remembers that it was there; false where the user has no such bot. */
export async function removeBot(db: Db, userId: UserId, botId: BotId): Promise<boolean> {
  const removed = await db
    .deleteFrom('bot')
    .where('user_id', '=', userId)
    .where('id', '=', botId)
    .returning('id')
    .executeTakeFirst()
  if (removed === undefined) return false
  await db.insertInto('unlinked_bot').values({ id: botId, user_id: userId }).execute()
  return true
}

/** The removed bots of a user whose credentials may still lie in the bucket. */
export async function listUnlinkedBots(db: Db, userId: UserId): Promise<BotId[]> {
  const rows = await db.selectFrom('unlinked_bot').select('id').where('user_id', '=', userId).execute()
  return rows.map((row) => row.id)
}

/** Forgets removed bots whose credentials are gone. */
export async function forgetUnlinkedBots(db: Db, botIds: readonly BotId[]): Promise<void> {
  if (botIds.length > 0) await db.deleteFrom('unlinked_bot').where('id', 'in', botIds).execute()
}

/** Returns whether another bot of the user has a label that alerts could not separate from this one. */
export async function hasLabel(db: Db, userId: UserId, label: string, besides?: BotId): Promise<boolean> {
  const row = await db
    .selectFrom('bot')
    .select('id')
    .where('user_id', '=', userId)
    .where(sameLabel(sql.ref('label')), '=', sameLabel(sql`${label}::text`))
    .$if(besides !== undefined, (query) => query.where('id', '!=', besides as BotId))
    .executeTakeFirst()
  return row !== undefined
}

/** The bots of a user as other services know them, their sealed credentials and their switches, oldest first. */
export async function listBotConfigs(
  db: Db,
  userId: UserId,
  userState: TradingState,
): Promise<{ bots: BotConfig[]; credentials: SealedCredentials[]; switches: BotSwitches[] }> {
  const rows = await db
    .selectFrom('bot')
    .leftJoin('close_only_address as address', 'address.bot_id', 'bot.id')
    .selectAll('bot')
    .select('address.token_hash as closeOnlyTokenHash')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return {
    bots: rows.map((row) => toBotConfig(row, userState)),
    credentials: rows.map((row) => ({ userId, botId: row.id, sealed: row.sealed_credentials })),
    switches: rows.map(toSwitches),
  }
}

/** Labels are the same whatever their case and the number of blanks; the unique index has it so, too. */
function sameLabel(label: RawBuilder<unknown>): RawBuilder<string> {
  return sql`lower(regexp_replace(btrim(${label}), ' +', ' ', 'g'))`
}

async function selectBot(
  db: Db,
  userId: UserId,
  botId: BotId,
): Promise<Selectable<Tables['bot']> | undefined> {
  return await db
    .selectFrom('bot')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', botId)
    .executeTakeFirst()
}

async function selectBots(db: Db, userId: UserId): Promise<Selectable<Tables['bot']>[]> {
  return await db
    .selectFrom('bot')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

function toBot(row: Selectable<Tables['bot']>): Bot {
  return {
    id: row.id,
    label: row.label,
    exchange: row.exchange,
    marketType: row.market_type,
    apiKeyPreview: row.api_key_preview,
    isTestnet: row.is_testnet,
    notifyOnTrade: row.notify_on_trade,
    notifyOnError: row.notify_on_error,
    notifyOnFill: row.notify_on_fill,
    createdAt: row.created_at,
    lastTest: row.last_test,
  }
}

function toBotConfig(
  row: Selectable<Tables['bot']> & { closeOnlyTokenHash: string | null },
  userState: TradingState,
): BotConfig {
  return {
    id: row.id,
    label: row.label,
    exchange: row.exchange,
    marketType: row.market_type,
    isTestnet: row.is_testnet,
    tradingState: stricterState(row.trading_state, userState),
    maxEntryAgeS: row.max_entry_age_s,
    exitRetryS: row.exit_retry_s,
    ...(row.max_order_value !== null && { maxOrderValue: row.max_order_value }),
    ...(row.closeOnlyTokenHash !== null && { closeOnlyTokenHash: row.closeOnlyTokenHash }),
  }
}

function toSwitches(row: Selectable<Tables['bot']>): BotSwitches {
  return {
    id: row.id,
    label: row.label,
    onTrade: row.notify_on_trade,
    onError: row.notify_on_error,
    onFill: row.notify_on_fill,
  }
}
