const hourMs = 3_600_000

/** The time for which a mail's link works. */
export const linkLifeMs = { verify: 24 * hourMs, reset: hourMs }

/** So long after its first use a verification link answers as it did then: mail programs and people open links twice. */
const repeatMs = hourMs

/** A mailed token as it is stored; moments are in ms. */
export interface MailTokenLife {
  expiresAt: number
  usedAt: number | null
}

/** Returns what is to be done about a verification token now. */
export function judgeVerification(token: MailTokenLife, nowMs: number): 'verify' | 'repeat' | 'over' {
  if (token.usedAt !== null) return nowMs < token.usedAt + repeatMs ? 'repeat' : 'over'
  return nowMs < token.expiresAt ? 'verify' : 'over'
}

/** Whether a reset token can still be used, once. */
export function isResetOpen(token: MailTokenLife, nowMs: number): boolean {
  return token.usedAt === null && nowMs < token.expiresAt
}
