import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { readNamedKeys } from './named-key.ts'

// RFC 8410 prefixes: a raw X25519 key is wrapped in these to become DER.
const spkiPrefix = Buffer.from('302a300506032b656e032100', 'hex')
const pkcs8Prefix = Buffer.from('302e020100300506032b656e04220420', 'hex')
const tagBytes = 16

/** A public key that things are sealed to, with the id that names its pair. */
export interface SealingKey {
  id: string
  publicKey: KeyObject
  publicBytes: Buffer
}

/** A private key that opens what was sealed to its pair. */
export interface OpeningKey extends SealingKey {
  privateKey: KeyObject
}

/** A new pair as text, `<id>:<base64url>` each: the public one is a setting, the private one a secret. */
export function generateSealingPair(id: string): { publicText: string; privateText: string } {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  const rawPublic = publicKey.export({ type: 'spki', format: 'der' }).subarray(spkiPrefix.length)
  const rawPrivate = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(pkcs8Prefix.length)
  return {
    publicText: `${id}:${rawPublic.toString('base64url')}`,
    privateText: `${id}:${rawPrivate.toString('base64url')}`,
  }
}

/** The public keys of a setting, comma-separated, the one to seal with first. */
export function readSealingKeys(text: string): SealingKey[] {
  return readNamedKeys(text).map(({ id, raw }) => ({
    id,
    publicBytes: raw,
    publicKey: createPublicKey({ key: Buffer.concat([spkiPrefix, raw]), format: 'der', type: 'spki' }),
  }))
}

/** The private keys of a secret, comma or line separated; what was sealed to any of them opens. */
export function readOpeningKeys(text: string): OpeningKey[] {
  return readNamedKeys(text).map(({ id, raw }) => {
    const privateKey = createPrivateKey({
      key: Buffer.concat([pkcs8Prefix, raw]),
      format: 'der',
      type: 'pkcs8',
    })
    const publicKey = createPublicKey(privateKey)
    const publicBytes = publicKey.export({ type: 'spki', format: 'der' }).subarray(spkiPrefix.length)
    return { id, privateKey, publicKey, publicBytes }
  })
}

/** Encrypts to the key's owner and binds to the context: `v1.<key id>.<ephemeral key>.<nonce>.<text>.<tag>`. */
export function seal(key: SealingKey, plaintext: string, context: string): string {
  const ephemeral = generateKeyPairSync('x25519')
  const ephemeralBytes = ephemeral.publicKey
    .export({ type: 'spki', format: 'der' })
    .subarray(spkiPrefix.length)
  const shared = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: key.publicKey })
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(shared, ephemeralBytes, key.publicBytes), nonce)
  cipher.setAAD(Buffer.from(context))
  const text = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
  const parts = [ephemeralBytes, nonce, text, cipher.getAuthTag()].map((part) => part.toString('base64url'))
  return ['v1', key.id, ...parts].join('.')
}

/** Decrypts what was sealed to one of the keys for exactly this context; throws otherwise. */
export function unseal(keys: readonly OpeningKey[], sealed: string, context: string): string {
  const [version, keyId, ...encoded] = sealed.split('.')
  const key = keys.find((candidate) => candidate.id === keyId)
  if (version !== 'v1' || key === undefined || encoded.length !== 4)
    throw new Error('The seal is of no known key')
  const [ephemeralBytes, nonce, text, tag] = encoded.map((part) => Buffer.from(part, 'base64url')) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  const ephemeralKey = createPublicKey({
    key: Buffer.concat([spkiPrefix, ephemeralBytes]),
    format: 'der',
    type: 'spki',
  })
  const shared = diffieHellman({ privateKey: key.privateKey, publicKey: ephemeralKey })
  const decipher = createDecipheriv(
    'aes-256-gcm',
    deriveKey(shared, ephemeralBytes, key.publicBytes),
    nonce,
    {
      authTagLength: tagBytes,
    },
  )
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(tag)
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
}

function deriveKey(shared: Buffer, ephemeral: Buffer, recipient: Buffer): Buffer {
  return Buffer.from(
    hkdfSync('sha256', shared, Buffer.concat([ephemeral, recipient]), 'tripline seal v1', 32),
  )
}
