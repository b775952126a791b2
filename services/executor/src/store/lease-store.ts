import type { Bucket } from '@tripline/kit/bus/bucket'
import { openBucket, watchBucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import { z } from 'zod'
import { readStoredJson } from './stored-json.ts'

/** Deadline of an answer: one that was lost with its connection must leave time to renew again. */
const usualAnswerMs = 400

/** Form of a lease in the bucket. */
export const Lease = z.object({
  owner: z.string(),
  released: z.boolean(),
  deaths: z.number().optional(),
  place: z.string().optional(),
  inOrder: z.string().optional(),
  stopped: z.boolean().optional(),
  heir: z.boolean().optional(),
  overtaken: z.array(z.string()).optional(),
  epoch: z.number().optional(),
})

/** A lease that cannot be read counts as held until it stays silent, and all that is stored in its partition is in doubt. */
const unreadable: z.infer<typeof Lease> = { owner: 'unreadable', released: false }

/** A lease as its owner writes it. */
export interface WrittenLease {
  partition: number
  owner: string
  isReleased: boolean
  /** Count of owners in a row that died before they had run what they found; none where it is not said. */
  deaths?: number
  /** Place of its owner, if that can have but one process. */
  place?: string | undefined
  /** The run of the bus in which all that is stored in the partition was begun in the order of its lanes, if at all. */
  inOrder?: string | undefined
  /** Its owner gave it up in order and left something in doubt: it runs out, and no owner died. */
  isStopped?: boolean
  /** Its owner has not run through yet what others may have begun before. */
  isHeir?: boolean
  /** The executions that an exit overtook, and that may not have ended: they open nothing any more. */
  overtaken?: readonly string[]
  /** The epoch under which its owner has, or had, the partition; none of a version that knows no epochs. */
  epoch?: number | undefined
}

/** A lease as it is stored in the bucket. */
export interface StoredLease extends WrittenLease {
  revision: number
  deaths: number
  isStopped: boolean
  isHeir: boolean
  overtaken: readonly string[]
}

/** A lease as the bus reports it, with the time by the clock of the bus at which it was stored. */
export interface PublishedLease extends StoredLease {
  storedAt: number
}

/** The leases of all partitions. */
export interface LeaseStore {
  /** Writes only over this revision (0: never held); returns the new revision, or undefined when another writer was faster. */
  write: (lease: WrittenLease, revision: number) => Promise<number | undefined>
  read: (partition: number) => Promise<StoredLease | undefined>
  /** Reports every lease, then each change; returns a function that stops it, once all are reported. */
  watch: (onLease: (lease: PublishedLease) => void) => Promise<() => void>
  /**
   * Names the run of the bus: a server that was started anew may have forgotten what it stored last. A cluster has one run,
   * it forgets nothing as long as most of its servers sync each write.
   */
  busRun: () => string
}

/** Opens the leases of the bus. */
export async function openLeaseStore(bus: Bus, answerMs = usualAnswerMs): Promise<LeaseStore> {
  const bucket: Bucket = await openBucket(bus, 'leases', answerMs)
  return {
    write: async (lease, revision) => {
      const {
        partition,
        owner,
        isReleased,
        deaths = 0,
        place,
        inOrder,
        isStopped = false,
        isHeir = false,
        overtaken = [],
        epoch,
      } = lease
      const stopped = isStopped && { stopped: true }
      const more = {
        ...(deaths > 0 && { deaths }),
        place,
        inOrder,
        ...stopped,
        ...(isHeir && { heir: true }),
        ...(overtaken.length > 0 && { overtaken }),
        epoch,
      }
      const text = JSON.stringify({ owner, released: isReleased, ...more })
      return await bucket.putIf(`${partition}`, text, revision)
    },
    read: async (partition) => {
      const entry = await bucket.get(`${partition}`)
      return entry === undefined ? undefined : toLease(bus, `${partition}`, entry.text, entry.revision)
    },
    watch: async (onLease) =>
      await watchBucket(bus, 'leases', ({ key, text, revision, storedAt }) => {
        if (text !== undefined) onLease({ ...toLease(bus, key, text, revision), storedAt })
      }),
    busRun: () => bus.connection.info?.cluster ?? bus.connection.info?.server_id ?? '',
  }
}

function toLease(bus: Pick<Bus, 'log'>, key: string, text: string, revision: number): StoredLease {
  const lease = readStoredJson(bus, Lease, `lease ${key}`, text) ?? unreadable
  const {
    owner,
    released,
    deaths = 0,
    place,
    inOrder,
    stopped = false,
    heir = false,
    overtaken = [],
    epoch,
  } = lease
  const partition = Number(key)
  return {
    partition,
    owner,
    isReleased: released,
    revision,
    deaths,
    place,
    inOrder,
    isStopped: stopped,
    isHeir: heir,
    overtaken,
    epoch,
  }
}
