import type { TokenPair } from '@tripline/proto/http/auth'
import { legacyStorageKeys, storageKeys } from './storage-keys.ts'

/** The access token that calls carry, or null without a session. */
export function accessToken(): string | null {
  return localStorage.getItem(storageKeys.accessToken)
}

/** The token that buys a new access token, or null without a session. */
export function refreshToken(): string | null {
  return localStorage.getItem(storageKeys.refreshToken)
}

/** Keeps the tokens of a session that was opened or refreshed. */
export function storeTokens(tokens: TokenPair): void {
  localStorage.setItem(storageKeys.accessToken, tokens.access_token)
  localStorage.setItem(storageKeys.refreshToken, tokens.refresh_token)
}

/** Forgets the session: its tokens, and the messages that were sent in it, which the next person is not to read. */
export function forgetSession(): void {
  localStorage.removeItem(storageKeys.accessToken)
  localStorage.removeItem(storageKeys.refreshToken)
  localStorage.removeItem(storageKeys.recentWebhooks)
}

/** Removes the stored session of earlier versions. */
export function clearLegacyTokens(): void {
  for (const key of legacyStorageKeys) localStorage.removeItem(key)
}
