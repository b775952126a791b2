import type { User } from '@tripline/proto/auth-request'
import type { BotFigures, Execution } from '@tripline/proto/history-request'
import type { BotId, SessionId, UserId } from '@tripline/proto/id'
import type { Bot, Webhook } from '@tripline/proto/key-request'
import type { NotificationSettings } from '@tripline/proto/notification-request'
import type { TradingState } from '@tripline/proto/user-config'
import type { TokenKey } from './access-tokens.ts'

/** The knowledge of the other services, and the requests of the gateway to them. */
export interface Known {
  signingKeys: TokenKey[]
  users: Map<UserId, User>
  endedSessions: Set<SessionId>
  bots: Map<UserId, Bot[]>
  webhooks: Map<UserId, Webhook>
  closeOnly: Map<BotId, string>
  tradingStates: Map<UserId, TradingState>
  notifications: Map<UserId, NotificationSettings>
  /** Why the last message of a user could not be sent. */
  deliveryErrors: Map<UserId, string>
  executions: Map<UserId, Execution[]>
  figures: Map<BotId, Omit<BotFigures, 'botId'>>
  asked: { subject: string; value: unknown }[]
}
