import { nkeys } from 'nats'

interface KeyPair {
  getSeed: () => Uint8Array
  getPublicKey: () => string
}

/** A new secret by which a process proves to the bus which user it is. */
export function newBusSeed(): string {
  const pair: KeyPair = nkeys.createUser()
  return new TextDecoder().decode(pair.getSeed())
}

/** The public key of a seed; the server's configuration names users by it. */
export function publicBusKey(seed: string): string {
  const pair: KeyPair = nkeys.fromSeed(new TextEncoder().encode(seed))
  return pair.getPublicKey()
}
