import { type Bucket, openBucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import { CommandResult } from '@tripline/proto/command-result'
import type { AlertId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { TradingState } from '@tripline/proto/user-config'
import { z } from 'zod'
import type { Hold } from '../domain/sharing/lease.ts'
import { always, untilStored } from './until-stored.ts'

const BlockProgress = z.object({
  /** Outcomes of the commands before the wait. */
  outcomes: z.array(CommandResult),
  wakeAt: z.number(),
  tradingState: TradingState,
})
/** Progress of a block that waits. */
export type BlockProgress = z.infer<typeof BlockProgress>

export const Progress = z.record(z.string(), BlockProgress)
/** Progress of the blocks of an alert, by their index; of those that wait, or did. */
export type Progress = z.infer<typeof Progress>

/** The progress of alerts that wait, in the bucket `progress`. */
export interface ProgressStore {
  read: (userId: UserId, alertId: AlertId) => Promise<Progress>
  /** Writes how far a block has come; returns the stored progress, which is another owner's where that one was faster. */
  keep: (userId: UserId, alertId: AlertId, block: number, progress: BlockProgress) => Promise<BlockProgress>
  forget: (userId: UserId, alertId: AlertId) => Promise<void>
}

/** Opens the progress of alerts. Nothing is written for a user whose lease is not held. */
export async function openProgressStore(bus: Bus, holdOf: (userId: UserId) => Hold): Promise<ProgressStore> {
  const bucket = await openBucket(bus, 'progress')
  return {
    read: async (userId, alertId) => {
      const key = keyOf(userId, alertId)
      return (await untilStored(bus, always, async () => await read(bucket, key), key)).progress
    },
    keep: async (userId, alertId, block, progress) => {
      const key = keyOf(userId, alertId)
      const act = async (): Promise<BlockProgress> => await keep(bucket, key, block, progress)
      return await untilStored(bus, () => holdOf(userId), act, key)
    },
    forget: async (userId, alertId) => {
      const key = keyOf(userId, alertId)
      await untilStored(bus, always, async () => await bucket.erase(key), key)
    },
  }
}

async function read(bucket: Bucket, key: string): Promise<{ progress: Progress; revision: number }> {
  const entry = await bucket.get(key)
  if (entry === undefined) return { progress: {}, revision: 0 }
  return { progress: Progress.parse(JSON.parse(entry.text)), revision: entry.revision }
}

async function keep(bucket: Bucket, key: string, block: number, mine: BlockProgress): Promise<BlockProgress> {
  for (;;) {
    const { progress, revision } = await read(bucket, key)
    const known = progress[block]
    // The same wait, begun by another or in an attempt whose answer was lost: it ends when that one said.
    if (known !== undefined && known.outcomes.length >= mine.outcomes.length) return known
    const text = JSON.stringify({ ...progress, [block]: mine })
    if ((await bucket.putIf(key, text, revision)) !== undefined) return mine
  }
}

function keyOf(userId: UserId, alertId: AlertId): string {
  return `${partitionOf(userId)}.${alertId}`
}
