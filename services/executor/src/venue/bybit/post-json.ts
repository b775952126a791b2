import type { Dispatcher } from 'undici'
import { parseJson } from '../parse-json.ts'
import { readEnvelope } from './envelope.ts'
import { RefusalError, type VenueRefusal } from './refusal.ts'
import type { SignedBody } from './signer.ts'

/** What the venue answered to a post: its result, and how many such requests it allows a second. */
export interface Posted {
  result: unknown
  limit: number | undefined
}

interface Answered {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/**
 * Posts a body and answers the venue's result; throws a `RefusalError` for anything else that the venue says. Calls
 * back once the request is on the wire.
 */
export async function postJson(
  dispatcher: Dispatcher,
  url: URL,
  signed: SignedBody,
  timeoutMs: number,
  onSent: () => void,
): Promise<Posted> {
  const { status, headers, text } = await exchange(dispatcher, url, signed, timeoutMs, onSent)
  if (status < 200 || status >= 300) throw new RefusalError(refusalOf(status, text))
  const { code, words, result } = readEnvelope(parseJson(text))
  if (code !== 0) throw new RefusalError({ status, code, text: words })
  const limit = Number(headers['x-bapi-limit'])
  return { result, limit: limit > 0 ? limit : undefined }
}

// Where the status is the venue's, what cannot be read leaves open what became of the request.
function refusalOf(status: number, text: string): VenueRefusal {
  try {
    const { code, words } = readEnvelope(parseJson(text))
    return { status, code, text: words }
  } catch {
    return { status, code: 0, text: `answered with status ${status}` }
  }
}

async function exchange(
  dispatcher: Dispatcher,
  { origin, pathname }: URL,
  { body, headers }: SignedBody,
  timeoutMs: number,
  onSent: () => void,
): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  const answered: Answered = { status: 0, headers: {}, text: '' }
  const chunks: Buffer[] = []
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  dispatcher.dispatch(
    { origin, path: pathname, method: 'POST', body, headers, ...limits },
    {
      // The head and the body are written in the turn that begins the request.
      onRequestStart: () => queueMicrotask(onSent),
      onResponseStart: (_controller, status, answerHeaders) =>
        void Object.assign(answered, { status, headers: answerHeaders }),
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve({ ...answered, text: Buffer.concat(chunks).toString('utf8') }),
      onResponseError: (_controller, error) => reject(error),
    },
  )
  return await promise
}
