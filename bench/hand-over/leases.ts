import { watchBucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import { partitionCount } from '@tripline/proto/subject'
import type { Closers } from '@tripline/testkit/closers'
import { waitUntil } from '@tripline/testkit/wait-until'
import { z } from 'zod'
import { nowNs } from '../alert-to-order/wall-clock.ts'

const Lease = z.object({ owner: z.string(), released: z.boolean() })
type Lease = z.infer<typeof Lease>

/** A partition that changed hands; wall clock. */
export interface Passing {
  partition: number
  releasedNs: bigint
  ownedNs: bigint
}

/** The leases of all partitions, as they are on the bus. */
export interface Leases {
  /** Settles once so many executors hold the same number of partitions each. */
  shared: (executors: number) => Promise<void>
  /** Returns the hand-overs while the act goes on; settles when all that was released is owned again. */
  passings: (act: () => Promise<void>, onRelease: (partition: number) => void) => Promise<Passing[]>
}

// An executor that starts is given its part some at a time.
const shareWithinMs = 120_000

/** Begins to watch. */
export async function watchLeases(bus: Bus, closers: Closers): Promise<Leases> {
  const leases = new Map<number, Lease>()
  let onChange = (_partition: number, _lease: Lease): void => undefined
  const stop = await watchBucket(bus, 'leases', ({ key, text }) => {
    const lease = Lease.parse(JSON.parse(text ?? ''))
    leases.set(Number(key), lease)
    onChange(Number(key), lease)
  })
  await closers.add(async () => stop())
  return {
    shared: async (executors) => {
      await waitUntil(() => isShared([...leases.values()], executors), { deadlineMs: shareWithinMs })
    },
    passings: async (act, onRelease) => {
      const released = new Map<number, bigint>()
      const passings: Passing[] = []
      onChange = (partition, lease) => {
        const releasedNs = released.get(partition)
        if (lease.released) {
          released.set(partition, nowNs())
          onRelease(partition)
        } else if (releasedNs !== undefined && passings.every((passing) => passing.partition !== partition)) {
          passings.push({ partition, releasedNs, ownedNs: nowNs() })
        }
      }
      await act()
      await waitUntil(() => passings.length === released.size, { deadlineMs: shareWithinMs })
      onChange = () => undefined
      return passings
    },
  }
}

function isShared(leases: readonly Lease[], executors: number): boolean {
  const counts = Map.groupBy(
    leases.filter(({ released }) => !released),
    ({ owner }) => owner,
  )
  const share = partitionCount / executors
  return counts.size === executors && [...counts.values()].every(({ length }) => length === share)
}
