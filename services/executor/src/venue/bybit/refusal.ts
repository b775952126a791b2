/** The refusal of a venue that did not carry out a request, or does not know whether it did. */
export interface VenueRefusal {
  /** The HTTP status; the venue answers most of its refusals with 200. */
  status: number
  /** The venue's `retCode`; 0 where it answered with a status and nothing that can be read. */
  code: number
  text: string
}

/** Thrown where the venue answered with anything but success. */
export class RefusalError extends Error {
  readonly refusal: VenueRefusal

  constructor(refusal: VenueRefusal) {
    super(`${refusal.text} (${refusal.code})`)
    this.name = 'RefusalError'
    this.refusal = refusal
  }
}

const codeInMessage = /"retCode":\s*"?(-?\d+)/
const textInMessage = /"retMsg":\s*"([^"]*)"/
// The library puts the status behind the address where the body is no JSON of the venue.
const statusInMessage = /^bybit (?:GET|POST) \S+ (\d{3}) /

/**
 * The venue's answer in an error, if it carries one. Library errors are read by the venue's numbers in them; their
 * classes leave out many codes.
 */
export function refusalIn(error: unknown): VenueRefusal | undefined {
  if (error instanceof RefusalError) return error.refusal
  if (!(error instanceof Error)) return undefined
  const code = codeInMessage.exec(error.message)?.[1]
  if (code !== undefined)
    return { status: 200, code: Number(code), text: textInMessage.exec(error.message)?.[1] ?? '' }
  const status = statusInMessage.exec(error.message)?.[1]
  return status === undefined
    ? undefined
    : { status: Number(status), code: 0, text: `answered with status ${status}` }
}

/** Thrown where executions show that there is an order, and no list has it yet. */
export class UnlistedOrderError extends Error {
  constructor() {
    super('the exchange shows executions of the order, and not the order')
    this.name = 'UnlistedOrderError'
  }
}

// Errors of ours, whose messages hold no secret.
const ownErrors = ['DeadlineError', 'UnlistedOrderError']

/** The cause without the request: library messages hold the whole URL. */
export function causeOf(error: unknown): string {
  const refusal = refusalIn(error)
  if (refusal !== undefined) return `${refusal.text} (${refusal.code})`
  if (!(error instanceof Error)) return 'unknown fault'
  return ownErrors.includes(error.name) ? error.message : error.name
}
