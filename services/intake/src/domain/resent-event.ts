import type { AlertBlock } from '@tripline/proto/alert'
import { type ExecutionEvent, eventIdOf } from '@tripline/proto/event'
import { exchangeMarketOf } from '@tripline/proto/exchange'
import { type AlertId, executionIdOf, type UserId } from '@tripline/proto/id'
import type { BotConfig } from '@tripline/proto/user-config'

export type ResentEvent = Extract<ExecutionEvent, { kind: 'execution.received' }>

/** A body that was taken for a resend of an earlier alert. */
export interface ResentAlert {
  /** The earlier one. */
  alertId: AlertId
  userId: UserId
  receivedAt: number
  /** The first block of it, with its bot. */
  block: AlertBlock
  bot: BotConfig
}

/** The event from which the history knows that an alert came again. */
export function resentEvent(
  { alertId, userId, receivedAt, block, bot }: ResentAlert,
  at: number,
): ResentEvent | undefined {
  const exchange = exchangeMarketOf(bot.exchange, bot.marketType)
  if (exchange === undefined) return undefined
  const executionId = executionIdOf(alertId, 0)
  return {
    kind: 'execution.received',
    eventId: eventIdOf(executionId, '-', `resent.${receivedAt}`),
    at,
    userId,
    alertId,
    executionId,
    botId: bot.id,
    label: bot.label,
    exchange,
    symbol: block.symbol,
    message: '',
    receivedAt,
    commands: [],
    resentAs: alertId,
  }
}
