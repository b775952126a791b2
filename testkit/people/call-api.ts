/** A call of the public API; without a body it reads. */
interface ApiCall {
  accessToken?: string
  body?: object
  /** POST where a body goes along and nothing else is said. */
  method?: string
}

/** Calls the public API of a product; answers its JSON. Anything but success is thrown, with what was answered. */
export async function callApi(
  webUrl: string,
  route: string,
  { accessToken, body, method = 'POST' }: ApiCall = {},
): Promise<unknown> {
  const response = await fetch(new URL(route, webUrl), {
    headers: {
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { method, body: JSON.stringify(body) }),
  })
  const { ok, status } = response
  if (!ok) throw new Error(`${route} answered ${status}: ${await response.text()}`, { cause: { status } })
  return await response.json()
}
