import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@tripline/kit/telemetry/log'
import { now, steadyNow } from '@tripline/kit/time/clock'
import { beatMs, isPresent, type SeenMember } from '../domain/sharing/membership.ts'
import type { Beat, MemberStore } from '../store/member-store.ts'

/** The executors that share the partitions, as this one knows them. */
export interface Members {
  /** Those who are there now, this one among them. */
  present: () => string[]
  /** True of one that was seen and reported that it takes no part any more. */
  hasLeft: (member: string) => boolean
  /** True while one of the others is taking partitions over: it is not to be given more. */
  isOneTaking: () => boolean
  /** Says whether this one is taking partitions over. */
  sayTaking: (isTaking: boolean) => void
  /** Says from now on that this one is there, and listens to the others. */
  join: () => Promise<void>
  /** Says that this one takes no part any more: the others need not leave a share to it. */
  leave: () => Promise<void>
  /** Listens no more. */
  close: () => void
}

export interface MembersOptions {
  log: Log
  /** Count of kinds of fields that were new or could not be read. */
  driftsToday: () => number
  /** The time at which the bus was found to have been rolled back last. */
  rolledBackAt: () => number | undefined
}

/** The members around one that has not joined yet. */
export function createMembers(
  self: string,
  store: MemberStore,
  { log, driftsToday, rolledBackAt }: MembersOptions,
): Members {
  const seen = new Map<string, SeenMember & Beat>()
  const left = new Set<string>()
  const leaving = new AbortController()
  let isListening = false
  let isTaking = false
  let stopListening = (): void => undefined
  let beating: Promise<void> | undefined
  const receive = (member: string, beat: Beat | undefined): void => {
    const beats = isListening ? (seen.get(member)?.beats ?? 0) + 1 : 0
    if (member === self) return
    if (beat === undefined) {
      if (seen.delete(member)) left.add(member)
      return
    }
    left.delete(member)
    seen.set(member, { ...beat, beats, seenAt: steadyNow() })
  }
  const beat = async (): Promise<void> => {
    await store
      .beat(self, { seenAt: now(), isTaking, drifts: driftsToday(), rolledBackAt: rolledBackAt() })
      .catch((error: unknown) => log.debug({ err: error }, 'beat not stored'))
  }
  const others = (): (SeenMember & Beat & { member: string })[] =>
    [...seen].flatMap(([member, of]) => (isPresent(of, steadyNow()) ? [{ ...of, member }] : []))
  return {
    present: () => [self, ...others().map(({ member }) => member)],
    hasLeft: (member) => left.has(member),
    isOneTaking: () => others().some((other) => other.isTaking),
    sayTaking: (taking) => {
      isTaking = taking
      if (!leaving.signal.aborted) void beat()
    },
    join: async () => {
      stopListening = await store.watch(receive)
      isListening = true
      beating = repeat(beat, leaving.signal)
    },
    leave: async () => {
      leaving.abort()
      await beating
      await store.leave(self).catch((error: unknown) => log.debug({ err: error }, 'leave not stored'))
    },
    close: () => stopListening(),
  }
}

async function repeat(beat: () => Promise<void>, leaving: AbortSignal): Promise<void> {
  while (!leaving.aborted) {
    await beat()
    await sleep(beatMs, undefined, { signal: leaving }).catch(() => undefined)
  }
}
