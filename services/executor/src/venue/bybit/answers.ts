import { DecimalText } from '@tripline/proto/decimal'
import { z } from 'zod'

/** A decimal that the venue leaves empty where there is nothing to tell. */
export const Amount = z
  .string()
  .transform((text) => (text === '' ? '0' : text))
  .pipe(DecimalText)

/** The rows of one page of an answer, and where the next one begins. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({
    result: z.object({ list: z.array(row), nextPageCursor: z.string().optional() }),
  })
}

/** An answer of which only the rows matter. */
export function rowsOf<Row extends z.ZodType>(row: Row) {
  return pageOf(row).transform(({ result }) => result.list)
}

/** What answers a create or a cancel: the ids only, what became of it is told elsewhere. */
export const Acknowledgement = z.object({ orderId: z.string(), orderLinkId: z.string() })
export type Acknowledgement = z.infer<typeof Acknowledgement>
