import { type ExecutionEvent, eventIdOf } from '@tripline/proto/event'
import { exchangeMarketOf } from '@tripline/proto/exchange'
import type { AlertId, UserId } from '@tripline/proto/id'
import type { BotConfig } from '@tripline/proto/user-config'
import type { Refusal } from './refusal.ts'

export type RefusedEvent = Extract<ExecutionEvent, { kind: 'alert.refused' }>

/** An alert on a valid token that is not executed. */
export interface RefusedAlert {
  alertId: AlertId
  userId: UserId
  /** The text as it was received; empty where it was too large to be read. */
  message: string
  /** The body as it was received, where the message is not the whole of it. */
  body?: string
  receivedAt: number
  /** The first bot it names, where that much could be read. */
  bot: BotConfig | undefined
}

/** The event from which history and live screen know of a refused alert. */
export function refusedEvent(
  { bot, ...alert }: RefusedAlert,
  { errorCode, text }: Refusal,
  at: number,
): RefusedEvent {
  return {
    kind: 'alert.refused',
    eventId: eventIdOf(alert.alertId, '-', 'refused'),
    at,
    ...alert,
    botId: bot?.id ?? null,
    label: bot?.label ?? null,
    symbol: null,
    exchange: (bot && exchangeMarketOf(bot.exchange, bot.marketType)) ?? null,
    errorCode,
    error: text,
  }
}
