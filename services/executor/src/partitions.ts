import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@tripline/kit/bus'
import { now } from '@tripline/kit/clock'
import type { Log } from '@tripline/kit/log'
import { partitionCount } from '@tripline/proto/subject'
import { receiveWindowMs } from './domain/doubt.ts'
import {
  absenceCountsAfterTakeover,
  type Hold,
  isBetweenHands,
  isLeftOver,
  type LeaseTerm,
  mayClaim,
  type SeenLease,
  usualTerm,
} from './domain/lease.ts'
import { dueTo, excessOf, type Holdings, sharesOf } from './domain/share.ts'
import { clocks, type HeldLease, holdLease } from './held-lease.ts'
import type { Members } from './members.ts'
import type { LeaseStore, StoredLease } from './store/lease-store.ts'

const claimEveryMs = 250
/** Who comes back this much later than it meant to stood still, and has not seen what the others did meanwhile. */
const stoodStillMs = 1000
/** How many are handed over at a time: whoever takes them opens the clients of their bots meanwhile. */
const handOverTogether = 8
/** The same at the end: few enough that they are soon served. */
const leaveTogether = 4
/** For how long it goes so slowly at the end; then all that is left goes at once. */
const leaveSlowlyMs = 3000
/** How long before the first one goes: till then the others have heard of it, and begin to get ready. */
const announceMs = claimEveryMs + 50
/** How often it is looked whether what was given away is served. */
const lookMs = 5
/** For how long nothing is given up after something had to be taken back. */
const hesitateMs = 10_000
const allPartitions = Array.from({ length: partitionCount }, (_, partition) => partition)

/** A partition that is ours now. */
export interface Claim {
  partition: number
  /** From when on (now of the kit) an order of the former owner counts as absent; undefined after a clean release. */
  notAbsentBefore: number | undefined
}

/** A partition that is served no more. */
export interface Leaving {
  /** True when nothing is left in doubt: whoever takes it need not look anything up. */
  isSettled: boolean
  /** Settles once nothing of it runs any more. */
  ended: Promise<void>
}

export interface PartitionsOptions {
  bus: Pick<Bus, 'isConnected' | 'onConnection'>
  owner: string
  leases: LeaseStore
  /** How long a lease lasts, where not as usual; the same for all that share. */
  term?: LeaseTerm
  /** The executors that share the partitions now, this one among them. */
  members: Pick<Members, 'present' | 'hasLeft' | 'isOneTaking' | 'sayTaking'>
  log: Log
  /** Told of all that is to be ours soon, each time that this changes: settles once they can be served. */
  onComing: (partitions: readonly number[]) => Promise<void>
  /** Partitions became ours: settles once they are served. */
  onClaimed: (claims: Claim[]) => Promise<void>
  /** A partition is to go to another: settles once it is served no more. */
  onGivingUp: (partition: number) => Promise<Leaving>
  /** A partition that was given up is not ours any more. */
  onGone: (partition: number) => void
  /** How much runs in a partition: the busiest are given up last. */
  loadOf: (partition: number) => number
  /** Somebody else holds what we thought ours: the process must end at once. */
  onLost: () => void
}

/** The partitions this process owns. */
export interface Partitions {
  owns: (partition: number) => boolean
  /** True while every partition is served, by this process or by one that renews its lease. */
  areAllServed: () => boolean
  /** How many this process holds, and how many nobody serves. */
  counts: () => { held: number; unserved: number }
  /** How surely the partition is ours: only of one that is held an order may be signed. */
  holdOf: (partition: number) => Hold
  /** Claims what falls to it and gives up what is too much, now and always; settles once the first are served. */
  start: () => Promise<void>
  /** Stops claiming and giving up; what is held is renewed until it is released. */
  stopClaiming: () => Promise<void>
  /** Gives each away once it is settled, so that it can be taken at once; what does not settle runs out. */
  release: () => Promise<void>
}

