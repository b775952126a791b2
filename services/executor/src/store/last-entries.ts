import { openBucket, readBucket } from '@tripline/kit/bucket'
import type { Bus } from '@tripline/kit/bus'
import type { BotId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { z } from 'zod'
import { readStoredJson } from './stored-json.ts'

const Side = z.enum(['buy', 'sell'])
type Side = z.infer<typeof Side>
/** The last side of each symbol, of one bot. */
export const Sides = z.record(z.string(), Side)

/** On which side each bot last entered each symbol; kept in the bucket `progress`, so that a successor knows too. */
export interface LastEntries {
  of: (botId: BotId, symbol: string) => Side | undefined
  note: (userId: UserId, botId: BotId, symbol: string, side: Side) => void
  /** Reads what is kept of users of these partitions. */
  claim: (partitions: ReadonlySet<number>) => Promise<void>
}

const keyPattern = /^(\d+)\.entries\.(.+)$/

/** Opens the last entries; none is known before the first claim. */
export async function openLastEntries(bus: Bus): Promise<LastEntries> {
  const bucket = await openBucket(bus, 'progress')
  const known = new Map<BotId, Map<string, Side>>()
  return {
    of: (botId, symbol) => known.get(botId)?.get(symbol),
    note: (userId, botId, symbol, side) => {
      const sides = known.get(botId) ?? new Map<string, Side>()
      known.set(botId, sides)
      if (sides.get(symbol) === side) return
      sides.set(symbol, side)
      // A warning hangs on it and nothing else, so no order waits for it, and what cannot be written is let go.
      bucket
        .put(`${partitionOf(userId)}.entries.${botId}`, JSON.stringify(Object.fromEntries(sides)))
        .catch((error: unknown) => bus.log.warn({ err: error, botId }, 'last entry not kept'))
    },
    claim: async (partitions) => {
      for (const { key, text } of await readBucket(bus, 'progress')) {
        const [, partition, botId] = keyPattern.exec(key) ?? []
        if (text === undefined || !partitions.has(Number(partition))) continue
        const sides = readStoredJson(bus, Sides, key, text)
        if (sides !== undefined) known.set(botId as BotId, new Map(Object.entries(sides)))
      }
    },
  }
}
