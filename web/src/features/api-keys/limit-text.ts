const longestAgeS = 86_400

/** Whether a text is an age that alerts can be limited to, in seconds. */
export function isLimitAge(text: string): boolean {
  const age = Number(text)
  return /^\d+$/.test(text.trim()) && age >= 1 && age <= longestAgeS
}

/** Whether a text is a value that orders can be limited to; none limits nothing. */
export function isLimitValue(text: string): boolean {
  const value = text.trim()
  return value === '' || (/^\d{1,20}(\.\d{1,18})?$/.test(value) && /[1-9]/.test(value))
}
