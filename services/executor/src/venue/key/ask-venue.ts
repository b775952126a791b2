import type { z } from 'zod'
import { withDeadline } from '../http/with-deadline.ts'
import type { Source } from '../read/drift.ts'
import { readFrom } from '../read/read-fields.ts'

/** The time that the exchange may take for one answer; a test asks four times at most. */
export const answerMs = 2500

/** The outcome of one request: nothing of the request is in it, since requests hold keys and signatures. */
export type VenueAnswer<Value> =
  | { outcome: 'answered'; value: Value }
  | { outcome: 'refused'; code: number }
  | { outcome: 'unreachable' }

// Binance says `code`, Bybit `retCode`. The library's classes are no guide: they depend on the host's name.
const codeInMessage = /"(?:code|retCode)"\s*:\s*"?(-?\d+)/

/** Asks the exchange something and reads the answer; one that cannot be read is as none, and noted as a drift. */
export async function askVenue<Schema extends z.ZodType>(
  asking: Promise<unknown>,
  source: Source,
  schema: Schema,
): Promise<VenueAnswer<z.output<Schema>>> {
  try {
    return { outcome: 'answered', value: readFrom(source, schema, await withDeadline(asking, answerMs)) }
  } catch (error) {
    const code = error instanceof Error ? codeInMessage.exec(error.message)?.[1] : undefined
    return code === undefined ? { outcome: 'unreachable' } : { outcome: 'refused', code: Number(code) }
  }
}
