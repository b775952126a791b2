import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '@tripline/kit/clock'
import type { Log } from '@tripline/kit/log'
import { beatMs, type HeardMember, isPresent } from './domain/membership.ts'
import type { MemberStore } from './store/member-store.ts'

/** The executors that share the partitions, as this one hears of them. */
export interface Members {
  /** Those who are there now, this one among them. */
  present: () => string[]
  /** Says from now on that this one is there, and listens to the others. */
  join: () => Promise<void>
  /** Says that this one takes no part any more: the others need not leave a share to it. */
  leave: () => Promise<void>
}

/** The members around one that has not joined yet. */
export function createMembers(self: string, store: MemberStore, log: Log): Members {
  const heard = new Map<string, HeardMember>()
  const leaving = new AbortController()
  let isListening = false
  let stopListening = (): void => undefined
  let beating: Promise<void> | undefined
  const hear = (member: string, hasLeft: boolean): void => {
    if (hasLeft) heard.delete(member)
    else heard.set(member, { beats: isListening ? (heard.get(member)?.beats ?? 0) + 1 : 0, heardAt: now() })
  }
  const beat = async (): Promise<void> => {
    while (!leaving.signal.aborted) {
      await store.beat(self, now()).catch((error: unknown) => log.debug({ err: error }, 'beat not stored'))
      await sleep(beatMs, undefined, { signal: leaving.signal }).catch(() => undefined)
    }
  }
  return {
    present: () => [
      self,
      ...[...heard].flatMap(([member, of]) => (member !== self && isPresent(of, now()) ? [member] : [])),
    ],
    join: async () => {
      stopListening = await store.watch(hear)
      isListening = true
      beating = beat()
    },
    leave: async () => {
      leaving.abort()
      await beating
      stopListening()
      await store.leave(self).catch((error: unknown) => log.debug({ err: error }, 'leave not stored'))
    },
  }
}
