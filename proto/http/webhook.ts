import { z } from 'zod'
import { OverallStatus } from '../alert.ts'

/** The largest body of an alert, in bytes. */
export const webhookBodyLimitBytes = 65_536

/** One problem of a message, at its place in the text (line and column count from 1, offsets in UTF-16). */
export const DiagnosticView = z.object({
  code: z.string(),
  message: z.string(),
  line: z.int().optional(),
  column: z.int().optional(),
  offset: z.int().optional(),
  length: z.int().optional(),
  cause: z.string().optional().describe("the fault, in the user's words"),
  excerpt: z.string().optional().describe('the line of the source and, below it, a caret at the place'),
  expected: z.string().optional().describe('the right form'),
  suggestion: z.string().optional().describe('the word that was probably meant'),
  fix: z
    .object({ offset: z.int(), length: z.int(), text: z.string() })
    .optional()
    .describe('the edits that mend it'),
})
export type DiagnosticView = z.infer<typeof DiagnosticView>

const CommandView = z.object({
  command: z.string(),
  success: z.boolean(),
  status: z.string(),
  result: z.record(z.string(), z.unknown()).nullable(),
  error: z.string().nullable(),
  error_code: z.string().nullable(),
  execution_time_ms: z.number(),
})

/** The duration of each stage, in ms; a stage that did not happen is absent. */
export const Performance = z.object({
  total_ms: z.number(),
  read_ms: z.number().optional().describe('parsing and checking the message'),
  queue_ms: z.number().optional().describe('made durable and taken by the executor'),
  check_ms: z.number().optional().describe('checked against markets and settings'),
  plan_ms: z.number().optional().describe('until the first order was sent'),
  venue_ms: z.number().optional().describe('until the exchange acknowledged it'),
  settle_ms: z.number().optional().describe('until the last command was finished'),
})
export type Performance = z.infer<typeof Performance>

/** The receipt of an alert, which its owner can check and list. */
const ReceiptView = z
  .object({ number: z.int(), hash: z.string() })
  .optional()
  .describe('the receipt of the alert; absent where it is not stored yet')

/** The answer to an accepted alert: 200 when executed, 202 with status `accepted` when it is still running. */
export const WebhookAnswer = z.object({
  status: z.union([OverallStatus, z.literal('accepted')]),
  message: z.string(),
  error: z.string().nullable(),
  alert_id: z.string(),
  execution_id: z.string(),
  duplicate: z.boolean().optional(),
  resent_as: z
    .string()
    .optional()
    .describe('the alert that this body was taken for a resend of, because nobody had got its answer'),
  diagnostics: z.array(DiagnosticView).optional().describe('warnings and notes about the message'),
  receipt: ReceiptView,
  performance: Performance,
  results: z.array(
    z.object({
      label: z.string(),
      symbol: z.string(),
      execution_id: z.string(),
      status: OverallStatus,
      results: z.array(CommandView),
      commands: z.array(z.object({ command: z.string(), success: z.boolean() })),
    }),
  ),
})
export type WebhookAnswer = z.infer<typeof WebhookAnswer>

/** The answer to a refused alert; nothing of it was executed, but after a 503 the history knows. */
export const WebhookRefusal = z.object({
  status: z.literal('failed'),
  error: z.string(),
  message: z.string(),
  detail: z.string(),
  error_code: z.string(),
  alert_id: z.string().optional(),
  diagnostics: z.array(DiagnosticView).optional(),
  retry_after: z.int().optional(),
  receipt: ReceiptView,
})
export type WebhookRefusal = z.infer<typeof WebhookRefusal>
