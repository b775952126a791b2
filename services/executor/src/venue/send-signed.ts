import type { Dispatcher } from 'undici'
import { z } from 'zod'

/** A signed POST as the library makes it. */
export const SignedRequest = z.object({
  url: z.url(),
  body: z.string(),
  headers: z.record(z.string(), z.string()),
})
export type SignedRequest = z.infer<typeof SignedRequest>

/**
 * Posts a signed request as it is, on a free connection before this returns, and answers the JSON; throws what the
 * venue said with any status but 200. The library's own sender takes its time before the first byte.
 */
export async function sendSigned(
  dispatcher: Dispatcher,
  { url, body, headers }: SignedRequest,
  timeoutMs: number,
): Promise<unknown> {
  const { origin, pathname } = new URL(url)
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
