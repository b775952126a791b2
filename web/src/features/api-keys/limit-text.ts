const longestAgeS = 86_400
const longestRetryS = 3600

/** Whether a text is an age that alerts can be limited to, in seconds. */
export function isLimitAge(text: string): boolean {
  return isWholeNumber(text, 1, longestAgeS)
}

/** Whether a text is a time for which exits can be tried, in seconds. */
export function isRetryTime(text: string): boolean {
  return isWholeNumber(text, 0, longestRetryS)
}

function isWholeNumber(text: string, least: number, most: number): boolean {
  const value = Number(text)
  return /^\d+$/.test(text.trim()) && value >= least && value <= most
}

/** Whether a text is a value that orders can be limited to; none limits nothing. */
export function isLimitValue(text: string): boolean {
  const value = text.trim()
  return value === '' || (/^\d{1,20}(\.\d{1,18})?$/.test(value) && /[1-9]/.test(value))
}
