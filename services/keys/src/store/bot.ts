import type { BotId, UserId } from '@tripline/proto/id'
import type { Bot } from '@tripline/proto/key-request'
import type { BotConfig, SealedCredentials } from '@tripline/proto/user-config'
import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from './database.ts'

/** Keeps a new bot with its sealed credentials; false when the user has one of this label already. */
export async function insertBot(db: Db, userId: UserId, bot: Bot, sealed: string): Promise<boolean> {
  const kept = await db
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
  return kept !== undefined
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
): Promise<(Pick<Bot, 'exchange' | 'isTestnet'> & { sealed: string }) | undefined> {
  const row = await db
    .selectFrom('bot')
    .select(['exchange', 'is_testnet', 'sealed_credentials'])
    .where('user_id', '=', userId)
    .where('id', '=', botId)
    .executeTakeFirst()
  return row && { exchange: row.exchange, isTestnet: row.is_testnet, sealed: row.sealed_credentials }
}

/** Whether a user has a bot of this label, in any spelling of upper and lower case. */
export async function hasLabel(db: Db, userId: UserId, label: string): Promise<boolean> {
  const row = await db
    .selectFrom('bot')
    .select('id')
    .where('user_id', '=', userId)
    .where(sql<string>`lower(label)`, '=', sql<string>`lower(${label})`)
    .executeTakeFirst()
  return row !== undefined
}

/** The bots of a user as other services know them, and their sealed credentials, oldest first. */
export async function listBotConfigs(
  db: Db,
  userId: UserId,
): Promise<{ bots: BotConfig[]; credentials: SealedCredentials[] }> {
  const rows = await selectBots(db, userId)
  return {
    bots: rows.map(toBotConfig),
    credentials: rows.map((row) => ({ userId, botId: row.id, sealed: row.sealed_credentials })),
  }
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
  }
}

function toBotConfig(row: Selectable<Tables['bot']>): BotConfig {
  return {
    id: row.id,
    label: row.label,
    exchange: row.exchange,
    marketType: row.market_type,
    isTestnet: row.is_testnet,
    tradingState: row.trading_state,
    maxEntryAgeS: row.max_entry_age_s,
  }
}
