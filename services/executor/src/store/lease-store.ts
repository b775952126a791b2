import type { Bucket } from '@tripline/kit/bucket'
import { openBucket, watchBucket } from '@tripline/kit/bucket'
import type { Bus } from '@tripline/kit/bus'
import { z } from 'zod'

/** How long an answer may take: an answer that was lost with its connection must leave time to renew again. */
const usualAnswerMs = 400

const Lease = z.object({ owner: z.string(), released: z.boolean() })

/** A lease as it lies in the bucket. */
export interface StoredLease {
  partition: number
  owner: string
  isReleased: boolean
  revision: number
}

/** The leases of all partitions. */
export interface LeaseStore {
  /** Writes only over this revision (0: never held); answers the new revision, or undefined when somebody was faster. */
  write: (
    partition: number,
    owner: string,
    isReleased: boolean,
    revision: number,
  ) => Promise<number | undefined>
  read: (partition: number) => Promise<StoredLease | undefined>
  /** Tells every lease, then each change; answers how to stop, once all are told. */
  watch: (onLease: (lease: StoredLease) => void) => Promise<() => void>
}

/** Opens the leases of the bus. */
export async function openLeaseStore(bus: Bus, answerMs = usualAnswerMs): Promise<LeaseStore> {
  const bucket: Bucket = await openBucket(bus, 'leases', answerMs)
  return {
    write: async (partition, owner, isReleased, revision) => {
      const text = JSON.stringify({ owner, released: isReleased })
      return await bucket.putIf(`${partition}`, text, revision)
    },
    read: async (partition) => {
      const entry = await bucket.get(`${partition}`)
      return entry === undefined ? undefined : toLease(`${partition}`, entry.text, entry.revision)
    },
    watch: async (onLease) =>
      await watchBucket(bus, 'leases', ({ key, text, revision }) => {
        if (text !== undefined) onLease(toLease(key, text, revision))
      }),
  }
}

function toLease(key: string, text: string, revision: number): StoredLease {
  const { owner, released } = Lease.parse(JSON.parse(text))
  return { partition: Number(key), owner, isReleased: released, revision }
}
