import { createHash, randomBytes } from 'node:crypto'
import { decrypt, encrypt } from '@tripline/kit/envelope'
import type { NamedKey } from '@tripline/kit/named-key'
import type { UserId } from '@tripline/proto/id'

/** A new webhook token of a user: what it is found by, and itself, encrypted. */
export function newWebhookToken(
  keks: readonly [NamedKey, ...NamedKey[]],
  userId: UserId,
): { tokenHash: string; tokenEnvelope: string } {
  const token = randomBytes(32).toString('base64url')
  return {
    tokenHash: createHash('sha256').update(token).digest('hex'),
    tokenEnvelope: encrypt(keks, token, tokenContext(userId)),
  }
}

/** The webhook token of a user, in clear. */
export function openWebhookToken(keks: readonly NamedKey[], userId: UserId, tokenEnvelope: string): string {
  return decrypt(keks, tokenEnvelope, tokenContext(userId))
}

/** What the envelope of a user's webhook token is bound to. */
export function tokenContext(userId: UserId): string {
  return `keys.webhook.token|${userId}`
}
