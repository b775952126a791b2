import { z } from 'zod'
import { receiptProblems, receiptStates } from '../intake-request.ts'

const wholeNumber = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}

/** The most receipts that one export has. */
export const mostExported = 1_000_000

/** `GET /api/receipts`: a page of receipts, the newest first. */
export const ReceiptQuery = z.object({
  limit: wholeNumber(1, 100).default(50),
  before: wholeNumber(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('only those of a lower number, as `next_before` of the page before says'),
  state: z.enum([...receiptStates, '']).optional(),
})

/** `GET /api/receipts/export`: receipts from the lowest number on. */
export const ReceiptExportQuery = z.object({
  after: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe(`only those of a higher number; one export has at most ${mostExported}`),
})

/** A receipt: all that its hash is made of, the hash, and what has become of its alert. */
export const ReceiptView = z.object({
  number: z.int().describe('1 for the first receipt of a user, and no number is left out'),
  user_id: z.string(),
  alert_id: z.string(),
  received_at: z.iso.datetime(),
  message_sha256: z.string().describe('of the body as it was received'),
  previous_hash: z.string().describe('of the receipt before; 64 zeros before the first one'),
  hash: z.string(),
  state: z
    .enum(receiptStates)
    .describe(
      'open: the end is not known yet; waiting: nobody has begun it within a minute; ended; ' +
        'lost: storage lost it, and nothing of it is known to have run; unstored: its answer was a 503, and it was not stored',
    ),
  state_at: z.iso.datetime(),
  message: z.string().nullable().describe('the beginning of what was sent, of an alert that is lost'),
})
export type ReceiptView = z.infer<typeof ReceiptView>

/** A page of receipts, and the newest problems with alerts. */
export const ReceiptPage = z.object({
  receipts: z.array(ReceiptView),
  has_more: z.boolean(),
  next_before: z.int().nullable().describe('asks for the page behind this one'),
  problems: z.array(
    z.object({
      kind: z.enum(receiptProblems),
      alert_id: z.string(),
      found_at: z.iso.datetime(),
      text: z.string(),
    }),
  ),
})
export type ReceiptPage = z.infer<typeof ReceiptPage>
