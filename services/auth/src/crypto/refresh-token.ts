import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { decrypt, encrypt } from '@tripline/kit/crypto/envelope'
import type { NamedKey } from '@tripline/kit/crypto/named-key'
import { SessionId } from '@tripline/proto/id'

/**
 * A refresh token is `<session>.<generation>.<proof>`, where the proof is a MAC of the generation under the session's
 * own seed. So the same successor can be given again without any token being stored, and neither the database (where
 * the seed is encrypted) nor the KEK alone can make one.
 */
export interface RefreshToken {
  sessionId: SessionId
  generation: number
  proof: string
}

const form = /^([0-9a-f-]{36})\.(0|[1-9]\d{0,8})\.([A-Za-z0-9_-]{43})$/

/** The parts of a refresh token, or undefined when the text is none. */
export function readRefreshToken(text: string): RefreshToken | undefined {
  const [, id, generation, proof] = form.exec(text) ?? []
  const sessionId = SessionId.safeParse(id)
  if (!sessionId.success || generation === undefined || proof === undefined) return undefined
  return { sessionId: sessionId.data, generation: Number(generation), proof }
}

/** A new seed for the refresh tokens of a session, encrypted for that session. */
export function newRefreshSeed(keks: readonly [NamedKey, ...NamedKey[]], sessionId: SessionId): string {
  return encrypt(keks, randomBytes(32).toString('base64url'), seedContext(sessionId))
}

/** The refresh token of a session at a generation; the same each time. */
export function writeRefreshToken(
  keks: readonly NamedKey[],
  session: { id: SessionId; refreshSeedEnvelope: string },
  generation: number,
): string {
  return `${session.id}.${generation}.${prove(keks, session, generation)}`
}

/** Whether we have made this refresh token for this session. */
export function isGenuine(
  keks: readonly NamedKey[],
  session: { id: SessionId; refreshSeedEnvelope: string },
  token: RefreshToken,
): boolean {
  const expected = prove(keks, session, token.generation)
  // Both are texts of 43 characters. Comparing the texts leaves no second spelling of a token.
  return session.id === token.sessionId && timingSafeEqual(Buffer.from(expected), Buffer.from(token.proof))
}

function prove(
  keks: readonly NamedKey[],
  session: { id: SessionId; refreshSeedEnvelope: string },
  generation: number,
): string {
  const seed = decrypt(keks, session.refreshSeedEnvelope, seedContext(session.id))
  return createHmac('sha256', Buffer.from(seed, 'base64url')).update(String(generation)).digest('base64url')
}

/** Binds the envelope of a session's seed to it. */
export function seedContext(sessionId: SessionId): string {
  return `auth.session.refresh_seed|${sessionId}`
}
