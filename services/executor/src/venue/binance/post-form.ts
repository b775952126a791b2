import type { Dispatcher } from 'undici'
import type { SignedForm } from './signer.ts'

/**
 * Posts a form, on a free connection before this returns, and answers the JSON; throws what the venue said with any
 * status but 200. The library's own sender takes its time before the first byte.
 */
export async function postForm(
  dispatcher: Dispatcher,
  url: URL,
  { body, headers }: SignedForm,
  timeoutMs: number,
): Promise<unknown> {
  const { origin, pathname } = url
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const chunks: Buffer[] = []
  let status = 0
  dispatcher.dispatch(
    { origin, path: pathname, method: 'POST', body, headers, ...limits },
    {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode) => {
        status = statusCode
      },
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: () => resolve({ status, text: Buffer.concat(chunks).toString('utf8') }),
      onResponseError: (_controller, error) => reject(error),
    },
  )
  const answer = await promise
  if (answer.status !== 200) throw new Error(answer.text)
  return JSON.parse(answer.text)
}
