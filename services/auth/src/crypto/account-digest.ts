import { createHash } from 'node:crypto'

/** What an email is counted under, in any spelling of upper and lower case, whether or not it has an account. */
export function accountDigest(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url').slice(0, 22)
}
