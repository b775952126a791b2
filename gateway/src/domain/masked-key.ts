const shownCharacters = 4

/** Returns the part of an API key that may be shown: its ends, and of a short one nothing. */
export function maskedKey(apiKey: string): string {
  if (apiKey.length < shownCharacters * 4) return '…'
  return `${apiKey.slice(0, shownCharacters)}…${apiKey.slice(-shownCharacters)}`
}