interface NotedLease extends SeenLease {
  owner: string
  /** This revision came after another one that we saw: somebody is, or was, there. */
  isNews: boolean
}

/** What was given up among these members had to be taken back: for some time nothing more is. */
interface Hesitation {
  members: string
  ms: number
  until: number
}

interface State extends PartitionsOptions {
  term: LeaseTerm
  startedAt: number
  held: Map<number, HeldLease>
  seen: Map<number, NotedLease>
  served: Set<number>
  /** What was claimed and is not served yet, and what is got ready. */
  taking: Set<Promise<void>>
  /** What will fall to this one: whoever holds it leaves. */
  coming: readonly number[]
  /** What is given up, until nothing of it runs here any more: till then it is not claimed again. */
  leaving: Map<number, Promise<void>>
  /** What was given up and nobody has taken yet. */
  offered: Set<number>
  hesitation: Hesitation | undefined
  /** Something was released that may be ours to take. */
  hasNews: boolean
  wake: () => void
  stopping: AbortController
  /** What ends the listening to the bus. */
  stops: (() => void)[]
  sharing: Promise<void> | undefined
}

/** The partitions of an executor that has not begun to claim any. */
export function createPartitions(options: PartitionsOptions): Partitions {
  const state = newState(options)
  const stopSharing = async (): Promise<void> => {
    state.stopping.abort()
    state.wake()
    await state.sharing
    await Promise.all(state.taking)
  }
  return {
    owns: (partition) => state.held.has(partition),
    areAllServed: () => allPartitions.every((partition) => isServed(state, partition)),
    counts: () => ({
      held: state.held.size,
      unserved: allPartitions.filter((partition) => !isServed(state, partition)).length,
    }),
    holdOf: (partition) => {
      const lease = state.held.get(partition)
      if (lease === undefined) return 'gone'
      return lease.isSure() ? 'held' : 'unsure'
    },
    start: async () => await start(state),
    stopClaiming: stopSharing,
    release: async () => {
      await Promise.all([stopSharing(), ...state.leaving.values()])
      await giveUpAll(state)
      for (const stop of state.stops) stop()
    },
  }
}

function newState(options: PartitionsOptions): State {
  return {
    ...options,
    term: options.term ?? usualTerm,
    startedAt: now(),
    held: new Map(),
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

async function start(state: State): Promise<void> {
  const { bus, leases, stops } = state
  state.startedAt = now()
  stops.push(bus.onConnection((isConnected) => isConnected && seeAnew(state)))
  stops.push(await leases.watch((lease) => noteLease(state, lease)))
  await claimAll(state)
  await Promise.all(state.taking)
  state.sharing = share(state)
}

async function share(state: State): Promise<void> {
  const { signal } = state.stopping
  while (!signal.aborted) {
    giveUpExcess(state)
    const from = now()
    await pause(state, claimEveryMs)
    if (now() - from > claimEveryMs + stoodStillMs) seeAnew(state)
    if (!signal.aborted) await claimAll(state)
  }
}

function noteLease(state: State, { partition, owner, revision, isReleased }: StoredLease): void {
  const { seen, held, offered } = state
  if (owner === state.owner && held.has(partition)) return
  const isNews = seen.has(partition)
  seen.set(partition, { owner, revision, isReleased, isNews, unchangedSince: now() })
  if (!isReleased && owner !== state.owner) offered.delete(partition)
  if (!isReleased) return
  state.hasNews = true
  state.wake()
}

/** From now on silence counts anew: whoever stood still or was cut off may not have been the only one. */
function seeAnew({ seen }: State): void {
  for (const lease of seen.values()) if (!lease.isReleased) lease.unchangedSince = now()
}

function isServed({ served, seen, term }: State, partition: number): boolean {
  if (served.has(partition)) return true
  const lease = seen.get(partition)
  return lease?.isNews === true && (!mayClaim(lease, now(), term) || isBetweenHands(lease, now(), term))
}

async function claimAll(state: State): Promise<void> {
  if (!state.bus.isConnected()) return
  const due = dueOf(state)
  const partitions = claimable(state, new Set(due))
  if (partitions.length > 0) {
    const claiming = claimThose(state, partitions)
    keepTaking(
      state,
      claiming.then(async (claims) => await take(state, claims)),
    )
    await claiming
  }
  getReady(
    state,
    due.filter((partition) => isLeft(state, partition)),
  )
}

/** Says that this one takes partitions over until this has ended. */
function keepTaking({ members, taking }: State, work: Promise<void>): void {
  members.sayTaking(true)
  const kept = work.finally(() => {
    taking.delete(kept)
    if (taking.size === 0) members.sayTaking(false)
  })
  taking.add(kept)
}

/** Lets be got ready what those who leave still hold. */
function getReady(state: State, coming: readonly number[]): void {
  if (coming.join() === state.coming.join()) return
  state.coming = coming
  keepTaking(state, state.onComing(coming))
}

/** Serves what was claimed; what comes free meanwhile is claimed beside it. */
async function take(state: State, claims: Claim[]): Promise<void> {
  if (claims.length === 0) return
  state.log.info({ count: claims.length }, 'partitions claimed')
  await state.onClaimed(claims)
  for (const { partition } of claims) state.served.add(partition)
}

/** Claims what is free. One that could not be written is nobody's loss: it is tried again while it stays free. */
async function claimThose(state: State, partitions: readonly number[]): Promise<Claim[]> {
  const results = await Promise.allSettled(partitions.map(async (partition) => await claim(state, partition)))
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return result.value
    state.log.warn({ err: result.reason }, 'partition could not be claimed')
    return []
  })
}

