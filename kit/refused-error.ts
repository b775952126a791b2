import { type DiagnosticCode, type RefusalCode, refusals } from '@tripline/proto/error-code'
import type { FieldFault } from '@tripline/proto/request'

/** A request that is answered with why it is not done; its message is for the person who asked. */
export class RefusedError extends Error {
  readonly code: RefusalCode | DiagnosticCode
  readonly faults: FieldFault[] | undefined
  /** After how many seconds it is worth asking again, where that is known. */
  readonly retryAfterS: number | undefined

  constructor(
    code: RefusalCode | DiagnosticCode,
    message: string,
    options?: ErrorOptions & { faults?: FieldFault[]; retryAfterS?: number },
  ) {
    super(message, options)
    this.name = 'RefusedError'
    this.code = code
    this.faults = options?.faults
    this.retryAfterS = options?.retryAfterS
  }
}

/** The HTTP status of a refusal; a diagnostic code is a message that cannot be carried out, 422. */
export function refusalStatus(code: RefusalCode | DiagnosticCode): number {
  return code in refusals ? refusals[code as RefusalCode] : 422
}
