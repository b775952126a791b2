import type { Call } from '@tripline/proto/http/calls'

interface Calling {
  accessToken?: string | undefined
  timeoutMs?: number
}

/** Makes a call of a product's API and returns what is answered; anything but success is thrown, `cause.status` says which. */
export async function callApi<Answer>(
  webUrl: string,
  { url, method = 'GET', body, params = {} }: Call<Answer>,
  { accessToken, timeoutMs }: Calling = {},
): Promise<Answer> {
  const address = new URL(url, webUrl)
  for (const [name, value] of Object.entries(params))
    if (value !== undefined) address.searchParams.set(name, String(value))
  const response = await fetch(address, {
    method,
    headers: {
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(timeoutMs !== undefined && { signal: AbortSignal.timeout(timeoutMs) }),
  })
  const { ok, status } = response
  const text = await response.text()
  if (!ok) throw new Error(`${url} answered ${status}: ${text}`, { cause: { status } })
  return JSON.parse(text || 'null')
}
