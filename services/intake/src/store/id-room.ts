import { type Bus, streamUse } from '@tripline/kit/bus/bus'
import type { UserId } from '@tripline/proto/id'
import { exitShare, unlimited } from '../domain/quota.ts'
import type { PatientRedis } from './patient-redis.ts'
import { openSpending } from './spending.ts'

/** Bytes of one id in the bucket, rounded up: its key, the alert's id, and what the server adds. */
export const idBytes = 256
const lookEveryMs = 5000

/** A user's new id for which there is no room: how many the user may have today, and for how long that is so. */
export interface IdExcess {
  most: number
  waitMs: number
}

/** Room for new ids of each user in the bucket. */
export interface IdRoom {
  /** Takes the room of one id; returns the excess where the user has none left. */
  take: (userId: UserId, isExit: boolean, now: number) => Promise<IdExcess | undefined>
}

/** The ids that a user may have in a day, and the number of users for whom there is room in any case. */
export interface IdSettings {
  mostADay: number
  users: number
}

/**
 * Gives each user so many ids a day, of one half of the bucket. No user takes more of that half than a tenth of what is left
 * of it; the other half is shared out evenly among the users that there are to be, twice: two days' ids may lie there. It is
 * counted in Redis for all replicas, and in each alone while Redis is away.
 */
export async function openIdRoom(
  bus: Bus,
  redis: PatientRedis,
  { mostADay, users }: IdSettings,
): Promise<IdRoom> {
  const spending = openSpending(redis, 'spent-ids', { ...unlimited, storedBytesPerDay: mostADay * idBytes })
  let most = mostADay
  let lookedAt = 0
  const look = async (now: number): Promise<void> => {
    lookedAt = now
    // A bus that does not answer leaves the last use.
    const use = await streamUse(bus, 'KV_ids').catch(() => undefined)
    if (use !== undefined) most = Math.min(mostADay, mostOf(use, users))
  }
  await look(0)
  return {
    take: async (userId, isExit, now) => {
      if (now - lookedAt > lookEveryMs) void look(now)
      const share = (isExit ? exitShare : 1) * (most / mostADay)
      const excess = await spending.take(userId, { bytes: idBytes, commands: 0, orders: 0 }, now, share)
      return excess && { most, waitMs: excess.waitMs }
    },
  }
}

/** Returns the ids that one user may have in a day, by what the bucket has left. */
function mostOf({ bytes, room }: { bytes: number; room: number }, users: number): number {
  const ofEach = room / 2 / (2 * users)
  const ofHalf = Math.max(0, room / 2 - bytes) / 10
  return Math.max(1, Math.floor((ofEach + ofHalf) / idBytes))
}
