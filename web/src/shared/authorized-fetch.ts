import type { TokenPair } from '@tripline/proto/http/auth'
import { isOver } from './token-life.ts'
import { accessToken, forgetSession, refreshToken, storeTokens } from './tokens.ts'

let refreshing: Promise<string | undefined> | undefined

/**
 * A fetch with the access token; one that is no longer taken is refreshed, and the call made once more. Calls made
 * meanwhile share the one refresh.
 */
export async function authorizedFetch(request: Request): Promise<Response> {
  const used = accessToken()
  const answer = await fetch(withToken(request.clone(), used))
  if (answer.status !== 401 || isLogin(request)) return answer
  const fresh = await freshToken(used)
  return fresh === undefined ? answer : fetch(withToken(request, fresh))
}

/**
 * Returns the access token for a call that shows nobody when it is not taken, refreshed first if its time is over; null
 * if there is no session any more.
 */
export async function lastingToken(): Promise<string | null> {
  const stored = accessToken()
  if (stored === null || !isOver(stored, Date.now())) return stored
  try {
    return (await freshToken(stored)) ?? null
  } catch {
    // Nobody could be asked, and the call may do without.
    return stored
  }
}

// A 401 there speaks of the password, and the same try twice would count twice.
function isLogin({ url }: Request): boolean {
  return new URL(url).pathname === '/api/auth/login'
}

function withToken(request: Request, token: string | null): Request {
  if (token !== null) request.headers.set('authorization', `Bearer ${token}`)
  return request
}

/** A token newer than the one that was refused; undefined when there is none to be had. */
async function freshToken(refused: string | null): Promise<string | undefined> {
  refreshing ??= inOneTab(() => refreshUnlessDone(refused)).finally(() => {
    refreshing = undefined
  })
  return refreshing
}

/** Does this in one tab at a time: a refresh token that is used twice ends its session. */
function inOneTab<T>(work: () => Promise<T>): Promise<T> {
  // Locks exist on https and localhost only.
  return 'locks' in navigator ? navigator.locks.request('session refresh', work) : work()
}

async function refreshUnlessDone(refused: string | null): Promise<string | undefined> {
  const stored = accessToken()
  if (stored !== null && stored !== refused) return stored
  const token = refreshToken()
  return token === null ? undefined : await refresh(token)
}

async function refresh(token: string): Promise<string | undefined> {
  const answer = await fetch('/api/auth/refresh', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refresh_token: token }),
  })
  // Nobody judged the token: the call fails, and the session stays.
  if (answer.status >= 500) throw new Error(`The session could not be refreshed: ${answer.status}`)
  if (!answer.ok) {
    if (refreshToken() === token) forgetSession()
    return undefined
  }
  const tokens: TokenPair = await answer.json()
  // Meanwhile the session was ended, or somebody else's begun.
  if (refreshToken() !== token) return undefined
  storeTokens(tokens)
  return tokens.access_token
}
