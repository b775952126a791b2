import { createPublicKey } from 'node:crypto'
import { z } from 'zod'

/** The public keys of access tokens, as PEM by their ids. */
export interface SigningKeys {
  /** The key of this id; undefined when auth has none, an error when auth cannot be asked. */
  find: (keyId: string) => Promise<string | undefined>
}

export interface SigningKeysOptions {
  /** The JWK set as auth publishes it. */
  fetchKeys: () => Promise<Record<string, unknown>[]>
  now: () => number
  /** Made-up key ids make us ask at most this often. */
  floorMs: number
  /** After this long auth is asked again, so that a withdrawn key does not stay good. */
  maxAgeMs: number
}

const Ed25519Key = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  kid: z.string().min(1),
  x: z.string().min(1),
})

/** Keeps the keys that auth publishes, and asks again for an unknown one and when they have become old. */
export function keepSigningKeys({ fetchKeys, now, floorMs, maxAgeMs }: SigningKeysOptions): SigningKeys {
  let keys = new Map<string, string>()
  let fetchedAt = Number.NEGATIVE_INFINITY
  let fetching: Promise<void> | undefined

  const refresh = async (): Promise<void> => {
    keys = new Map((await fetchKeys()).flatMap(readKey))
    fetchedAt = now()
  }
  const refreshOnce = async (): Promise<void> => {
    fetching ??= refresh().finally(() => {
      fetching = undefined
    })
    await fetching
  }
  return {
    find: async (keyId) => {
      const known = keys.get(keyId)
      const ageMs = now() - fetchedAt
      // A known key stays good while auth is away: nobody is logged out by that.
      if (known !== undefined && ageMs > maxAgeMs) await refreshOnce().catch(() => undefined)
      if (known === undefined && ageMs > floorMs) await refreshOnce()
      return keys.get(keyId)
    },
  }
}

function readKey(jwk: Record<string, unknown>): [string, string][] {
  const parsed = Ed25519Key.safeParse(jwk)
  if (!parsed.success) return []
  const publicKey = createPublicKey({ key: parsed.data, format: 'jwk' })
  return [[parsed.data.kid, publicKey.export({ type: 'spki', format: 'pem' }).toString()]]
}
