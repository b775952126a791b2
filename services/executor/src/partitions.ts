import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@tripline/kit/log'
import { partitionCount } from '@tripline/proto/subject'
import { receiveWindowMs } from './domain/doubt.ts'
import {
  absenceCountsAfterTakeover,
  type BothClocks,
  deadlineOf,
  isHeld,
  mayClaim,
  renewalMs,
  type SeenLease,
} from './domain/lease.ts'
import type { LeaseStore, StoredLease } from './store/lease-store.ts'

const claimEveryMs = 250
const allPartitions = Array.from({ length: partitionCount }, (_, partition) => partition)

/** A partition that is ours now. */
export interface Claim {
  partition: number
  /** From when on an order of the former owner that is not found counts as absent; undefined after a clean release. */
  notAbsentBefore: number | undefined
}

export interface PartitionsOptions {
  owner: string
  leases: LeaseStore
  log: Log
  /** Partitions became ours; the next claim waits until this is done. */
  onClaimed: (claims: Claim[]) => Promise<void>
  /** Somebody else holds what we thought ours: the process must end at once. */
  onLost: () => void
}

/** The partitions this process owns. */
export interface Partitions {
  owns: (partition: number) => boolean
  /** True while every partition is served, by this process or by one that renews its lease. */
  areAllServed: () => boolean
  /** True while an order of this partition may be signed. */
  mayPlace: (partition: number) => boolean
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
  revision: number
  deadline: BothClocks
}

/** The partitions of an executor that has not begun to claim any. */
export function createPartitions(options: PartitionsOptions): Partitions {
  const { owner, leases, log } = options
  const held = new Map<number, HeldLease>()
  const seen = new Map<number, NotedLease>()
  const served = new Set<number>()
  let stopWatching: (() => void) | undefined
  let renewing: Loop | undefined
  let claiming: Loop | undefined

  const claimAll = async (): Promise<void> => {
    const claims = await claimFree(options, seen, held)
    if (claims.length === 0) return
    log.info({ count: claims.length }, 'partitions claimed')
    await options.onClaimed(claims)
    for (const { partition } of claims) served.add(partition)
  }
  return {
    owns: (partition) => held.has(partition),
    areAllServed: () =>
      allPartitions.every((partition) => served.has(partition) || isRenewed(seen.get(partition))),
    mayPlace: (partition) => {
      const lease = held.get(partition)
      return lease !== undefined && isHeld(lease.deadline, clocks())
    },
    start: async () => {
      stopWatching = await leases.watch((lease) => noteLease(seen, held, owner, lease))
      renewing = repeat(renewalMs, log, async () => await renewAll(options, held))
      await claimAll()
      claiming = repeat(claimEveryMs, log, claimAll)
    },
    stopClaiming: async () => await claiming?.stop(),
    release: async (isSettled) => {
      await Promise.all([claiming?.stop(), renewing?.stop()])
      stopWatching?.()
      const leaving = [...held]
      held.clear()
      await Promise.all(
        leaving.map(async ([partition, { revision }]) => {
          if (isSettled(partition))
            await leases.write(partition, owner, true, revision).catch(() => undefined)
        }),
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
  seen.set(partition, { revision, isReleased, isRenewal, unchangedSince: clocks().monotonic })
}

function isRenewed(lease: NotedLease | undefined): boolean {
  return lease?.isRenewal === true && !mayClaim(lease, clocks().monotonic)
}

async function claimFree(
  { owner, leases }: PartitionsOptions,
  seen: Map<number, NotedLease>,
  held: Map<number, HeldLease>,
): Promise<Claim[]> {
  const free = allPartitions.filter(
    (partition) => !held.has(partition) && mayClaim(seen.get(partition), clocks().monotonic),
  )
  const claims = await Promise.all(
    free.map(async (partition): Promise<Claim | undefined> => {
      const former = seen.get(partition)
      const sentAt = clocks()
      const revision = await leases.write(partition, owner, false, former?.revision ?? 0)
      if (revision === undefined) return undefined
      held.set(partition, { revision, deadline: deadlineOf(sentAt) })
      const isClean = former === undefined || former.isReleased
      const notAbsentBefore = isClean
        ? undefined
        : absenceCountsAfterTakeover(former, sentAt, receiveWindowMs)
      return { partition, notAbsentBefore }
    }),
  )
  return claims.filter((claim) => claim !== undefined)
}

async function renewAll(options: PartitionsOptions, held: Map<number, HeldLease>): Promise<void> {
  const renewals = [...held].map(async ([partition, lease]) => await renew(options, partition, lease))
  const results = await Promise.allSettled(renewals)
  if (results.some((result) => result.status === 'fulfilled' && result.value === 'lost')) options.onLost()
  const failure = results.find((result) => result.status === 'rejected')
  if (failure !== undefined) options.log.warn({ err: failure.reason }, 'leases could not be renewed')
}

async function renew(
  { owner, leases }: PartitionsOptions,
  partition: number,
  lease: HeldLease,
): Promise<'renewed' | 'lost'> {
  const sentAt = clocks()
  const revision = await leases.write(partition, owner, false, lease.revision)
  if (revision !== undefined) {
    lease.revision = revision
    lease.deadline = deadlineOf(sentAt)
    return 'renewed'
  }
  // A renewal whose answer was lost moved the revision on: then the lease is still ours, and nobody took over.
  const stored = await leases.read(partition)
  if (stored === undefined || stored.owner !== owner || stored.isReleased) return 'lost'
  lease.revision = stored.revision
  return 'renewed'
}

interface Loop {
  /** Ends the loop, once what it does now is done. */
  stop: () => Promise<void>
}

/** Acts again and again, each time this long after the last one ended. */
function repeat(everyMs: number, log: Log, act: () => Promise<void>): Loop {
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    while (await elapsed(everyMs, stopping.signal)) {
      await act().catch((error: unknown) => log.warn({ err: error }, 'partitions could not be kept'))
    }
  }
  const ended = run()
  return {
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

/** True once the time is over, false at once when it is no longer waited for. */
async function elapsed(ms: number, stopping: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal: stopping }).catch(() => undefined)
  return !stopping.aborted
}

function clocks(): BothClocks {
  return { monotonic: performance.now(), wall: Date.now() }
}
