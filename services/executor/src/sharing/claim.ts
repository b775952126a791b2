import { now, steadyNow } from '@tripline/kit/time/clock'
import { receiveWindowMs } from '../domain/order/doubt.ts'
import {
  absenceCountsAfterTakeover,
  isLeftOver,
  isStoreSilent,
  isStoreToBeAsked,
  mayClaim,
  unbegunAfter,
} from '../domain/sharing/lease.ts'
import { dueTo, sharesOf } from '../domain/sharing/share.ts'
import { clocks, holdLease } from './held-lease.ts'
import { hesitate } from './hesitation.ts'
import { allPartitions, type Claim, holdingsOf, noteStore, type SharingState } from './state.ts'

/** Claims what falls to this one, and has got ready what will fall to it soon. */
export async function claimAll(state: SharingState): Promise<void> {
  if (!state.bus.isConnected()) return
  askStore(state)
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

/** Asks the store of leases where nothing was seen of it: an executor that renews nothing itself may see no other sign of it. */
function askStore(state: SharingState): void {
  if (state.isAskingStore || !isStoreToBeAsked(state.storeSeenAt, steadyNow())) return
  state.isAskingStore = true
  void state.leases
    .read(0)
    .then(
      () => noteStore(state),
      (error: unknown) => state.log.debug({ err: error }, 'the store of leases does not answer'),
    )
    .finally(() => {
      state.isAskingStore = false
    })
}

/** Says that this one takes partitions over until this has ended. */
function keepTaking({ members, taking }: SharingState, work: Promise<void>): void {
  members.sayTaking(true)
  const takeover = work.finally(() => {
    taking.delete(takeover)
    if (taking.size === 0) members.sayTaking(false)
  })
  taking.add(takeover)
}

/** Lets be got ready what those who leave still hold. */
function getReady(state: SharingState, coming: readonly number[]): void {
  if (coming.join() === state.coming.join()) return
  state.coming = coming
  keepTaking(state, state.onComing(coming))
}

/** Serves the claimed partitions; those that come free meanwhile are claimed beside them. */
async function take(state: SharingState, claims: Claim[]): Promise<void> {
  if (claims.length === 0) return
  state.log.info({ count: claims.length }, 'partitions claimed')
  await state.onClaimed(claims)
  for (const { partition } of claims) state.served.add(partition)
}

/** Claims what is free. A claim that could not be written is tried again while the partition stays free. */
async function claimThose(state: SharingState, partitions: readonly number[]): Promise<Claim[]> {
  const results = await Promise.allSettled(partitions.map(async (partition) => await claim(state, partition)))
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return result.value
    state.log.warn({ err: result.reason }, 'partition could not be claimed')
    return []
  })
}

/** True for a lease that may be taken now. While the store is silent, a holder's silence says nothing. */
function isFree({ seen, term, storeSeenAt }: SharingState, partition: number): boolean {
  const lease = seen.get(partition)
  const saysSilence = lease?.isReleased === false && lease.goneBy === undefined
  if (saysSilence && isStoreSilent(storeSeenAt, steadyNow())) return false
  return mayClaim(lease, steadyNow(), term)
}

/** Returns partitions due to this one of all that are free, or soon will be since their holder leaves. */
function dueOf(state: SharingState): number[] {
  const { owner, held } = state
  const falling = allPartitions.filter(
    (partition) => !held.has(partition) && (isFree(state, partition) || isLeft(state, partition)),
  )
  return dueTo(owner, falling, holdingsOf(state))
}

/** True for a partition whose holder, as far as one knows, takes no part any more. */
function isLeft({ held, seen, members }: SharingState, partition: number): boolean {
  const lease = seen.get(partition)
  return lease !== undefined && !held.has(partition) && members.hasLeft(lease.owner)
}

/** Returns free partitions: those due to this one, and those left untaken by another. */
function claimable(state: SharingState, due: ReadonlySet<number>): number[] {
  const { owner, held, seen, leaving, offered, startedAt, term } = state
  const isSated = held.size >= (sharesOf(holdingsOf(state)).get(owner) ?? 0)
  return allPartitions.filter((partition) => {
    if (held.has(partition) || leaving.has(partition)) return false
    if (!isFree(state, partition)) return false
    if (due.has(partition)) return true
    const isUntaken = isLeftOver(seen.get(partition), { startedAt, isSated }, steadyNow(), term)
    if (isUntaken && offered.delete(partition)) hesitate(state)
    return isUntaken
  })
}

async function claim(state: SharingState, partition: number): Promise<Claim[]> {
  const { owner, place, leases, held, seen, offered, term } = state
  const former = seen.get(partition)
  const isClean = former === undefined || former.isReleased
  const deaths = isClean ? 0 : former.deaths + Number(!former.isStopped)
  const sentAt = clocks()
  const busRun = leases.busRun()
  const inOrder = isClean || former.inOrder === busRun
  const order = inOrder ? busRun : undefined
  const overtaken = former?.overtaken ?? []
  const isHeir = !isClean
  const about = { partition, deaths, isHeir, overtaken }
  const mine = { ...about, owner, isReleased: false, place: place?.name, inOrder: order }
  const revision = await leases.write(mine, former?.revision ?? 0)
  if (revision === undefined) return []
  held.set(partition, holdLease(state, { ...about, revision, sentAt, inOrder, busRun }))
  offered.delete(partition)
  const found = { partition, deaths, inOrder, overtaken: new Set(overtaken) }
  if (isClean) return [{ ...found, notAbsentBefore: undefined, unbegunFrom: undefined, onlyOwner: undefined }]
  const { storedAt } = former
  // A single server that was started anew may have forgotten later renewals.
  const isLast = storedAt !== undefined && former.inOrder === busRun
  const unbegunFrom = isLast ? unbegunAfter(storedAt, term) : undefined
  const leftMs = absenceCountsAfterTakeover(former, receiveWindowMs, term) - steadyNow()
  const onlyOwner = former.isHeir ? undefined : former.owner
  return [{ ...found, notAbsentBefore: now() + leftMs, unbegunFrom, onlyOwner }]
}
