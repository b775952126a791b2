import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type NamedKey, readNamedKeys } from './named-key.ts'

const nonceBytes = 12
const tagBytes = 16

/** A new key-encryption key as text, `<id>:<base64url>`. */
export function generateKek(id: string): string {
  return `${id}:${randomBytes(32).toString('base64url')}`
}

/** The key-encryption keys of a secret, the one to encrypt with first; the others still decrypt. */
export function readKeks(text: string): [NamedKey, ...NamedKey[]] {
  const [first, ...others] = readNamedKeys(text)
  if (first === undefined) throw new Error('There is no key-encryption key')
  return [first, ...others]
}

/**
 * Encrypts under a key of its own, which is kept encrypted under the first KEK, and binds to the context:
 * `v1.<kek id>.<encrypted key>.<encrypted text>`.
 */
export function encrypt(
  [kek]: readonly [NamedKey, ...NamedKey[]],
  plaintext: string,
  context: string,
): string {
  const key = randomBytes(32)
  const parts = [lock(kek.raw, key, context), lock(key, Buffer.from(plaintext), context)]
  return ['v1', kek.id, ...parts.map((part) => part.toString('base64url'))].join('.')
}

/** Decrypts what was encrypted under one of the KEKs for exactly this context; throws otherwise. */
export function decrypt(keks: readonly NamedKey[], envelope: string, context: string): string {
  const { key, lockedText } = open(keks, envelope, context)
  return unlock(key, Buffer.from(lockedText, 'base64url'), context).toString('utf8')
}

/** The same envelope under the first KEK, its text untouched; undefined where it is under that one already. */
export function rewrap(
  keks: readonly [NamedKey, ...NamedKey[]],
  envelope: string,
  context: string,
): string | undefined {
  const [first] = keks
  const { kekId, key, lockedText } = open(keks, envelope, context)
  if (kekId === first.id) return undefined
  return ['v1', first.id, lock(first.raw, key, context).toString('base64url'), lockedText].join('.')
}

function open(
  keks: readonly NamedKey[],
  envelope: string,
  context: string,
): { kekId: string; key: Buffer; lockedText: string } {
  const [version, kekId, lockedKey, lockedText = '', ...rest] = envelope.split('.')
  const kek = keks.find((candidate) => candidate.id === kekId)
  if (version !== 'v1' || kek === undefined || rest.length > 0)
    throw new Error('The envelope is of no known key')
  return {
    kekId: kek.id,
    key: unlock(kek.raw, Buffer.from(lockedKey ?? '', 'base64url'), context),
    lockedText,
  }
}

function lock(key: Buffer, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function unlock(key: Buffer, locked: Buffer, context: string): Buffer {
  if (locked.length < nonceBytes + tagBytes) throw new Error('The envelope is cut short')
  const nonce = locked.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(locked.subarray(-tagBytes))
  return Buffer.concat([decipher.update(locked.subarray(nonceBytes, -tagBytes)), decipher.final()])
}
