import type { ExecutionId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'

/** Which command of which execution is in doubt. */
export interface DoubtSubject {
  userId: UserId
  executionId: ExecutionId
  command: number
}

/** The commands with an order whose fate the venue does not report, for the operators of the process. */
export interface Doubts {
  /** An order of it is in doubt; one that was before is so since then. */
  open: (subject: DoubtSubject, since: number) => void
  close: (subject: DoubtSubject) => void
  /** Leaves the doubts of this partition to its next owner. */
  leave: (partition: number) => void
  count: () => number
  /** Since when the oldest is in doubt. */
  oldest: () => number | undefined
}

/** No doubts. */
export function createDoubts(): Doubts {
  const since = new Map<string, { at: number; partition: number }>()
  return {
    open: (subject, at) => {
      const key = keyOf(subject)
      if (!since.has(key)) since.set(key, { at, partition: partitionOf(subject.userId) })
    },
    close: (subject) => void since.delete(keyOf(subject)),
    leave: (partition) => {
      for (const [key, doubt] of since) if (doubt.partition === partition) since.delete(key)
    },
    count: () => since.size,
    oldest: () => [...since.values()].map(({ at }) => at).toSorted((one, other) => one - other)[0],
  }
}

function keyOf({ executionId, command }: DoubtSubject): string {
  return `${executionId}.${command}`
}
