import { RefusedError } from '@tripline/kit/refused-error'
import { diagnoseBots } from '@tripline/proto/executor-request'
import type { BotId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import type { z } from 'zod'
import type { Ask } from './ask.ts'

// The executor has the answer in memory: one that stands still must not keep the keys from being shown.
const patienceMs = 1000

type Diagnosis = z.output<ReturnType<typeof diagnoseBots>['answered']>

/** Why credentials of a user are of no use, by bot; empty while no executor answers. */
export async function keyProblems(ask: Ask, userId: UserId): Promise<ReadonlyMap<BotId, string>> {
  const { bots } = await diagnosisOf(ask, userId)
  return new Map(bots.map(({ botId, problem }) => [botId, problem]))
}

/** The bots of a user whose clients are connected; none while no executor answers. */
export async function connectedBots(ask: Ask, userId: UserId): Promise<Diagnosis['connected']> {
  return (await diagnosisOf(ask, userId)).connected
}

async function diagnosisOf(ask: Ask, userId: UserId): Promise<Diagnosis> {
  try {
    return await ask(diagnoseBots(partitionOf(userId)), { userId }, { timeoutMs: patienceMs })
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return { bots: [], connected: [] }
  }
}
