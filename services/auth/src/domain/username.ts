const numbered = [2, 3, 4, 5, 6, 7, 8, 9]

/**
 * The usernames to try in turn: the wished one (the part of the email before the @ if none is wished), then numbered
 * ones, and last one that ends in the user's own id.
 */
export function usernameCandidates(wished: string, email: string, userId: string): string[] {
  const base = wished.trim() || (email.split('@')[0] ?? email)
  return [base, ...numbered.map((number) => `${base}${number}`), `${base}-${userId.slice(-12)}`]
}
