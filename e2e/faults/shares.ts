import { watchBucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import { partitionCount } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { z } from 'zod'

const Lease = z.object({ owner: z.string(), released: z.boolean() })

/** The partitions that each executor holds. */
export interface Shares {
  /** Settles once so many executors hold all partitions, none more than another. */
  sharedBetween: (executors: number) => Promise<void>
  stop: () => void
}

/** Follows the leases of all partitions. */
export async function watchShares(bus: Bus): Promise<Shares> {
  const leases = new Map<string, z.infer<typeof Lease>>()
  const stop = await watchBucket(bus, 'leases', ({ key, text }) =>
    leases.set(key, Lease.parse(JSON.parse(text ?? ''))),
  )
  const isShared = (executors: number): boolean => {
    const owned = [...leases.values()].filter(({ released }) => !released)
    const counts = [...Map.groupBy(owned, ({ owner }) => owner).values()]
    const isEven = counts.every(({ length }) => length === partitionCount / executors)
    return owned.length === partitionCount && isEven
  }
  return {
    sharedBetween: async (executors) => {
      await waitFor(() => isShared(executors), { deadlineMs: 90_000 })
    },
    stop,
  }
}
