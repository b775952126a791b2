import { setTimeout as sleep } from 'node:timers/promises'
import { steadyNow } from '@tripline/kit/time/clock'
import { maySign } from '../../domain/sharing/lease.ts'
import type { VenueOptions } from '../venue.ts'

/** The longest wait for a renewal: they are sent each second. */
const provenWithinMs = 2000
const lookAgainMs = 20

/** Thrown where a request is not permitted at the moment it is signed; nothing of it was sent. */
export class WithheldError extends Error {
  constructor() {
    super('not permitted any more')
    this.name = 'WithheldError'
  }
}

/** Permits an account's requests that change something only under the lease of its user. */
export interface Fence {
  /** True where one may be signed now; `seenAt` is when the list was asked for that it was decided on. */
  permits: (seenAt?: number) => boolean
  /** The venue says that our clocks are wrong: nothing is signed until the lease was renewed since. */
  doubt: () => void
  /** Settles once something may be signed again, or after a while. */
  proven: () => Promise<void>
}

/** The fence of an account; `leaptAt` says when the venue's clock was last found to have leapt beside ours. */
export function createFence({ tenure }: Pick<VenueOptions, 'tenure'>, leaptAt: () => number): Fence {
  let doubtedAt = Number.NEGATIVE_INFINITY
  const permits = (seenAt?: number): boolean => maySign(tenure(), Math.max(doubtedAt, leaptAt()), seenAt)
  return {
    permits,
    doubt: () => {
      doubtedAt = steadyNow()
    },
    proven: async () => {
      const until = steadyNow() + provenWithinMs
      while (!permits() && steadyNow() < until) await sleep(lookAgainMs)
    },
  }
}
