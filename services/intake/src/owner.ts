import { createPublicKey } from 'node:crypto'
import type { Bus } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { keepSigningKeys } from '@tripline/kit/crypto/signing-keys'
import { AccessClaims, accessTokenForm, listSigningKeys } from '@tripline/proto/auth-request'
import type { UserId } from '@tripline/proto/id'
import { errors, jwtVerify } from 'jose'
import type { HasEnded } from './consumers/ended-sessions.ts'

// Less than a message may take to be stored: one of an active webhook goes on without knowing whose it is.
const keysWithinMs = 750

const { algorithm, audience, issuer, type } = accessTokenForm

/** Whether an access token is one of this user and its session is not over, by the keys that auth publishes; throws while those cannot be had. */
export function openOwners(
  bus: Bus,
  clock: () => number,
  hasEnded: HasEnded,
): (token: string, userId: UserId) => Promise<boolean> {
  const fetchKeys = async (): Promise<Record<string, unknown>[]> =>
    (await sendRequest(bus, listSigningKeys, {}, { timeoutMs: keysWithinMs })).keys
  const keys = keepSigningKeys({ fetchKeys, now: clock, floorMs: 1000, maxAgeMs: 600_000 })
  const form = { algorithms: [algorithm], audience, issuer, typ: type, requiredClaims: ['exp'] }
  return async (token, userId) => {
    try {
      const { payload } = await jwtVerify(token, async ({ kid = '' }) => await keyOf(kid), {
        ...form,
        currentDate: new Date(clock()),
      })
      const claims = AccessClaims.safeParse(payload).data
      return claims?.sub === userId && !hasEnded(claims.sid)
    } catch (error) {
      if (error instanceof errors.JOSEError) return false
      throw error
    }
  }

  async function keyOf(keyId: string) {
    const pem = await keys.find(keyId)
    if (pem === undefined) throw new errors.JWKSNoMatchingKey()
    return createPublicKey(pem)
  }
}
