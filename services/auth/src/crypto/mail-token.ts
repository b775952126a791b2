import { createHash, randomBytes } from 'node:crypto'

/** A new token for the link of a mail; only its hash is stored. */
export function newMailToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashMailToken(token) }
}

/** Returns the form in which a token is stored. It holds 256 random bits, so a plain hash is enough. */
export function hashMailToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
