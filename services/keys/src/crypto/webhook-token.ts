import { createHash, randomBytes } from 'node:crypto'
import { decrypt, encrypt } from '@tripline/kit/crypto/envelope'
import type { NamedKey } from '@tripline/kit/crypto/named-key'
import type { BotId, UserId } from '@tripline/proto/id'

/** A new token of an address: what it is found by, and itself, encrypted and bound to whose it is. */
export function newWebhookToken(
  keks: readonly [NamedKey, ...NamedKey[]],
  context: string,
): { tokenHash: string; tokenEnvelope: string } {
  const token = randomBytes(32).toString('base64url')
  return {
    tokenHash: createHash('sha256').update(token).digest('hex'),
    tokenEnvelope: encrypt(keks, token, context),
  }
}

/** The token of an address, in clear. */
export function openWebhookToken(keks: readonly NamedKey[], tokenEnvelope: string, context: string): string {
  return decrypt(keks, tokenEnvelope, context)
}

/** Binds the envelope of a user's webhook token to the user. */
export function tokenContext(userId: UserId): string {
  return `keys.webhook.token|${userId}`
}

/** Context that the envelope of a bot's close-only token is bound to. */
export function closeOnlyContext(botId: BotId): string {
  return `keys.close-only.token|${botId}`
}
