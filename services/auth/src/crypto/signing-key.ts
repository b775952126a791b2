import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto'
import { decrypt, encrypt } from '@tripline/kit/envelope'
import { accessTokenForm } from '@tripline/proto/auth-request'
import { v7 as newId } from 'uuid'
import type { Deps } from '../deps.ts'
import { findCurrentSigningKey, insertSigningKey, type KeptSigningKey } from '../store/signing-key.ts'

/** The private key that signs now, and the id its signatures name. */
export interface SigningKey {
  id: string
  privateKey: KeyObject
}

/** The key that signs now; made when there is none yet. */
export async function currentSigningKey(deps: Pick<Deps, 'db' | 'keks' | 'now'>): Promise<SigningKey> {
  const { id, privateJwkEnvelope } = (await findCurrentSigningKey(deps.db)) ?? (await makeSigningKey(deps))
  const jwk = JSON.parse(decrypt(deps.keks, privateJwkEnvelope, keyContext(id))) as JsonWebKey
  return { id, privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) }
}

async function makeSigningKey({ db, keks, now }: Pick<Deps, 'db' | 'keks' | 'now'>): Promise<KeptSigningKey> {
  const id = newId()
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const publicJwk = {
    ...publicKey.export({ format: 'jwk' }),
    kid: id,
    alg: accessTokenForm.algorithm,
    use: 'sig',
  }
  const privateJwk = JSON.stringify(privateKey.export({ format: 'jwk' }))
  const made = { id, publicJwk, privateJwkEnvelope: encrypt(keks, privateJwk, keyContext(id)) }
  await insertSigningKey(db, made, new Date(now()).toISOString())
  // Another replica may have been first, so the one that was kept is the one to use.
  const kept = await findCurrentSigningKey(db)
  if (kept === undefined) throw new Error('There is no signing key though one was just made')
  return kept
}

function keyContext(id: string): string {
  return `auth.signing_key.private_jwk|${id}`
}
