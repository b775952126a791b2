import type { z } from 'zod'
import { withDeadline } from '../with-deadline.ts'

/** How long the exchange may take for one answer; a test asks four times at most. */
export const answerMs = 2500

/** What became of one question: nothing of the request is in it, since requests hold keys and signatures. */
export type VenueAnswer<Value> =
  | { outcome: 'answered'; value: Value }
  | { outcome: 'refused'; code: number }
  | { outcome: 'unreachable' }

// Binance says `code`, Bybit `retCode`. The library's classes are no guide: they depend on the host's name.
const codeInMessage = /"(?:code|retCode)"\s*:\s*"?(-?\d+)/

/** Asks the exchange something and reads the answer. */
export async function askVenue<Schema extends z.ZodType>(
  asking: Promise<unknown>,
  schema: Schema,
): Promise<VenueAnswer<z.output<Schema>>> {
  try {
    const read = schema.safeParse(await withDeadline(asking, answerMs))
    return read.success ? { outcome: 'answered', value: read.data } : { outcome: 'unreachable' }
  } catch (error) {
    const code = error instanceof Error ? codeInMessage.exec(error.message)?.[1] : undefined
    return code === undefined ? { outcome: 'unreachable' } : { outcome: 'refused', code: Number(code) }
  }
}
