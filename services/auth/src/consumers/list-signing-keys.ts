import { answer } from '@tripline/kit/request'
import { listSigningKeys } from '@tripline/proto/auth-request'
import { currentSigningKey } from '../crypto/signing-key.ts'
import type { Deps } from '../deps.ts'
import { listPublicKeys } from '../store/signing-key.ts'

// A verifier's clock may be behind ours.
const clockSlackMs = 60_000

/** Answers `auth.key.list`: with the keys of every access token that may still be valid. */
export function answerListSigningKeys(deps: Deps): () => void {
  return answer(deps.bus, listSigningKeys, async () => {
    await currentSigningKey(deps)
    const retiredSince = new Date(deps.now() - deps.accessTokenMs - clockSlackMs).toISOString()
    return { keys: await listPublicKeys(deps.db, retiredSince) }
  })
}
