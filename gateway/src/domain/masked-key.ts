const shownCharacters = 4

/** What may be shown of an API key: its ends, and of a short one nothing. */
export function maskedKey(apiKey: string): string {
  if (apiKey.length < shownCharacters * 4) return '…'
  return `${apiKey.slice(0, shownCharacters)}…${apiKey.slice(-shownCharacters)}`
}
