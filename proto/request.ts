import { z } from 'zod'
import type { DiagnosticCode, RefusalCode } from './error-code.ts'

/** One request over the bus: where it is asked, what is asked, what is answered. */
export interface RequestContract<
  Asked extends z.ZodType = z.ZodType,
  Answered extends z.ZodType = z.ZodType,
> {
  subject: string
  asked: Asked
  answered: Answered
}

/** The contract of one request, `<service>.<noun>.<verb>`. */
export function requestContract<Asked extends z.ZodType, Answered extends z.ZodType>(
  subject: string,
  asked: Asked,
  answered: Answered,
): RequestContract<Asked, Answered> {
  return { subject, asked, answered }
}

/** One thing wrong with one field of a request. */
export const FieldFault = z.object({ field: z.string(), message: z.string() })
export type FieldFault = z.infer<typeof FieldFault>

/** The reply: the value, or why it was refused. A fault of the service is refused as `unavailable`. */
export type Reply<Value> =
  | { ok: true; value: Value }
  | {
      ok: false
      code: RefusalCode | DiagnosticCode
      message: string
      faults?: FieldFault[]
      retryAfterS?: number
    }