/** What falls to this one of all that is free, or will soon be since its holder leaves. */
function dueOf(state: State): number[] {
  const { owner, held, seen, term } = state
  const falling = allPartitions.filter((partition) => {
    if (held.has(partition)) return false
    return mayClaim(seen.get(partition), now(), term) || isLeft(state, partition)
  })
  return dueTo(owner, falling, holdingsOf(state))
}

/** True for a partition whose holder, as far as one knows, takes no part any more. */
function isLeft({ held, seen, members }: State, partition: number): boolean {
  const lease = seen.get(partition)
  return lease !== undefined && !held.has(partition) && members.hasLeft(lease.owner)
}

/** What is free: what is due to this one, and what fell to another who did not take it. */
function claimable(state: State, due: ReadonlySet<number>): number[] {
  const { owner, held, seen, leaving, offered, startedAt, term } = state
  const isSated = held.size >= (sharesOf(holdingsOf(state)).get(owner) ?? 0)
  return allPartitions.filter((partition) => {
    if (held.has(partition) || leaving.has(partition)) return false
    if (!mayClaim(seen.get(partition), now(), term)) return false
    if (due.has(partition)) return true
    const isUntaken = isLeftOver(seen.get(partition), { startedAt, isSated }, now(), term)
    if (isUntaken && offered.delete(partition)) hesitate(state)
    return isUntaken
  })
}

async function claim(state: State, partition: number): Promise<Claim[]> {
  const { owner, leases, held, seen, offered, term } = state
  const former = seen.get(partition)
  const sentAt = clocks()
  const revision = await leases.write(partition, owner, false, former?.revision ?? 0)
  if (revision === undefined) return []
  held.set(partition, holdLease(state, { partition, revision, sentAt }))
  offered.delete(partition)
  const isClean = former === undefined || former.isReleased
  const notAbsentBefore = isClean ? undefined : absenceCountsAfterTakeover(former, receiveWindowMs, term)
  return [{ partition, notAbsentBefore }]
}

