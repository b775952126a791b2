import type { Dispatcher } from 'undici'
import { parseJson } from '../parse-json.ts'
import { sendFresh } from '../send-fresh.ts'
import { RefusalError, readRefusal } from './refusal.ts'
import type { SignedForm } from './signer.ts'

/** What the venue answered, and what it said of its limits. */
export interface Answer {
  status: number
  headers: Headers
  text: string
}

export type Headers = Record<string, string | string[] | undefined>

/** One request: a form that is posted, or stands in the address. */
export interface FormRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: URL
  /** Signs the form for now. */
  form: () => SignedForm
  /** Asked right before the first byte is written. */
  isPermitted?: () => boolean
  timeoutMs: number
}

/**
 * Sends a form, on a free connection before this returns, and answers the JSON; throws a `RefusalError` for any status
 * that is not one of success, and a `WithheldError` where it is not permitted. Calls back once the request is on the wire.
 * The library's own sender takes its time before the first byte.
 */
export async function sendForm(
  dispatcher: Dispatcher,
  request: FormRequest,
  heed: (answer: Answer) => void,
  onSent: () => void = () => undefined,
): Promise<unknown> {
  const { isPermitted = () => true, timeoutMs } = request
  const answer = await sendFresh({
    dispatch: async (onWriting) => await exchange(dispatcher, request, onWriting, onSent),
    isPermitted,
    timeoutMs,
  })
  heed(answer)
  if (!isDone(answer.status)) throw new RefusalError(readRefusal(answer.status, answer.text))
  return parseJson(answer.text)
}

/** True for a status of success. */
export function isDone(status: number): boolean {
  return status >= 200 && status < 300
}

function exchange(
  dispatcher: Dispatcher,
  { method, url, form: sign, timeoutMs }: FormRequest,
  onWriting: () => void,
  onSent: () => void,
): Promise<Answer> {
  const { origin, pathname } = url
  const form = sign()
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const answer: Answer = { status: 0, headers: {}, text: '' }
  const chunks: Buffer[] = []
  const sent =
    method === 'POST'
      ? { path: pathname, body: form.body }
      : { path: form.body === '' ? pathname : `${pathname}?${form.body}` }
  dispatcher.dispatch(
    { origin, method, ...sent, headers: form.headers, ...limits },
    {
      onRequestStart: () => {
        onWriting()
        // Head and body are written in the turn that begins the request.
        queueMicrotask(onSent)
      },
      onResponseStart: (_controller, status, headers) => void Object.assign(answer, { status, headers }),
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve({ ...answer, text: Buffer.concat(chunks).toString('utf8') }),
      onResponseError: (_controller, error) => reject(error),
    },
  )
  return promise
}
