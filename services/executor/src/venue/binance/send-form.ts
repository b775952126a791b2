import type { Dispatcher } from 'undici'
import { type Answer, type FreshRequest, isDone, sendFresh } from '../http/send-fresh.ts'
import { parseJson } from '../read/parse-json.ts'
import { RefusalError, readRefusal } from './refusal.ts'
import type { SignedForm } from './signer.ts'

/** One request: a form that is posted, or stands in the address. */
export interface FormRequest {
  method: FreshRequest['method']
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
  const { method, url, form, isPermitted = () => true, timeoutMs } = request
  const { origin, pathname } = url
  const sign = () => {
    const { body, headers } = form()
    if (method === 'POST') return { path: pathname, body, headers }
    return { path: body === '' ? pathname : `${pathname}?${body}`, headers }
  }
  const answer = await sendFresh(dispatcher, { method, origin, sign, isPermitted, timeoutMs }, onSent)
  heed(answer)
  if (!isDone(answer.status)) throw new RefusalError(readRefusal(answer.status, answer.text))
  return parseJson(answer.text)
}
