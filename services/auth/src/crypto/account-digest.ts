import { createHash } from 'node:crypto'

/**
 * Returns the digest under which an email is counted, in any spelling of upper and lower case, with or without an
 * account.
 */
export function accountDigest(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url').slice(0, 22)
}
