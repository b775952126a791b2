import { TokenPair } from '@tripline/proto/http/auth'
import { accessToken, clearTokens, refreshToken, storeTokens } from './tokens.ts'

let refreshing: Promise<string | undefined> | undefined

/** A fetch with the access token; one that is no longer taken is refreshed, and the call made once more. */
export async function authorizedFetch(request: Request): Promise<Response> {
  const used = accessToken()
  const answer = await fetch(withToken(request.clone(), used))
  if (answer.status !== 401) return answer
  const fresh = await freshToken(used)
  return fresh === undefined ? answer : fetch(withToken(request, fresh))
}

function withToken(request: Request, token: string | null): Request {
  if (token !== null) request.headers.set('authorization', `Bearer ${token}`)
  return request
}

/** A token newer than the one that was refused; undefined when there is none to be had. */
async function freshToken(refused: string | null): Promise<string | undefined> {
  const stored = accessToken()
  if (stored !== null && stored !== refused) return stored
  refreshing ??= refresh().finally(() => {
    refreshing = undefined
  })
  return refreshing
}

async function refresh(): Promise<string | undefined> {
  const token = refreshToken()
  if (token === null) return undefined
  const tokens = await askForTokens(token).catch(() => undefined)
  if (tokens === undefined) clearTokens()
  else storeTokens(tokens)
  return tokens?.access_token
}

async function askForTokens(refreshToken: string): Promise<TokenPair> {
  const answer = await fetch('/api/auth/refresh', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: refreshToken }),
  })
  return TokenPair.parse(await answer.json())
}
