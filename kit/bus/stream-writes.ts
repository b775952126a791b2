import { type BucketName, type StreamName, streams } from '@tripline/proto/subject'
import { type AcknowledgedPublish, StreamRefusal } from './acknowledged-publish.ts'
import type { KnownEnds } from './known-ends.ts'

/** A store without room or disk says so by these codes of JetStream, or does not answer at all. */
const noRoomCodes = new Set([10_023, 10_047, 10_077])
/** A subject that holds as much as it may is its user's matter. */
const ofSubject = 'maximum messages per subject exceeded'

/** A store that took nothing for this long refuses writes; a single slow answer says nothing. */
const failingMs = 1000
/** Without further attempts a failure says nothing after this time. */
const freshMs = 10_000

/** A way into the streams that knows which of them take nothing. */
export interface StreamWrites {
  publishStored: AcknowledgedPublish
  /** The streams and buckets that took nothing of what was last written to them. */
  refusing: () => readonly string[]
}

interface WritesOptions {
  isConnected: () => boolean
  now: () => number
  ends: Pick<KnownEnds, 'note'>
}

/** Watches the outcome of each write while there is a connection. */
export function watchWrites(
  publish: AcknowledgedPublish,
  { isConnected, now, ends }: WritesOptions,
): StreamWrites {
  const failures = new Map<string, { since: number; last: number }>()
  const fail = (name: string, startedAt: number): void => {
    const before = failures.get(name)
    const goesOn = before !== undefined && startedAt - before.last <= freshMs
    failures.set(name, { since: goesOn ? before.since : startedAt, last: now() })
  }
  return {
    publishStored: async (publication) => {
      const startedAt = now()
      const name = storeOf(publication.subject)
      try {
        const stored = await publish(publication)
        failures.delete(name)
        ends.note(streamOf(name), stored.sequence)
        return stored
      } catch (error) {
        if (isAnswer(error)) failures.delete(name)
        else if (isConnected()) fail(name, startedAt)
        throw error
      }
    },
    refusing: () => {
      const at = now()
      const names = [...failures].filter(([, { since, last }]) => {
        return last - since >= failingMs && at - last <= freshMs
      })
      return names.map(([name]) => name).sort()
    },
  }
}

/** The stream of a store; that of a bucket bears another name. */
function streamOf(name: string): string {
  return name in streams ? name : `KV_${name}`
}

/** True if the store answered that it is well, and refuses this message alone. */
function isAnswer(error: unknown): boolean {
  return error instanceof StreamRefusal && (!noRoomCodes.has(error.code) || error.message === ofSubject)
}

const streamsByBeginning = new Map(
  (Object.keys(streams) as StreamName[]).map((name) => [beginningOf(streams[name].subjects[0]), name]),
)

function storeOf(subject: string): StreamName | BucketName | string {
  const first = beginningOf(subject)
  if (first === '$KV') return beginningOf(subject.slice(first.length + 1))
  return streamsByBeginning.get(first) ?? first
}

function beginningOf(subject: string): string {
  const end = subject.indexOf('.')
  return end < 0 ? subject : subject.slice(0, end)
}
