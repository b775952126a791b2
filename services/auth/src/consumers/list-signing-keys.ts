import { serve } from '@tripline/kit/bus/request'
import { listSigningKeys } from '@tripline/proto/auth-request'
import { publishedKeys } from '../crypto/signing-key.ts'
import type { Deps } from '../deps.ts'

/** Serves `auth.key.list`: with the keys of every access token that may still be valid, and the next one. */
export function serveListSigningKeys(deps: Deps): () => void {
  return serve(deps.bus, listSigningKeys, async () => ({ keys: await publishedKeys(deps) }))
}
