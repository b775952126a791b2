import { untilAnswered } from '@tripline/kit/bus/until-answered'
import type { UserId } from '@tripline/proto/id'
import type { SealedCredentials } from '@tripline/proto/user-config'
import type { Deps } from './deps.ts'
import { forgetUnlinkedBots } from './store/bot.ts'
import { putCredentials, removeCredentials } from './store/published-credentials.ts'
import { putUnlessNewer } from './store/published-state.ts'
import { notePublished, readUserState } from './store/user-config.ts'

type PublishDeps = Pick<Deps, 'db' | 'configs' | 'credentials' | 'notifications'>

/** The person who made a change waits for its answer; a bucket that changes its leader is back sooner. */
const repeatWithinMs = 2000

/** Publishes a user's state, and again where a bucket does not answer. */
export async function publishUser(deps: PublishDeps, userId: UserId): Promise<void> {
  await untilAnswered(async () => await publishOnce(deps, userId), { withinMs: repeatWithinMs })
}

/** Brings a user's state, as it is in the database, to the buckets that other services read. */
export async function publishOnce(deps: PublishDeps, userId: UserId): Promise<void> {
  const { db, configs, credentials, notifications } = deps
  const state = await readUserState(db, userId)
  if (state === undefined) return
  // First the credentials, so that nobody knows a bot whose credentials are not there.
  await Promise.all(state.credentials.map(async (sealed) => await putCredentials(credentials, sealed)))
  const isNewest = await putUnlessNewer(configs, state.config)
  if (state.notifications !== undefined) await putUnlessNewer(notifications, state.notifications)
  await Promise.all(state.unlinked.map(async (botId) => await removeCredentials(credentials, botId)))
  if (!isNewest) await takeBack(deps, userId, state.credentials)
  await forgetUnlinkedBots(db, state.unlinked)
  if (!state.isPublished) await notePublished(db, userId, state.config.version)
}

/** Somebody was faster: a bot may have been unlinked after its credentials were read here. */
async function takeBack(
  { db, credentials }: PublishDeps,
  userId: UserId,
  put: SealedCredentials[],
): Promise<void> {
  const newest = await readUserState(db, userId)
  const linked = new Set(newest?.credentials.map(({ botId }) => botId))
  const gone = put.filter(({ botId }) => !linked.has(botId))
  await Promise.all(gone.map(async ({ botId }) => await removeCredentials(credentials, botId)))
}
