import type { UserId } from '@tripline/proto/id'
import { unlimited } from '../domain/quota.ts'
import type { PatientRedis } from './patient-redis.ts'
import { openSpending } from './spending.ts'

/** Room for answers that are stored for repeats. */
export interface AnswerRoom {
  /** Takes the room of one; false where its user, or all together, have none left. */
  take: (userId: UserId, bytes: number, now: number) => Promise<boolean>
}

/** The bytes of answers that are stored in a day. */
export interface AnswerBytes {
  ofUser: number
  ofAll: number
}

/** Room counted in Redis for all replicas, and in each alone while Redis is away. */
export function openAnswerRoom(redis: PatientRedis, { ofUser, ofAll }: AnswerBytes): AnswerRoom {
  const users = openSpending(redis, 'spent-answers', { ...unlimited, storedBytesPerDay: ofUser })
  const all = openSpending(redis, 'spent-answers-of', { ...unlimited, storedBytesPerDay: ofAll })
  return {
    take: async (userId, bytes, now) => {
      const cost = { bytes, commands: 0, orders: 0 }
      if ((await users.take(userId, cost, now)) !== undefined) return false
      return (await all.take('all', cost, now)) === undefined
    },
  }
}
