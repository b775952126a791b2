import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '@tripline/kit/clock'
import type { Log } from '@tripline/kit/log'
import { partitionCount } from '@tripline/proto/subject'
import { receiveWindowMs } from './domain/doubt.ts'
import {
  absenceCountsAfterTakeover,
  type BothClocks,
  deadlineOf,
  isHeld,
  mayClaim,
  renewAgainMs,
  renewalMs,
  type SeenLease,
} from './domain/lease.ts'
import type { LeaseStore, StoredLease } from './store/lease-store.ts'

const claimEveryMs = 250
const allPartitions = Array.from({ length: partitionCount }, (_, partition) => partition)

/** A partition that is ours now. */
export interface Claim {
  partition: number
  /** From when on (now of the kit) an order of the former owner counts as absent; undefined after a clean release. */
  notAbsentBefore: number | undefined
}

export interface PartitionsOptions {
  owner: string
  leases: LeaseStore
  log: Log
  /** Partitions became ours: settles once they are served. The next claim waits for it. */
  onClaimed: (claims: Claim[]) => Promise<void>
  /** Somebody else holds what we thought ours: the process must end at once. */
  onLost: () => void
}

/** The partitions this process owns. */
export interface Partitions {
  owns: (partition: number) => boolean
  /** True while every partition is served, by this process or by one that renews its lease. */
  areAllServed: () => boolean
  /** True while the lease is surely ours: only then may an order of this partition be signed. */
  holds: (partition: number) => boolean
  /** Claims every partition that is free, now and whenever one becomes free; settles once the first are served. */
  start: () => Promise<void>
  /** Stops claiming; what is held is renewed until it is released. */
  stopClaiming: () => Promise<void>
  /** Gives the settled partitions away so that they can be taken at once; the others run out. */
  release: (isSettled: (partition: number) => boolean) => Promise<void>
}

interface NotedLease extends SeenLease {
  /** This revision came after another one of a holder: somebody renews the lease. */
  isRenewal: boolean
}

interface HeldLease {
  partition: number
  revision: number
  deadline: BothClocks
}

/** The partitions of an executor that has not begun to claim any. */
export function createPartitions(options: PartitionsOptions): Partitions {
  const { owner, leases, log } = options
  const held = new Map<number, HeldLease>()
  const seen = new Map<number, NotedLease>()
  const served = new Set<number>()
  const keepers: Promise<void>[] = []
  const stopClaiming = new AbortController()
  const stopKeeping = new AbortController()
  let stopWatching: (() => void) | undefined
  let claiming: Promise<void> | undefined

  const claimAll = async (): Promise<void> => {
    const claims = await claimFree(options, seen, held)
    if (claims.length === 0) return
    log.info({ count: claims.length }, 'partitions claimed')
    for (const { partition } of claims) {
      const lease = held.get(partition)
      if (lease !== undefined) keepers.push(keep(options, lease, stopKeeping.signal))
    }
    await options.onClaimed(claims)
    for (const { partition } of claims) served.add(partition)
  }
  const claimOnAndOn = async (): Promise<void> => {
    while (await elapsed(claimEveryMs, stopClaiming.signal)) await claimAll()
  }
  return {
    owns: (partition) => held.has(partition),
    areAllServed: () =>
      allPartitions.every((partition) => served.has(partition) || isRenewed(seen.get(partition))),
    holds: (partition) => {
      const lease = held.get(partition)
      return lease !== undefined && isHeld(lease.deadline, clocks())
    },
    start: async () => {
      stopWatching = await leases.watch((lease) => noteLease(seen, held, owner, lease))
      await claimAll()
      claiming = claimOnAndOn()
    },
    stopClaiming: async () => {
      stopClaiming.abort()
      await claiming
    },
    release: async (isSettled) => {
      stopClaiming.abort()
      stopKeeping.abort()
      await Promise.all([claiming, ...keepers])
      stopWatching?.()
      const settled = [...held.values()].filter(({ partition }) => isSettled(partition))
      held.clear()
      await Promise.allSettled(
        settled.map(async ({ partition, revision }) => await leases.write(partition, owner, true, revision)),
      )
    },
  }
}

function noteLease(
  seen: Map<number, NotedLease>,
  held: Map<number, HeldLease>,
  owner: string,
  lease: StoredLease,
): void {
  if (lease.owner === owner && held.has(lease.partition)) return
  const { partition, revision, isReleased } = lease
  const isRenewal = !isReleased && seen.get(partition)?.isReleased === false
  seen.set(partition, { revision, isReleased, isRenewal, unchangedSince: now() })
}

function isRenewed(lease: NotedLease | undefined): boolean {
  return lease?.isRenewal === true && !mayClaim(lease, now())
}

/** Claims what is free. One that could not be written is nobody's loss: it is tried again while it stays free. */
async function claimFree(
  { owner, leases, log }: PartitionsOptions,
  seen: Map<number, NotedLease>,
  held: Map<number, HeldLease>,
): Promise<Claim[]> {
  const free = allPartitions.filter(
    (partition) => !held.has(partition) && mayClaim(seen.get(partition), now()),
  )
  const claim = async (partition: number): Promise<Claim[]> => {
    const former = seen.get(partition)
    const sentAt = clocks()
    const revision = await leases.write(partition, owner, false, former?.revision ?? 0)
    if (revision === undefined) return []
    held.set(partition, { partition, revision, deadline: deadlineOf(sentAt) })
    const isClean = former === undefined || former.isReleased
    const notAbsentBefore = isClean ? undefined : absenceCountsAfterTakeover(former, receiveWindowMs)
    return [{ partition, notAbsentBefore }]
  }
  const results = await Promise.allSettled(free.map(claim))
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return result.value
    log.warn({ err: result.reason }, 'partition could not be claimed')
    return []
  })
}

/** Renews a lease until it is let go, or lost to another. */
async function keep(options: PartitionsOptions, lease: HeldLease, letGo: AbortSignal): Promise<void> {
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
  { owner, leases }: PartitionsOptions,
  lease: HeldLease,
): Promise<'renewed' | 'outrun' | 'lost'> {
  const sentAt = clocks()
  const revision = await leases.write(lease.partition, owner, false, lease.revision)
  if (revision !== undefined) {
    lease.revision = revision
    lease.deadline = deadlineOf(sentAt)
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

function clocks(): BothClocks {
  return { monotonic: now(), wall: Date.now() }
}