/** Hands over what others are to have, some at a time: the next ones when the last ones were taken. */
function giveUpExcess(state: State): void {
  const { owner, members, held, served, taking, leaving, offered, loadOf } = state
  if (taking.size > 0 || leaving.size > 0 || offered.size > 0) return
  if (members.isOneTaking() || isHesitant(state)) return
  const excess = excessOf(owner, holdingsOf(state))
  if (excess === 0) return
  const chosen = [...held.values()]
    .filter(({ partition }) => served.has(partition))
    .toSorted((one, other) => loadOf(one.partition) - loadOf(other.partition))
    .slice(0, Math.min(excess, handOverTogether))
  state.log.info({ count: chosen.length }, 'partitions given up')
  for (const lease of chosen) leaving.set(lease.partition, giveUp(state, lease))
}

/** Hands over everything, the busiest last: some at a time while there is somebody to take them, in good time all. */
async function giveUpAll(state: State): Promise<void> {
  const { held, members, loadOf } = state
  const until = now() + leaveSlowlyMs
  const isSlow = (): boolean => now() < until && members.present().length > 1
  if (isSlow()) await sleep(announceMs)
  const left = [...held.values()].toSorted((one, other) => loadOf(one.partition) - loadOf(other.partition))
  const going: Promise<unknown>[] = []
  let areGone = true
  while (left.length > 0) {
    while (isSlow() && !(areGone && isServedElsewhere(state))) await sleep(lookMs)
    const together = left.splice(0, isSlow() ? leaveTogether : left.length)
    const gone = Promise.all(together.map(async (lease) => await giveUp(state, lease)))
    areGone = false
    void Promise.allSettled([gone]).then(() => {
      areGone = true
    })
    going.push(gone)
  }
  await Promise.all(going)
}

function isServedElsewhere({ offered, members }: State): boolean {
  return offered.size === 0 && !members.isOneTaking()
}

async function giveUp(state: State, lease: HeldLease): Promise<void> {
  const { partition } = lease
  const { isSettled, ended } = await state.onGivingUp(partition)
  if (isSettled) state.offered.add(partition)
  await letGo(state, lease, isSettled)
  state.onGone(partition)
  void ended.finally(() => state.leaving.delete(partition))
}

/** Holds a lease no more. One that is not released runs out. */
async function letGo(state: State, lease: HeldLease, isReleased: boolean): Promise<void> {
  const { owner, leases, held, seen, served } = state
  const { partition } = lease
  const revision = await lease.letGo()
  held.delete(partition)
  served.delete(partition)
  seen.set(partition, { owner, revision, isReleased: false, isNews: true, unchangedSince: now() })
  if (!isReleased) return
  await leases.write(partition, owner, true, revision).catch((error: unknown) => {
    state.log.warn({ err: error, partition }, 'lease not released, it runs out')
  })
}

/** Each time for twice as long, as long as the same members are there. */
function hesitate(state: State): void {
  const { hesitation } = state
  if (hesitation !== undefined && now() < hesitation.until) return
  const members = nameOf(state)
  const ms = hesitation?.members === members ? hesitation.ms * 2 : hesitateMs
  state.hesitation = { members, ms, until: now() + ms }
}

function isHesitant(state: State): boolean {
  const { hesitation } = state
  return hesitation !== undefined && hesitation.members === nameOf(state) && now() < hesitation.until
}

function nameOf({ members }: State): string {
  return members.present().toSorted().join(' ')
}

function holdingsOf({ owner, members, held, seen, term }: State): Holdings {
  const holderOf = new Map<number, string>()
  for (const [partition, lease] of seen)
    if (!mayClaim(lease, now(), term)) holderOf.set(partition, lease.owner)
  for (const partition of held.keys()) holderOf.set(partition, owner)
  return { members: members.present(), holderOf, partitionCount }
}

/** Waits for a while, or until something was released. */
async function pause(state: State, ms: number): Promise<void> {
  if (!state.hasNews) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    state.wake = resolve
    await promise
    clearTimeout(timer)
  }
  state.hasNews = false
}
