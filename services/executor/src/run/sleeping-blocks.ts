import type { ExecutionId, UserId } from '@tripline/proto/id'

/** Limits of waits at once. */
export interface WaitLimits {
  /** Most blocks of one user. */
  perUser: number
  /** Most characters of the alerts of all of them together, which they hold in memory. */
  characters: number
}

/** The blocks that sleep in this process: each of them holds its alert in memory until it ends. */
export type SleepingBlocks = ReturnType<typeof createSleepingBlocks>

/** No block sleeps yet. */
export function createSleepingBlocks({ perUser, characters: most }: WaitLimits) {
  const held = new Map<ExecutionId, { userId: UserId; characters: number }>()
  const counts = new Map<UserId, number>()
  let total = 0
  const count = (userId: UserId, by: number): void => {
    const changed = (counts.get(userId) ?? 0) + by
    if (changed === 0) counts.delete(userId)
    else counts.set(userId, changed)
  }
  return {
    /** Why one more block of this user cannot sleep, in words; undefined where it can. */
    objectionTo: (userId: UserId, characters: number): string | undefined => {
      if ((counts.get(userId) ?? 0) >= perUser) return `${perUser} of your alerts wait already, no more can`
      if (total + characters > most) return 'no more alerts can wait now, too many do already'
      return undefined
    },
    /** Counts a block that sleeps, once. */
    hold: (executionId: ExecutionId, userId: UserId, characters: number): void => {
      if (held.has(executionId)) return
      held.set(executionId, { userId, characters })
      count(userId, 1)
      total += characters
    },
    release: (executionId: ExecutionId): void => {
      const wait = held.get(executionId)
      if (wait === undefined) return
      held.delete(executionId)
      count(wait.userId, -1)
      total -= wait.characters
    },
  }
}
