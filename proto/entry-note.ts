import { z } from 'zod'
import { DecimalText } from './decimal.ts'

const botFields = {
  /** The position that it is about: the one of the symbol, or in hedge mode one of its two. */
  positionSide: z.enum(['both', 'long', 'short']),
  at: z.number(),
}

/** A note on an order of a bot, or on a finding of a command, as far as its entries hang on that. */
export const EntryNote = z.discriminatedUnion('of', [
  /** An order that traded, or that rests. */
  z.object({
    of: z.literal('order'),
    ...botFields,
    clientOrderId: z.string(),
    side: z.enum(['buy', 'sell']),
    quantity: DecimalText,
    filled: DecimalText,
    reduceOnly: z.boolean(),
    /** It waits at the exchange. */
    rests: z.boolean(),
    /** It never rests: its command did what it says by itself. */
    isAtOnce: z.boolean(),
    /** Its command can only have opened with it, where the position before it is not known. */
    isEntry: z.literal(true).exactOptional(),
    /** The position before it, where that was read. */
    held: DecimalText.exactOptional(),
    /** The order in the words by which it is known as what closed a position. */
    how: z.string(),
  }),
  /** An order that rested has ended, whatever position it was for. */
  z.object({ of: z.literal('ended'), at: z.number(), clientOrderId: z.string(), filled: DecimalText }),
  /** A command that wants the position closed found that it is. */
  z.object({ of: z.literal('flat'), ...botFields }),
  /** An exit found nothing left of its entry. */
  z.object({ of: z.literal('nothing'), ...botFields }),
])
export type EntryNote = z.infer<typeof EntryNote>
