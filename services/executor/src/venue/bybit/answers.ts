import { z } from 'zod'
import type { Source } from '../read/drift.ts'
import { Decimal, spare, Text } from '../read/read-fields.ts'

/** Returns what something of a category is read from: the path of the call with dots, or a topic with `ws.` before it. */
export function sourceOf(category: 'linear' | 'spot', call: string): Source {
  return { venue: `bybit-${category}`, call }
}

/** A decimal that the venue leaves empty where there is nothing to report. */
export const Amount = z.union([z.literal('').transform(() => '0'), Decimal])

/** An amount that nothing is decided on alone: zero where it is missing. */
export const spareAmount = (field: string) => spare(field, Decimal, '0')

/** The rows of one page of an answer, and where the next one begins. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({
    result: z.object({ list: z.array(row), nextPageCursor: spare('nextPageCursor', Text, '') }),
  })
}

/** An answer of which only the rows matter. */
export function rowsOf<Row extends z.ZodType>(row: Row) {
  return pageOf(row).transform(({ result }) => result.list)
}

/** The answer to a create or a cancel: the ids only, the outcome is reported elsewhere. One of them is enough. */
export const Acknowledgement = z
  .object({ orderId: spare('orderId', Text, ''), orderLinkId: spare('orderLinkId', Text, '') })
  .refine(({ orderId, orderLinkId }) => orderId !== '' || orderLinkId !== '', 'no id of an order')
export type Acknowledgement = z.infer<typeof Acknowledgement>
