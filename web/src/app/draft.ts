/** A message that is being written, as it is stored for its person. */
export function draftText(userId: string, message: string): string {
  return `${userId} ${message}`
}

/** The message that was stored for this person; nobody else gets it. */
export function draftFor(userId: string, stored: string | null): string | undefined {
  return stored?.startsWith(`${userId} `) ? stored.slice(userId.length + 1) : undefined
}
