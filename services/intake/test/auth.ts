import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { serve } from '@tripline/kit/bus/request'
import { accessTokenForm, listSigningKeys } from '@tripline/proto/auth-request'
import { sessionEndedSubject } from '@tripline/proto/subject'
import type { TestNats } from '@tripline/testkit/nats'
import { SignJWT } from 'jose'

interface TokenOptions {
  expiresIn?: string
  kid?: string
  audience?: string
  key?: KeyObject
  sid?: string
}

/** Stands for auth: signs access tokens and publishes its key. */
export interface TestAuth {
  tokenOf: (sub: string, options?: TokenOptions) => Promise<string>
  /** Publishes, as auth does, that a session is over. */
  endSession: (sessionId: string) => Promise<void>
  /** Answers no more. */
  stop: () => void
}

/** Starts to answer as auth. */
export async function startAuth(nats: TestNats): Promise<TestAuth> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const auth = await nats.connect('auth')
  const published = { ...publicKey.export({ format: 'jwk' }), kid: 'key-1' }
  const stop = serve(auth, listSigningKeys, async () => ({ keys: [published] }))
  await auth.connection.flush()
  return {
    stop,
    tokenOf: async (sub, options) => await signToken(privateKey, sub, options),
    endSession: async (sessionId) => {
      auth.connection.publish(sessionEndedSubject, JSON.stringify({ sessionId }))
      await auth.connection.flush()
    },
  }
}

async function signToken(
  privateKey: KeyObject,
  sub: string,
  {
    expiresIn = '10 minutes',
    kid = 'key-1',
    audience = accessTokenForm.audience,
    key = privateKey,
    sid = '0193f5a0-0000-7000-8000-00000000ada1',
  }: TokenOptions = {},
): Promise<string> {
  return await new SignJWT({ sid })
    .setProtectedHeader({ alg: accessTokenForm.algorithm, typ: accessTokenForm.type, kid })
    .setSubject(sub)
    .setIssuer(accessTokenForm.issuer)
    .setAudience(audience)
    .setExpirationTime(expiresIn)
    .sign(key)
}
