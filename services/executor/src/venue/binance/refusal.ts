/** A venue's answer to a request that it did not carry out, or may not have carried out. */
export interface VenueRefusal {
  /** The venue's number; 0 where it gave none. */
  code: number
  text: string
  /** The status of the answer; undefined where only its words are known. */
  status?: number
}

/** Thrown where the venue answers a request of ours with anything but its result. */
export class RefusalError extends Error {
  readonly refusal: VenueRefusal

  constructor(refusal: VenueRefusal) {
    super(`${refusal.text} (${refusal.code})`)
    this.name = 'RefusalError'
    this.refusal = refusal
  }
}

// The code may come as text, and anything between it and the words.
const codeInMessage = /"code"\s*:\s*"?(-?\d+)/
const textInMessage = /"msg"\s*:\s*"((?:[^"\\]|\\.)*)"/

/** Returns the venue's refusal in the body of an answer. */
export function readRefusal(status: number, body: string): VenueRefusal {
  return { ...(saidIn(body) ?? { code: 0, text: `answered with status ${status}` }), status }
}

function saidIn(message: string): Omit<VenueRefusal, 'status'> | undefined {
  const code = codeInMessage.exec(message)?.[1]
  return code === undefined
    ? undefined
    : { code: Number(code), text: textInMessage.exec(message)?.[1] ?? 'no word' }
}

/**
 * Returns the venue's refusal in an error of ours or of the library, if there is one. Classes are no guide: the library
 * derives them from the host name, and its messages hold the venue's JSON either way.
 */
export function refusalIn(error: unknown): VenueRefusal | undefined {
  if (error instanceof RefusalError) return error.refusal
  if (!(error instanceof Error)) return undefined
  return saidIn(error.message)
}

// Errors of ours, whose messages hold no secret.
const ownErrors = ['DeadlineError', 'HeldBackError', 'WithheldError']

/** The cause without the request: library messages hold the whole URL, and with it the signature. */
export function causeOf(error: unknown): string {
  const refusal = refusalIn(error)
  if (refusal !== undefined) return `${refusal.text} (${refusal.code})`
  if (!(error instanceof Error)) return 'unknown fault'
  return ownErrors.includes(error.name) ? error.message : error.name
}
