import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { accessTokenForm, getUser, listSigningKeys } from '@tripline/proto/auth-request'
import { SessionId, UserId } from '@tripline/proto/id'

/** Somebody who is logged in, with as many tokens as they have streams. */
export interface Person {
  userId: UserId
  tokens: string[]
}

/** Plays auth for people who cannot log in: what is measured asks it for keys and for sessions only. */
export async function playAuth(auth: Bus, people: number, streamsEach: number): Promise<Person[]> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'EdDSA', use: 'sig' }
  serve(auth, listSigningKeys, async () => ({ keys: [jwk] }))
  serve(auth, getUser, async ({ userId }) => ({
    id: userId,
    email: 'somebody@example.com',
    username: 'somebody',
    firstName: 'Some',
    lastName: 'Body',
    country: 'Italy',
    createdAt: '2026-11-21T12:00:00.000Z',
  }))
  await auth.connection.flush()
  const tokenOf = (sub: UserId): string => {
    const nowS = Math.floor(Date.now() / 1000)
    const { algorithm: alg, type: typ, issuer: iss, audience: aud } = accessTokenForm
    const claims = { iss, aud, sub, sid: SessionId.parse(randomUUID()), iat: nowS, exp: nowS + 3600 }
    const signed = [{ alg, typ, kid: 'bench' }, claims].map(encoded).join('.')
    return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
  }
  return Array.from({ length: people }, () => {
    const userId = UserId.parse(randomUUID())
    return { userId, tokens: Array.from({ length: streamsEach }, () => tokenOf(userId)) }
  })
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
