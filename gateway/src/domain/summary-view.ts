import type { BotFigures, summarizeExecutions } from '@tripline/proto/history-request'
import type { ExecutionSummary } from '@tripline/proto/http/execution'
import type { Bot } from '@tripline/proto/key-request'
import type { z } from 'zod'

/** Returns the figures of these bots' executions as HTTP has them. */
export function summaryView(
  bots: readonly Bot[],
  { lastAt, failedLastHour, bots: figures }: z.output<typeof summarizeExecutions.answered>,
): ExecutionSummary {
  const figuresOf = new Map(figures.map((one) => [one.botId, one]))
  return {
    last_alert_at: lastAt,
    failed_last_hour: failedLastHour,
    keys: bots.map((bot) => keySummary(bot, figuresOf.get(bot.id))),
  }
}

function keySummary({ id, label }: Bot, figures: BotFigures | undefined): ExecutionSummary['keys'][number] {
  return {
    api_key_id: id,
    api_key_label: label,
    last_alert_at: figures?.last?.createdAt ?? null,
    last_execution_id: figures?.last?.id ?? null,
    last_status: figures?.last?.status ?? null,
    executions_24h: figures?.executions ?? 0,
    counts_24h: figures?.counts ?? null,
    success_rate_24h: figures?.successRate ?? null,
    execution_time_p50_ms: figures?.medianMs ?? null,
    execution_time_p95_ms: figures?.p95Ms ?? null,
  }
}
