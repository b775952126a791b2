import { mostBrowserTokens } from '@tripline/proto/most-browser-tokens'
import { storageKeys } from '../../shared/storage-keys.ts'
import { storeText } from '../../shared/store-text.ts'

/** The tokens by which logins know this browser, newest first; they open nothing and outlive the session. */
export function browserTokens(): string[] {
  return readTokens(localStorage.getItem(storageKeys.browserTokens))
}

/** Keeps the token that a login answered, as the newest of a few. */
export function keepBrowserToken(token: string | undefined): void {
  if (token === undefined) return
  storeText(localStorage, storageKeys.browserTokens, JSON.stringify(withToken(browserTokens(), token)))
}

/** Returns the tokens with this one in front, each once and no more than a login takes. */
export function withToken(tokens: readonly string[], token: string): string[] {
  return [token, ...tokens.filter((other) => other !== token)].slice(0, mostBrowserTokens)
}

/** Reads what is stored, whatever that is. */
export function readTokens(stored: string | null): string[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(list)
      ? list.filter((token) => typeof token === 'string').slice(0, mostBrowserTokens)
      : []
  } catch {
    return []
  }
}
