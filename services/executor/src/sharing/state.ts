import type { Bus } from '@tripline/kit/bus/bus'
import type { Log } from '@tripline/kit/telemetry/log'
import { steadyNow } from '@tripline/kit/time/clock'
import { partitionCount } from '@tripline/proto/subject'
import {
  isBetweenHands,
  isStoreSilent,
  type LeaseTerm,
  mayClaim,
  type SeenLease,
  usualTerm,
} from '../domain/sharing/lease.ts'
import type { Holdings } from '../domain/sharing/share.ts'
import type { EpochStore } from '../store/epoch-store.ts'
import type { LeaseStore, PublishedLease, StoredLease } from '../store/lease-store.ts'
import { createEpochs, type Epochs } from './epochs.ts'
import type { HeldLease } from './held-lease.ts'
import type { Hesitation } from './hesitation.ts'
import type { Members } from './members.ts'
import type { ProcessAddress } from './process-address.ts'

/** Interval of looking for partitions to claim. */
export const claimEveryMs = 250
export const allPartitions = Array.from({ length: partitionCount }, (_, partition) => partition)

/** A partition that is ours now. */
export interface Claim {
  partition: number
  /** From when on (now of the kit) an order of the former owner counts as absent; undefined after a clean release. */
  notAbsentBefore: number | undefined
  /** Count of owners in a row that died before they had run what they found. */
  deaths: number
  /** Former owners began what is stored there in the order of its lanes, as far as they began it. */
  inOrder: boolean
  /** Executions that an exit overtook, as former owners stored it. */
  overtaken: ReadonlySet<string>
  /** Moment by the clock of the bus from which former owners have begun nothing it stored; undefined where that is not known. */
  unbegunFrom: number | undefined
  /** The former owner, where no other can have begun what is there; undefined after a clean release, or where others can. */
  onlyOwner: string | undefined
  /** The sequence up to which that one was sent what is stored there; undefined where that is not known. */
  sentTo?: number | undefined
}

/** A partition that is served no more. */
export interface Leaving {
  /** True when nothing is left in doubt: its next owner need not look anything up. */
  isSettled: boolean
  /** Settles once nothing of it runs any more. */
  ended: Promise<void>
}

export interface PartitionsOptions {
  bus: Pick<Bus, 'isConnected' | 'onConnection'>
  owner: string
  /** Place of this process, if known: any former holder of a lease from there is gone. */
  place?: ProcessAddress | undefined
  leases: LeaseStore
  /** The epochs of the partitions, without which nothing is claimed. */
  epochStore: EpochStore
  /** Term of a lease, where not as usual; the same for all that share. */
  term?: LeaseTerm
  /** The executors that share the partitions now, this one among them. */
  members: Pick<Members, 'present' | 'hasLeft' | 'isOneTaking' | 'sayTaking'>
  log: Log
  /** Called with all partitions that are to be ours soon, each time that these change: settles once they can be served. */
  onComing: (partitions: readonly number[]) => Promise<void>
  /** Partitions became ours: settles once they are served. */
  onClaimed: (claims: Claim[]) => Promise<void>
  /** A partition is to go to another: settles once it is served no more. */
  onGivingUp: (partition: number) => Promise<Leaving>
  /** A partition that was given up is not ours any more. */
  onGone: (partition: number) => void
  /** Load of a partition: the busiest are given up last. */
  loadOf: (partition: number) => number
  /** Another executor holds what we thought ours: the process must end at once. */
  onLost: () => void
}

export interface NotedLease extends SeenLease {
  owner: string
  deaths: number
  inOrder?: string | undefined
  isStopped: boolean
  isHeir: boolean
  overtaken: readonly string[]
  epoch?: number | undefined
  place?: string | undefined
  /** When the bus stored this revision, by its clock, as far as it reported that. */
  storedAt?: number
  /** This revision came after another one that we saw: an owner is, or was, there. */
  isNews: boolean
}

