import type { Exchange, MarketType } from '@tripline/proto/exchange'
import type { BotId, UserId } from '@tripline/proto/id'
import type { LastKeyTest } from '@tripline/proto/key-test'
import type { AlertFormat } from '@tripline/proto/language/formats/alert-format'
import type { TradingState } from '@tripline/proto/user-config'
import type { ColumnType, Generated, Kysely } from 'kysely'

interface UserConfigTable {
  user_id: UserId
  version: number
  published_version: number
  trading_state: Generated<TradingState>
}

interface WebhookTable {
  user_id: UserId
  token_hash: string
  token_envelope: string
  is_active: boolean
  max_requests_per_minute: number
  alert_format: Generated<AlertFormat>
  only_tradingview: Generated<boolean>
  renewal_id: string | null
}

interface BotTable {
  id: BotId
  user_id: UserId
  label: string
  exchange: Exchange
  market_type: MarketType
  is_testnet: boolean
  api_key_preview: string
  sealed_credentials: string
  notify_on_trade: boolean
  notify_on_error: boolean
  notify_on_fill: boolean
  trading_state: Generated<TradingState>
  max_entry_age_s: Generated<number>
  exit_retry_s: Generated<number>
  max_order_value: string | null
  last_test: ColumnType<LastKeyTest | null, undefined, string>
  created_at: string
}

interface CloseOnlyAddressTable {
  bot_id: BotId
  token_hash: string
  token_envelope: string
}

interface UnlinkedBotTable {
  id: BotId
  user_id: UserId
}

interface PaperAccountTable {
  user_id: UserId
  opened_at: string
}

interface NotificationTable {
  user_id: UserId
  is_enabled: boolean
  sealed_token: string | null
  chat_id: string | null
}

/** The schema `keys`. */
export interface Tables {
  user_config: UserConfigTable
  webhook: WebhookTable
  bot: BotTable
  close_only_address: CloseOnlyAddressTable
  unlinked_bot: UnlinkedBotTable
  paper_account: PaperAccountTable
  notification: NotificationTable
}

/** The schema `keys`, or a transaction on it. */
export type Db = Kysely<Tables>
