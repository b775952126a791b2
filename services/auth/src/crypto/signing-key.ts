import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto'
import { decrypt, encrypt } from '@tripline/kit/crypto/envelope'
import { accessTokenForm } from '@tripline/proto/auth-request'
import { v7 as newId } from 'uuid'
import type { Deps } from '../deps.ts'
import { type KeyPlan, planKeys } from '../domain/signing-key-plan.ts'
import {
  deleteSigningKeys,
  insertSigningKey,
  listSigningKeys,
  lockSigningKeys,
  type StoredSigningKey,
} from '../store/signing-key.ts'

/** The private key that signs now, and the id its signatures name. */
export interface SigningKey {
  id: string
  privateKey: KeyObject
}

type KeyDeps = Pick<Deps, 'db' | 'keks' | 'now' | 'keyRotation' | 'log'>

/** The key that signs now. */
export async function currentSigningKey(deps: KeyDeps): Promise<SigningKey> {
  const { current } = await keysInUse(deps)
  if (current === undefined) throw new Error('There is no signing key though one was just made')
  const jwk = JSON.parse(decrypt(deps.keks, current.privateJwkEnvelope, keyContext(current.id))) as JsonWebKey
  return { id: current.id, privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) }
}

/** The public halves of the keys that access tokens may be signed with, soon, now or still. */
export async function publishedKeys(deps: KeyDeps): Promise<Record<string, unknown>[]> {
  const { published } = await keysInUse(deps)
  return published.map(({ publicJwk }) => publicJwk)
}

async function keysInUse(deps: KeyDeps): Promise<KeyPlan<StoredSigningKey>> {
  const plan = await planOver(deps)
  if (plan.make === undefined && plan.forget.length === 0) return plan
  return await deps.db.transaction().execute(async (db) => await carryOut({ ...deps, db }))
}

async function planOver({ db, keyRotation, now }: KeyDeps): Promise<KeyPlan<StoredSigningKey>> {
  return planKeys(await listSigningKeys(db), keyRotation, now())
}

async function carryOut(deps: KeyDeps): Promise<KeyPlan<StoredSigningKey>> {
  const { db, keks, log, now } = deps
  await lockSigningKeys(db)
  // Another replica may have been first, so it is looked at again.
  const { make, forget } = await planOver(deps)
  if (make !== undefined) {
    const made = makeSigningKey(keks, make)
    await insertSigningKey(db, made, now())
    log.info({ keyId: made.id, signsFrom: new Date(make).toISOString() }, 'signing key made')
  }
  const gone = forget.map(({ id }) => id)
  await deleteSigningKeys(db, gone)
  return await planOver(deps)
}

function makeSigningKey(keks: Deps['keks'], signsFrom: number): StoredSigningKey {
  const id = newId()
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const publicJwk = {
    ...publicKey.export({ format: 'jwk' }),
    kid: id,
    alg: accessTokenForm.algorithm,
    use: 'sig',
  }
  const privateJwk = JSON.stringify(privateKey.export({ format: 'jwk' }))
  // Columns hold whole milliseconds, and a key made now must sign now.
  const from = Math.floor(signsFrom)
  return { id, publicJwk, privateJwkEnvelope: encrypt(keks, privateJwk, keyContext(id)), signsFrom: from }
}

/** Binds the envelope of a signing key to its id. */
export function keyContext(id: string): string {
  return `auth.signing_key.private_jwk|${id}`
}