/** A process's knowledge of the shared partitions. */
export interface SharingState extends PartitionsOptions {
  term: LeaseTerm
  epochs: Epochs
  databaseReach: Epochs['reach']
  startedAt: number
  /** When something of the store of leases was last seen: a change of any lease, or an answer. */
  storeSeenAt: number
  isAskingStore: boolean
  held: Map<number, HeldLease>
  seen: Map<number, NotedLease>
  served: Set<number>
  /** Claims that are not served yet, and partitions got ready. */
  taking: Set<Promise<void>>
  /** Partitions that will be ours: their holder leaves. */
  coming: readonly number[]
  /** Partitions given up, until nothing of them runs here any more: till then they are not claimed. */
  leaving: Map<number, Promise<void>>
  /** Partitions given up that no other executor has taken yet. */
  offered: Set<number>
  hesitation: Hesitation | undefined
  /** Something was released, or left behind, that may be ours to take. */
  hasNews: boolean
  wake: () => void
  stopping: AbortController
  /** Functions that stop listening to the bus. */
  stops: (() => void)[]
  sharing: Promise<void> | undefined
}

/** Nothing is held, and nothing was seen yet. */
export function newState(options: PartitionsOptions): SharingState {
  const { epochStore: store, term = usualTerm } = options
  const held = new Map<number, HeldLease>()
  const epochs = createEpochs({ ...options, store, term, held: () => [...held.values()] })
  return {
    ...options,
    term,
    epochs,
    databaseReach: epochs.reach,
    startedAt: steadyNow(),
    storeSeenAt: steadyNow(),
    isAskingStore: false,
    held,
    seen: new Map(),
    served: new Set(),
    taking: new Set(),
    coming: [],
    leaving: new Map(),
    offered: new Set(),
    hesitation: undefined,
    hasNews: false,
    wake: () => undefined,
    stopping: new AbortController(),
    stops: [],
    sharing: undefined,
  }
}

/** Notes a lease as it was stored. */
export function noteLease(
  state: SharingState,
  { partition, ...lease }: StoredLease & Partial<PublishedLease>,
): void {
  const { seen, held, offered, place } = state
  const { owner, isReleased } = lease
  noteStore(state)
  if (owner === state.owner && held.has(partition)) return
  const isNews = seen.has(partition)
  const isGone = place !== undefined && lease.place === place.name && owner !== state.owner
  const goneBy = isGone ? place.since : undefined
  seen.set(partition, { ...lease, isNews, unchangedSince: steadyNow(), goneBy })
  if (!isReleased && owner !== state.owner) offered.delete(partition)
  if (!isReleased && !isGone) return
  state.hasNews = true
  state.wake()
}

/** Notes that the store of leases works. After a time without a sign of it silence counts anew: no lease could be renewed. */
export function noteStore(state: SharingState): void {
  const at = steadyNow()
  if (isStoreSilent(state.storeSeenAt, at)) seeAnew(state)
  state.storeSeenAt = at
}

/** Lets silence count anew: where this process stood still or was cut off, it may not have been the only one. */
export function seeAnew({ seen, epochs }: SharingState): void {
  epochs.seeAnew()
  for (const lease of seen.values()) if (!lease.isReleased) lease.unchangedSince = steadyNow()
}

/** True where a partition is served, by this process or by another. */
export function isServed({ served, seen, term }: SharingState, partition: number): boolean {
  if (served.has(partition)) return true
  const lease = seen.get(partition)
  return (
    lease?.isNews === true &&
    (!mayClaim(lease, steadyNow(), term) || isBetweenHands(lease, steadyNow(), term))
  )
}

/** Returns the present holders, as far as one knows. */
export function holdingsOf({ owner, members, held, seen, term }: SharingState): Holdings {
  const holderOf = new Map<number, string>()
  for (const [partition, lease] of seen)
    if (!mayClaim(lease, steadyNow(), term)) holderOf.set(partition, lease.owner)
  for (const partition of held.keys()) holderOf.set(partition, owner)
  return { members: members.present(), holderOf, partitionCount }
}
