import type { BotId, UserId } from '@tripline/proto/id'
import type { Trading } from '@tripline/proto/key-request'
import type { TradingState } from '@tripline/proto/user-config'
import type { Db } from './database.ts'

/** Returns how a bot of a user may trade; undefined if the user has no such bot. */
export async function findTrading(db: Db, userId: UserId, botId: BotId): Promise<Trading | undefined> {
  const row = await db
    .selectFrom('bot')
    .select(['trading_state', 'max_entry_age_s', 'exit_retry_s', 'max_order_value'])
    .where('user_id', '=', userId)
    .where('id', '=', botId)
    .executeTakeFirst()
  return (
    row && {
      state: row.trading_state,
      maxEntryAgeS: row.max_entry_age_s,
      exitRetryS: row.exit_retry_s,
      maxOrderValue: row.max_order_value,
    }
  )
}

/** Keeps how a bot of a user may trade. */
export async function setTrading(db: Db, userId: UserId, botId: BotId, trading: Trading): Promise<void> {
  await db
    .updateTable('bot')
    .set({
      trading_state: trading.state,
      max_entry_age_s: trading.maxEntryAgeS,
      exit_retry_s: trading.exitRetryS,
      max_order_value: trading.maxOrderValue,
    })
    .where('user_id', '=', userId)
    .where('id', '=', botId)
    .execute()
}

/** The trading state that all bots of a user have at least. */
export async function findTradingState(db: Db, userId: UserId): Promise<TradingState> {
  const row = await db
    .selectFrom('user_config')
    .select('trading_state')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.trading_state ?? 'active'
}

/** Keeps the trading state that all bots of a user have at least. */
export async function setTradingState(db: Db, userId: UserId, state: TradingState): Promise<void> {
  await db.updateTable('user_config').set({ trading_state: state }).where('user_id', '=', userId).execute()
}
