import { z } from 'zod'

/** `GET /api/webhook-executions`, page by offset; an empty filter is no filter. */
export const ExecutionQuery = z.object({
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  api_key_label: z.string().max(50).optional(),
  exchange: z.string().max(32).optional(),
  symbol: z.string().max(40).optional(),
  command_type: z.string().max(32).optional(),
  overall_status: z.enum(['success', 'partial', 'failed', 'running', '']).optional(),
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
  webhook_payload: z.object({ message: z.string() }),
  commands_executed: z.array(ExecutedCommand),
})
export type ExecutionView = z.infer<typeof ExecutionView>

/** A page of the history, newest first. */
export const ExecutionPage = z.object({
  executions: z.array(ExecutionView),
  total: z.int(),
  has_more: z.boolean(),
})
export type ExecutionPage = z.infer<typeof ExecutionPage>
