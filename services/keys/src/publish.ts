import type { UserId } from '@tripline/proto/id'
import type { Deps } from './deps.ts'
import { putUnlessNewer } from './store/published-config.ts'
import { putCredentials } from './store/published-credentials.ts'
import { notePublished, readUserState } from './store/user-config.ts'

/** Brings a user's state, as it is in the database, to the buckets that other services read. */
export async function publishUser(
  { db, configs, credentials }: Pick<Deps, 'db' | 'configs' | 'credentials'>,
  userId: UserId,
): Promise<void> {
  const state = await readUserState(db, userId)
  if (state === undefined) return
  // First the credentials, so that nobody knows a bot whose credentials are not there.
  await Promise.all(state.credentials.map(async (sealed) => await putCredentials(credentials, sealed)))
  await putUnlessNewer(configs, state.config)
  if (!state.isPublished) await notePublished(db, userId, state.config.version)
}
