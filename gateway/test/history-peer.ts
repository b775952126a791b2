import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import {
  type BotFigures,
  type Execution,
  getExecution,
  listExecutions,
  sumExecutions,
  summarizeExecutions,
} from '@tripline/proto/history-request'
import type { BotId, UserId } from '@tripline/proto/id'

interface Known {
  executions: Map<UserId, Execution[]>
  figures: Map<BotId, Omit<BotFigures, 'botId'>>
  asked: { subject: string; value: unknown }[]
}

const noFigures = { last: null, executions: 0, successRate: null, medianMs: null, p95Ms: null }

// Plays history, which returns fewer than asked for when they are large.
const mostInReply = 3

/** Plays history over the real bus; returns the stop functions of each answer. */
export function playHistory(bus: Bus, known: Known): (() => void)[] {
  return [
    serve(bus, listExecutions, async (asked) => {
      known.asked.push({ subject: listExecutions.subject, value: asked })
      const all = known.executions.get(asked.userId) ?? []
      const seen = all.findIndex(({ id }) => id === asked.before)
      const rest = all.slice(seen + 1 + asked.offset)
      const executions = rest.slice(0, Math.min(asked.limit, mostInReply))
      const hasMore = executions.length < rest.length
      return { executions, total: asked.withTotal ? all.length : null, hasMore }
    }),
    serve(bus, summarizeExecutions, async (asked) => {
      known.asked.push({ subject: summarizeExecutions.subject, value: asked })
      const bots = asked.botIds.map((botId) => ({ botId, ...(known.figures.get(botId) ?? noFigures) }))
      const lastAt = bots.map(({ last }) => last?.createdAt).find((at) => at !== undefined) ?? null
      return { lastAt, failedLastHour: 2, bots }
    }),
    serve(bus, sumExecutions, async (asked) => {
      known.asked.push({ subject: sumExecutions.subject, value: asked })
      const success = known.executions.get(asked.userId)?.length ?? 0
      const counts = { success, partial: 0, failed: 0, running: 0 }
      const filled = [{ coin: 'USDT', amount: '1200.5' }]
      return { counts, refused: 0, successRate: 1, medianMs: 3.5, p95Ms: null, filled, fees: [] }
    }),
    serve(bus, getExecution, async ({ userId, id }) => {
      const execution = known.executions.get(userId)?.find((one) => one.id === id)
      if (execution === undefined) throw new RefusedError('not_found', 'Execution not found')
      const details = { venueOrderId: '42', roundTripMs: 1.5 }
      const event = { at: Date.parse(execution.createdAt) + 2, afterMs: 2.125, kind: 'order.acknowledged' }
      return { execution, body: '{}', stages: { venueMs: 1.5 }, events: [{ ...event, command: 0, details }] }
    }),
  ]
}
