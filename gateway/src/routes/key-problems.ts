import { RefusedError } from '@tripline/kit/refused-error'
import { listUselessCredentials } from '@tripline/proto/executor-request'
import type { BotId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import type { Ask } from '../ask.ts'

// The executor has the answer in memory: one that stands still must not keep the keys from being shown.
const patienceMs = 1000

/** Why credentials of a user are of no use, by bot; empty while no executor answers. */
export async function keyProblems(ask: Ask, userId: UserId): Promise<ReadonlyMap<BotId, string>> {
  try {
    const contract = listUselessCredentials(partitionOf(userId))
    const { bots } = await ask(contract, { userId }, { timeoutMs: patienceMs })
    return new Map(bots.map(({ botId, problem }) => [botId, problem]))
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return new Map()
  }
}
