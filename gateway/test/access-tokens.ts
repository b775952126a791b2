import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { accessTokenForm } from '@tripline/proto/auth-request'
import type { SessionId, UserId } from '@tripline/proto/id'

/** A pair as auth holds one, with the public half as auth publishes it. */
export interface TokenKey {
  kid: string
  privateKey: KeyObject
  jwk: Record<string, unknown>
}

export function tokenKey(kid: string): TokenKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' } }
}

export interface Session {
  sub: UserId
  sid: SessionId
}

/** An access token as auth issues it; header and claims can be spoiled. */
export function accessToken(
  key: TokenKey,
  session: Session,
  spoiled: { header?: object; claims?: object } = {},
): string {
  const nowS = Math.floor(Date.now() / 1000)
  const { issuer: iss, audience: aud, type: typ, algorithm: alg } = accessTokenForm
  const header = { alg, typ, kid: key.kid, ...spoiled.header }
  const claims = { iss, aud, iat: nowS, exp: nowS + 600, ...session, ...spoiled.claims }
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${sign(null, Buffer.from(signed), createPrivateKey(key.privateKey.export({ format: 'pem', type: 'pkcs8' }))).toString('base64url')}`
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
