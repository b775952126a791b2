import type { Trouble } from '../faulty.ts'
import type { Dialect } from './dialect.ts'
import { unauthorized } from './errors.ts'
import type { Failure } from './outcome.ts'

const UNKNOWN = 'An unknown error occurred while processing the request.'

/** The venue's texts of a code when the cause is its own. */
const TEXTS: Readonly<Record<number, string>> = {
  [-1000]: UNKNOWN,
  [-1001]: 'Internal error; unable to process your request. Please try again.',
  [-1006]: 'An unexpected response was received from the message bus. Execution status unknown.',
  [-1007]: 'Timeout waiting for response from backend server. Send status unknown; execution status unknown.',
  [-1008]: 'Server is currently overloaded with other requests. Please try again in a few minutes.',
  [-1015]: 'Too many new orders.',
  [-1016]: 'This service is no longer available.',
  [-1021]: 'Timestamp for this request is outside of the recvWindow.',
  [-1022]: 'Signature for this request is not valid.',
  [-2010]: 'NEW_ORDER_REJECTED',
  [-2011]: 'Unknown order sent.',
  [-2013]: 'Order does not exist.',
  [-2014]: 'API-key format invalid.',
  [-2015]: unauthorized().message,
}

/** The venue's text for a code, or its text for what it cannot explain. */
export function textOf({ texts }: Pick<Dialect, 'texts'>, code: number): string {
  return texts[code] ?? TEXTS[code] ?? UNKNOWN
}

const UNSURE = 'Unknown error, please check your request or try again later.'

const RETRY_AFTER_S: Readonly<Record<number, number>> = { 429: 1, 418: 120 }

// The code the venue sends with a status when it is in trouble.
function codeBehind(status: number, done: boolean): number {
  if (status === 429 || status === 418) return -1003
  if (status === 408 || status === 504) return -1007
  return status === 503 && !done ? -1016 : -1000
}

/**
 * Returns the venue's failure with a status when it is in trouble; with 503 the text says whether anything was done.
 */
export function failureBehind(dialect: Dialect, trouble: Trouble, done: boolean, now: number): Failure {
  const { status, retryAfterS = RETRY_AFTER_S[status] } = trouble
  const code = codeBehind(status, done)
  const message = troubleText(dialect, { status, retryAfterS }, done, now)
  return { status, code, message, ...(retryAfterS !== undefined && { retryAfterS }) }
}

function troubleText(
  dialect: Dialect,
  { status, retryAfterS = 0 }: Trouble,
  done: boolean,
  now: number,
): string {
  if (status === 418) return dialect.banned(now + retryAfterS * 1_000)
  if (status === 429) return dialect.tooMuchWeight(dialect.limits.weight)
  if (status === 503) return done ? UNSURE : 'Service Unavailable.'
  if (status === 408 || status === 504) return textOf(dialect, -1007)
  return status >= 500 ? UNSURE : UNKNOWN
}
