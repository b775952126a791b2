import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { NamedKey } from '@tripline/kit/crypto/named-key'

/** A browser that has logged in to an account before, by the token that it was given then. */
export interface KnownBrowser {
  id: string
  token: string
}

// A browser that was away for longer is judged like any other.
const lifeMs = 180 * 86_400_000
const form = /^([A-Za-z0-9_-]{22})\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/

/**
 * Makes the token of a browser that has just logged in to an account: `<id>.<ms in base 36>.<proof>`. It opens nothing;
 * it only separates this browser's attempts from those of strangers. The account is named by a digest of its email.
 */
export function newBrowserToken(
  [key]: readonly [NamedKey, ...NamedKey[]],
  account: string,
  now: number,
): string {
  const id = randomBytes(16).toString('base64url')
  const madeAt = Math.trunc(now).toString(36)
  return `${id}.${madeAt}.${prove(key, account, id, madeAt)}`
}

/** Finds the browser among the tokens that it shows; undefined where none was made for this account. */
export function findBrowser(
  keks: readonly NamedKey[],
  account: string,
  tokens: readonly string[],
  now: number,
): KnownBrowser | undefined {
  for (const token of tokens) {
    const [, id, madeAt, proof] = form.exec(token) ?? []
    if (id === undefined || madeAt === undefined || proof === undefined) continue
    if (Number.parseInt(madeAt, 36) < now - lifeMs) continue
    const isGenuine = keks.some((key) =>
      timingSafeEqual(Buffer.from(prove(key, account, id, madeAt)), Buffer.from(proof)),
    )
    if (isGenuine) return { id, token }
  }
  return undefined
}

function prove(key: NamedKey, account: string, id: string, madeAt: string): string {
  const own = Buffer.from(hkdfSync('sha256', key.raw, '', 'auth.browser', 32))
  return createHmac('sha256', own).update(`${account}|${id}|${madeAt}`).digest('base64url')
}
