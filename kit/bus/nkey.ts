import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { type Authenticator, nkeys } from 'nats'

interface KeyPair {
  getSeed: () => Uint8Array
}

/** A new secret by which a process proves to the bus which user it is. */
export function newBusSeed(): string {
  const pair: KeyPair = nkeys.createUser()
  return new TextDecoder().decode(pair.getSeed())
}

/** The public key of a seed; the server's configuration names users by it. */
export function publicBusKey(seed: string): string {
  return publicTextOf(privateKeyOf(seed))
}

/** Proves to the server who knows the seed. */
export function busAuthenticator(seed: string): Authenticator {
  const key = privateKeyOf(seed)
  const nkey = publicTextOf(key)
  // The library would sign in JavaScript, which takes a busy machine seconds.
  return (nonce = '') => ({ nkey, sig: sign(null, Buffer.from(nonce), key).toString('base64') })
}

// The forms of "NKeys" in the documentation of NATS: base32 of prefix, key and checksum.
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const seedPrefixBytes = 2
const keyBytes = 32
const userPrefix = 20 << 3
// The bytes before the 32 of a private key of Ed25519 in PKCS #8.
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

function privateKeyOf(seed: string): KeyObject {
  const raw = fromBase32(seed.trim()).subarray(seedPrefixBytes, seedPrefixBytes + keyBytes)
  if (raw.length !== keyBytes) throw new Error('The seed of a bus user is not whole')
  return createPrivateKey({ key: Buffer.concat([pkcs8Head, raw]), format: 'der', type: 'pkcs8' })
}

function publicTextOf(key: KeyObject): string {
  const whole = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const body = Buffer.concat([Buffer.from([userPrefix]), whole.subarray(-keyBytes)])
  const checksum = Buffer.alloc(2)
  checksum.writeUInt16LE(crc16(body))
  return toBase32(Buffer.concat([body, checksum]))
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

function crc16(bytes: Buffer): number {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << 8
    for (let bit = 0; bit < 8; bit++)
      sum = sum & 0x8000 ? ((sum << 1) ^ 0x1021) & 0xffff : (sum << 1) & 0xffff
  }
  return sum
}
