import { setTimeout as sleep } from 'node:timers/promises'
import { steadyNow } from '@tripline/kit/clock'
import type { Log } from '@tripline/kit/log'
import { partitionCount } from '@tripline/proto/subject'
import {
  type BothClocks,
  deadlineOf,
  isHeld,
  type LeaseTerm,
  renewAgainMs,
  renewalMs,
} from '../domain/lease.ts'
import type { LeaseStore } from '../store/lease-store.ts'

/** A lease that is ours. */
export interface HeldLease {
  partition: number
  /** True while it is surely ours. */
  isSure: () => boolean
  /** Renews it no more; answers its last revision. */
  letGo: () => Promise<number>
}

export interface HeldLeaseOptions {
  owner: string
  leases: LeaseStore
  term: LeaseTerm
  log: Log
  onLost: () => void
}

interface Renewable {
  partition: number
  revision: number
  deadline: BothClocks
}

/** Both clocks now. */
export function clocks(): BothClocks {
  return { monotonic: steadyNow(), wall: Date.now() }
}

/** Keeps a lease that was claimed under this revision by a request sent at that moment. */
export function holdLease(
  options: HeldLeaseOptions,
  claimed: { partition: number; revision: number; sentAt: BothClocks },
): HeldLease {
  const { partition, revision, sentAt } = claimed
  const lease: Renewable = { partition, revision, deadline: deadlineOf(sentAt, options.term) }
  const lettingGo = new AbortController()
  const kept = keep(options, lease, lettingGo.signal)
  return {
    partition,
    isSure: () => isHeld(lease.deadline, clocks()),
    letGo: async () => {
      lettingGo.abort()
      await kept
      return lease.revision
    },
  }
}

/** Renews a lease until it is let go, or lost to another. */
async function keep(options: HeldLeaseOptions, lease: Renewable, letGo: AbortSignal): Promise<void> {
  let isFailing = false
  // Each partition has its own moment in the second: all in one moment would hold up the orders of that moment.
  let pauseMs = renewalMs * (lease.partition / partitionCount)
  while (await elapsed(pauseMs, letGo)) {
    try {
      const outcome = await renew(options, lease)
      if (outcome === 'lost') return options.onLost()
      pauseMs = outcome === 'renewed' ? renewalMs : 0
      isFailing = false
    } catch (error) {
      if (!isFailing) options.log.warn({ err: error, partition: lease.partition }, 'lease not renewed yet')
      pauseMs = renewAgainMs
      isFailing = true
    }
  }
}

async function renew(
  { owner, leases, term }: HeldLeaseOptions,
  lease: Renewable,
): Promise<'renewed' | 'outrun' | 'lost'> {
  const sentAt = clocks()
  const revision = await leases.write(lease.partition, owner, false, lease.revision)
  if (revision !== undefined) {
    lease.revision = revision
    lease.deadline = deadlineOf(sentAt, term)
    return 'renewed'
  }
  // A renewal whose answer was lost moved the revision on: then the lease is still ours, and nobody took over.
  const stored = await leases.read(lease.partition)
  if (stored === undefined || stored.owner !== owner || stored.isReleased) return 'lost'
  lease.revision = stored.revision
  return 'outrun'
}

/** True once the time is over, false at once when it is no longer waited for. */
async function elapsed(ms: number, stopping: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal: stopping }).catch(() => undefined)
  return !stopping.aborted
}
