import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Entry } from '../store/ledger.ts'

const keys = new WeakMap<Entry, KeyObject>()

/** True where a signature, in hexadecimal digits, is the one of this account. */
export function isSignatureOf(
  entry: Entry,
  payload: string,
  encoding: 'latin1' | 'utf8',
  signature: string,
): boolean {
  const expected = createHmac('sha256', keyOf(entry)).update(payload, encoding).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && signature.length === 64 && timingSafeEqual(given, expected)
}

function keyOf(entry: Entry): KeyObject {
  const known = keys.get(entry)
  if (known) return known
  const key = createSecretKey(entry.secret, 'utf8')
  keys.set(entry, key)
  return key
}
