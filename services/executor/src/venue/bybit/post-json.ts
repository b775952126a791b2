import type { Dispatcher } from 'undici'
import { isDone, sendFresh } from '../http/send-fresh.ts'
import { parseJson } from '../read/parse-json.ts'
import { readEnvelope } from './envelope.ts'
import { RefusalError, type VenueRefusal } from './refusal.ts'
import type { SignedBody } from './signer.ts'

/** The venue's answer to a post: its result, and the number of such requests that it allows a second. */
export interface Posted {
  result: unknown
  limit: number | undefined
}

/** One request with a JSON body. */
interface JsonRequest {
  url: URL
  /** Signs the body for now. */
  sign: () => SignedBody
  /** Asked right before the first byte is written. */
  isPermitted: () => boolean
  timeoutMs: number
}

/**
 * Posts a body and answers the venue's result; throws a `RefusalError` for anything else that the venue says. Calls
 * back once the request is on the wire. Throws a `WithheldError` where it is not permitted.
 */
export async function postJson(
  dispatcher: Dispatcher,
  request: JsonRequest,
  onSent: () => void,
): Promise<Posted> {
  const { url, sign, isPermitted, timeoutMs } = request
  const fresh = {
    ...({ method: 'POST', origin: url.origin, isPermitted, timeoutMs } as const),
    sign: () => ({ path: url.pathname, ...sign() }),
  }
  const { status, headers, text } = await sendFresh(dispatcher, fresh, onSent)
  if (!isDone(status)) throw new RefusalError(refusalOf(status, text))
  const { code, words, result } = readEnvelope(parseJson(text))
  if (code !== 0) throw new RefusalError({ status, code, text: words })
  const limit = Number(headers['x-bapi-limit'])
  return { result, limit: limit > 0 ? limit : undefined }
}

// With a status from the venue, an answer that cannot be read leaves the outcome of the request open.
function refusalOf(status: number, text: string): VenueRefusal {
  try {
    const { code, words } = readEnvelope(parseJson(text))
    return { status, code, text: words }
  } catch {
    return { status, code: 0, text: `answered with status ${status}` }
  }
}
