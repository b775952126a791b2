import { authorizedFetch } from './authorized-fetch.ts'
import { expiredLoginPath, paths } from './paths.ts'
import { clearLegacyTokens, clearTokens } from './tokens.ts'

// Both leave by a full page load, so that nothing of one person's session stays in memory for the next.

let keep: () => void = () => undefined

/** Does this before a page is left because its session is over, to keep what would be lost. */
export function beforeExpiry(work: () => void): void {
  keep = work
}

/** Ends the session that the server no longer takes, and asks for a new login unless one is being made. */
export function expireSession(): void {
  clearLegacyTokens()
  if (location.pathname === paths.login) return
  keep()
  clearTokens()
  location.assign(expiredLoginPath(location.pathname + location.search))
}

/** Ends the session because its owner says so. */
export function logout(): void {
  const request = new Request('/api/auth/logout', { method: 'POST', keepalive: true })
  // Logged out here even where the server cannot be told.
  authorizedFetch(request).catch(() => undefined)
  clearTokens()
  clearLegacyTokens()
  location.assign(paths.login)
}
