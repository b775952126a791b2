import { type AccessClaims, accessTokenForm, type Tokens } from '@tripline/proto/auth-request'
import { SignJWT } from 'jose'
import type { Deps } from '../deps.ts'
import type { Session } from '../store/session.ts'
import { writeRefreshToken } from './refresh-token.ts'
import { currentSigningKey } from './signing-key.ts'

/** An access token for a session, with the refresh token of this generation. */
export async function issueTokens(deps: Deps, session: Session, generation: number): Promise<Tokens> {
  const accessToken = await signAccessToken(deps, { sub: session.userId, sid: session.id })
  return { accessToken, refreshToken: writeRefreshToken(deps.keks, session, generation) }
}

async function signAccessToken(deps: Deps, { sub, sid }: AccessClaims): Promise<string> {
  const key = await currentSigningKey(deps)
  const issuedAt = deps.now()
  return await new SignJWT({ sid })
    .setProtectedHeader({ alg: accessTokenForm.algorithm, typ: accessTokenForm.type, kid: key.id })
    .setIssuer(accessTokenForm.issuer)
    .setAudience(accessTokenForm.audience)
    .setSubject(sub)
    .setIssuedAt(new Date(issuedAt))
    .setExpirationTime(new Date(issuedAt + deps.accessTokenMs))
    .sign(key.privateKey)
}
