import { z } from 'zod'
import { DecimalText } from '../decimal.ts'
import { executionOutcomes, executionSorts, longestSearch } from '../history-request.ts'
import { StorableText } from '../storable-text.ts'

const notMoment = 'must be a time from 1970 to 2999 in ISO 8601 with its zone, such as 2026-11-21T12:00:00Z'
const beyond = Date.UTC(3000, 0)

/** A moment as a filter names it; empty is none. */
const Moment = z
  .union(
    [
      z.literal(''),
      z.iso
        .datetime({ offset: true })
        .refine((text) => Date.parse(text) >= 0 && Date.parse(text) < beyond, { error: notMoment }),
    ],
    { error: notMoment },
  )
  .optional()

const filters = {
  api_key_label: StorableText.max(50).optional(),
  exchange: StorableText.max(32).optional(),
  symbol: StorableText.max(40).optional(),
  command_type: StorableText.max(32).optional(),
  overall_status: z.enum(['success', 'partial', 'failed', 'running', '']).optional(),
  outcome: z
    .enum([...executionOutcomes, ''])
    .optional()
    .describe(
      'late: an entry was not made since its alert was too old (E515); refused: nothing of the alert was executed; ' +
        'repeated: the alert came again before anybody had its answer; ' +
        'slipped: a market order was filled worse than the price it is compared with, where there is one, by 0.005 % or more',
    ),
  from: Moment.describe('received at this moment or later'),
  to: Moment.describe('received before this moment'),
  search: StorableText.max(longestSearch)
    .optional()
    .describe(
      'a part of the message, or the whole of an error code, order id, client order id, alert id or id',
    ),
}

const sort = z
  .enum([...executionSorts, ''])
  .optional()
  .describe('`newest` first where it is left out; `slowest` is by `total_ms`')

const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}

/** The filters of executions; an empty one is none. */
export const ExecutionFilter = z.object(filters)
export type ExecutionFilter = z.infer<typeof ExecutionFilter>

/** `GET /api/webhook-executions`, page by offset, or by the last page's cursor, which new executions do not shift. */
export const ExecutionQuery = z.object({
  offset: wholeNumber(0, 1_000_000).default(0),
  limit: wholeNumber(1, 100).default(20),
  cursor: StorableText.max(40).optional().describe('`next_cursor` of the page before, in the same order'),
  sort,
  ...filters,
})
export type ExecutionQuery = z.infer<typeof ExecutionQuery>

/** One command of an execution in the history. */
export const ExecutedCommand = z.object({
  type: z.string(),
  symbol: z.string(),
  params: z.record(z.string(), z.string()),
  status: z.string(),
  execution_time_ms: z.number().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  result: z.record(z.string(), z.unknown()).nullable(),
})
export type ExecutedCommand = z.infer<typeof ExecutedCommand>

/** One execution in the history; `exchange` is the combined word of exchange and market. */
export const ExecutionView = z.object({
  id: z.string(),
  alert_id: z.string(),
  created_at: z.iso.datetime(),
  api_key_label: z.string().nullable(),
  exchange: z.string().nullable(),
  symbol: z.string().nullable(),
  overall_status: z.enum(['success', 'partial', 'failed', 'running']),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  total_ms: z.number().nullable(),
  close_only: z.boolean().describe("whether the alert came at the API key's close-only address"),
  webhook_payload: z.object({ message: z.string() }),
  commands_executed: z.array(ExecutedCommand),
})
export type ExecutionView = z.infer<typeof ExecutionView>

/** A page of the history. */
export const ExecutionPage = z.object({
  executions: z.array(ExecutionView),
  total: z.int(),
  has_more: z.boolean(),
  next_cursor: z.string().nullable().describe('asks for the page behind this one'),
})
export type ExecutionPage = z.infer<typeof ExecutionPage>

/** `GET /api/webhook-executions/export`: everything that the filters choose. */
export const ExportQuery = z.object({ format: z.enum(['csv', 'json']).default('csv'), sort, ...filters })

const Amounts = z.array(z.object({ coin: z.string(), amount: DecimalText }))

/** `GET /api/webhook-executions/sums`: what the executions that the filters choose come to. */
export const ExecutionSumsView = z.object({
  counts: z.object({ success: z.int(), partial: z.int(), failed: z.int(), running: z.int() }),
  refused: z.int().describe('among the failed ones, those of which nothing was executed'),
  success_rate: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('of the finished ones that were not refused; null where there are none'),
  execution_time_p50_ms: z.number().nullable().describe('of the commands, without wait'),
  execution_time_p95_ms: z.number().nullable(),
  filled: Amounts.describe('bought and sold, as far as it was reported, by the coin that it was paid in'),
  fees: Amounts.describe('as far as they were reported, by their coin; negative where the exchange paid'),
})
export type ExecutionSumsView = z.infer<typeof ExecutionSumsView>

/** `GET /api/webhook-executions/{id}`: one execution with all its events, in order. */
export const FlightView = ExecutionView.extend({
  webhook_payload: z.object({
    message: z.string(),
    body: z.string().nullable().describe('as it was received, where the message is not the whole of it'),
  }),
  stages: z.object({
    queue_ms: z.number().optional().describe('from the receipt until the executor had it'),
    plan_ms: z.number().optional().describe('until the first order was sent'),
    venue_ms: z.number().optional().describe('until the exchange acknowledged it'),
    settle_ms: z.number().optional().describe('until the last command was finished'),
  }),
  events: z.array(
    z.object({
      at: z.iso.datetime(),
      after_ms: z.number().describe('since the receipt, to the microsecond'),
      kind: z.string(),
      command: z.int().nullable().describe('the place of the command it is about'),
      details: z.record(z.string(), z.unknown()),
    }),
  ),
  notification: z
    .object({
      is_on: z.boolean().describe('whether Telegram is set up and on now'),
      is_known: z.boolean().describe('false where it is too long ago'),
      sent_at: z.iso.datetime().nullable().describe('when the last message about it was sent'),
      waiting: z.int().nonnegative().describe('messages about it that wait to be sent'),
      last_error: z.string().nullable().describe('why the last attempt of any message failed'),
    })
    .nullable()
    .describe('null where that cannot be known now'),
})
export type FlightView = z.infer<typeof FlightView>

/** `GET /api/webhook-executions/summary`: what the executions of each API key come to. */
export const ExecutionSummary = z.object({
  last_alert_at: z.iso.datetime().nullable().describe('of any key, or of none'),
  failed_last_hour: z.int(),
  keys: z
    .array(
      z.object({
        api_key_id: z.uuid(),
        api_key_label: z.string(),
        last_alert_at: z.iso.datetime().nullable().describe('null while it was never used'),
        last_execution_id: z.string().nullable(),
        last_status: ExecutionView.shape.overall_status.nullable(),
        executions_24h: z.int(),
        counts_24h: z
          .object({ success: z.int(), partial: z.int(), failed: z.int(), refused: z.int() })
          .nullable()
          .describe(
            'how the finished ones of 24 h ended, the refused ones among the failed; null where not known',
          ),
        success_rate_24h: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .describe('of the finished ones that were not refused'),
        execution_time_p50_ms: z.number().nullable().describe('of the commands of 24 h, without wait'),
        execution_time_p95_ms: z.number().nullable(),
      }),
    )
    .describe('one entry an API key, in the order of GET /api/keys'),
})
export type ExecutionSummary = z.infer<typeof ExecutionSummary>
