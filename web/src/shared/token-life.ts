// So that a token is not over by the time it arrives.
const wayMs = 10_000

/** Whether an access token is over, or is about to be; so is one that cannot be read. */
export function isOver(token: string, nowMs: number): boolean {
  const endS = endOf(token)
  return endS === undefined || endS * 1000 - wayMs <= nowMs
}

// Read by hand: nothing is decided by it but when to ask for a newer one.
function endOf(token: string): number | undefined {
  const [, claims = ''] = token.split('.')
  try {
    const read: { exp?: unknown } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof read.exp === 'number' ? read.exp : undefined
  } catch {
    return undefined
  }
}
