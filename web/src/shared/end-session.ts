import { authorizedFetch } from './authorized-fetch.ts'
import { expiredLoginPath, paths } from './paths.ts'
import { storageKeys } from './storage-keys.ts'
import { clearLegacyTokens, forgetSession } from './tokens.ts'

// Both leave by a full page load, so that nothing of one person's session stays in memory for the next.

/** Whether the person is on the way out: what the server no longer takes then is no session that expired. */
let isLeaving = false
let keep: () => void = () => undefined

/** Does this before a page is left because its session is over, to keep what would be lost. */
export function beforeExpiry(work: () => void): void {
  keep = work
}

/** Ends the session that the server no longer takes, and asks for a new login unless one is being made. */
export function expireSession(): void {
  clearLegacyTokens()
  if (location.pathname === paths.login || isLeaving) return
  keep()
  forgetSession()
  location.assign(expiredLoginPath(location.pathname + location.search))
}

const longestGoodbyeMs = 3000

/** Ends the session because its owner says so, here even if the server cannot be reached. */
export async function logout(): Promise<void> {
  isLeaving = true
  const request = new Request('/api/auth/logout', { method: 'POST', keepalive: true })
  // The tokens stay until it has answered: one that ran out is refreshed to end the session with.
  const ended = authorizedFetch(request).catch(() => undefined)
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, longestGoodbyeMs))])
  forgetSession()
  clearLegacyTokens()
  for (const key of [storageKeys.draft, storageKeys.livePosition]) sessionStorage.removeItem(key)
  location.assign(paths.login)
}
