import { cutText, refusedTexts } from '@tripline/proto/cut-text'
import { type ExecutionEvent, eventIdOf } from '@tripline/proto/event'
import { exchangeMarketOf } from '@tripline/proto/exchange'
import type { AlertId, UserId } from '@tripline/proto/id'
import type { BotConfig } from '@tripline/proto/user-config'
import type { Refusal } from './refusal.ts'

// A diagnostic may repeat what was written.
const errorBytes = 512

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
  /** It came at a close-only address. */
  isCloseOnly?: boolean
  /** The first bot it names, where that much could be read. */
  bot: BotConfig | undefined
}

/** The event from which history and live screen know of a refused alert; of its text it has the beginning. */
export function refusedEvent(
  { alertId, userId, bot, receivedAt, isCloseOnly = false, ...texts }: RefusedAlert,
  { errorCode, text }: Pick<Refusal, 'errorCode' | 'text'>,
  at: number,
): RefusedEvent {
  return {
    kind: 'alert.refused',
    // One that could not be confirmed may be executed, or refused by an executor: that is another event.
    eventId: eventIdOf(alertId, '-', errorCode === 'not_durable' ? 'unconfirmed' : 'refused'),
    at,
    alertId,
    userId,
    receivedAt,
    ...refusedTexts(texts),
    ...(isCloseOnly && { isCloseOnly }),
    botId: bot?.id ?? null,
    label: bot?.label ?? null,
    symbol: null,
    exchange: (bot && exchangeMarketOf(bot.exchange, bot.marketType)) ?? null,
    errorCode,
    error: cutText(text, errorBytes),
  }
}

/** The event of a notice to a user, once a day, how much of a quota is spent; the id is that of no alert. */
export function quotaNotice(
  { userId, alertId }: Pick<RefusedAlert, 'userId' | 'alertId'>,
  day: number,
  text: string,
  at: number,
): RefusedEvent {
  const alert = { alertId, userId, message: '', receivedAt: at, bot: undefined }
  const event = refusedEvent(alert, { errorCode: 'quota', text }, at)
  return { ...event, eventId: `${userId}.quota.${day}`, notice: 'quota' }
}
