const numbered = [2, 3, 4, 5, 6, 7, 8, 9]

/** The username to begin with: the wished one, the part of the email before the @ if none is wished. */
export function wishedUsername(wished: string, email: string): string {
  return wished.trim() || (email.split('@')[0] ?? email)
}

/** The usernames to try in turn: the wished one, then numbered ones, and last one that ends in the user's own id. */
export function usernameCandidates(wished: string, userId: string): string[] {
  return [wished, ...numbered.map((number) => `${wished}${number}`), `${wished}-${userId.slice(-12)}`]
}
