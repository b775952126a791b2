import { now, steadyNow } from '@tripline/kit/time/clock'
import { receiveWindowMs } from '../domain/order/doubt.ts'
import {
  absenceCountsAfterTakeover,
  isLeftOver,
  isStoreSilent,
  isStoreToBeAsked,
  type LeaseTerm,
  mayClaim,
  unbegunAfter,
} from '../domain/sharing/lease.ts'
import { dueTo, sharesOf } from '../domain/sharing/share.ts'
import type { ClaimedEpoch } from './epochs.ts'
import { clocks, holdLease } from './held-lease.ts'
import { hesitate } from './hesitation.ts'
import {
  allPartitions,
  type Claim,
  holdingsOf,
  type NotedLease,
  noteLease,
  noteStore,
  type SharingState,
} from './state.ts'

/** Claims what falls to this one, and has got ready what will fall to it soon. */
export async function claimAll(state: SharingState): Promise<void> {
  if (!state.bus.isConnected()) return
  askStore(state)
  if (!state.epochs.isUp()) return
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

/** Claims what is free: the rows first, then the leases. What could not be written is tried again while it stays free. */
async function claimThose(state: SharingState, partitions: readonly number[]): Promise<Claim[]> {
  const { epochs, log, seen } = state
  const rows = await epochs.claim(partitions.map((partition) => ({ partition, lease: seen.get(partition) })))
  const outrun: ClaimedEpoch[] = []
  const results = await Promise.allSettled(
    rows.map(async (row) => {
      const claimed = await claim(state, row)
      if (claimed !== undefined) return [claimed]
      outrun.push(row)
      await seeLease(state, row.partition)
      return []
    }),
  )
  if (outrun.length > 0) void giveBack(state, outrun)
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return result.value
    log.warn({ err: result.reason }, 'partition could not be claimed')
    return []
  })
}

/** Sees a lease as it is stored now: of one that was removed, or rolled back, nothing is reported. */
async function seeLease(state: SharingState, partition: number): Promise<void> {
  const stored = await state.leases.read(partition)
  if (stored === undefined) state.seen.delete(partition)
  else if (stored.revision !== state.seen.get(partition)?.revision) noteLease(state, stored)
}

/** Gives back what was claimed of owners that renewed their leases meanwhile. */
async function giveBack({ epochs, log }: SharingState, claimed: readonly ClaimedEpoch[]): Promise<void> {
  await epochs.giveBack(claimed).catch((error: unknown) => {
    log.warn({ err: error }, 'epochs not given back, they run out')
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
  const { owner, held, seen, leaving, offered, startedAt, term, epochs } = state
  const isSated = held.size >= (sharesOf(holdingsOf(state)).get(owner) ?? 0)
  return allPartitions.filter((partition) => {
    if (held.has(partition) || leaving.has(partition)) return false
    if (!isFree(state, partition) || !epochs.isFree({ partition, lease: seen.get(partition) })) return false
    if (due.has(partition)) return true
    const isUntaken = isLeftOver(seen.get(partition), { startedAt, isSated }, steadyNow(), term)
    if (isUntaken && offered.delete(partition)) hesitate(state)
    return isUntaken
  })
}

/** Claims the lease behind its row; undefined where another was faster. */
async function claim(state: SharingState, row: ClaimedEpoch): Promise<Claim | undefined> {
  const { partition, epoch } = row
  const { owner, place, leases, held, seen, offered } = state
  const former = seen.get(partition)
  // Its owner may have renewed it since the row was asked for.
  if (!isFree(state, partition) || (former?.epoch ?? 0) >= epoch) return undefined
  // A lease of an earlier epoch than the row's is one that the bus was rolled back to: it knows nothing of the last owner.
  const isLast = epoch === (former?.epoch ?? 0) + 1
  const isClean = isLast && (former === undefined || former.isReleased)
  const deaths = isClean ? 0 : (former?.deaths ?? 0) + Number(former?.isStopped !== true)
  const sentAt = clocks()
  const busRun = leases.busRun()
  const inOrder = isClean || (isLast && former?.inOrder === busRun)
  const order = inOrder ? busRun : undefined
  const overtaken = former?.overtaken ?? []
  const isHeir = !isClean
  const about = { partition, epoch, deaths, isHeir, overtaken }
  const mine = { ...about, owner, isReleased: false, place: place?.name, inOrder: order }
  const revision = await leases.write(mine, former?.revision ?? 0)
  if (revision === undefined) return undefined
  const sentAts = { database: row.sentAt, bus: sentAt }
  held.set(partition, holdLease(state, { ...about, revision, sentAt: sentAts, inOrder, busRun }))
  offered.delete(partition)
  const found = { partition, deaths, inOrder, overtaken: new Set(overtaken) }
  if (isClean) return { ...found, notAbsentBefore: undefined, unbegunFrom: undefined, onlyOwner: undefined }
  return { ...found, ...doubtOf(row, isLast ? former : undefined, busRun, state.term) }
}

/** Knowledge of an owner that did not let go, by its lease, where that is the last one, and by its row. */
function doubtOf(
  { renewedBy = Number.NEGATIVE_INFINITY }: Pick<ClaimedEpoch, 'renewedBy'>,
  former: NotedLease | undefined,
  busRun: string,
  term: LeaseTerm,
): Pick<Claim, 'notAbsentBefore' | 'unbegunFrom' | 'onlyOwner'> {
  const unchangedSince = Math.max(former?.unchangedSince ?? renewedBy, renewedBy)
  const gone = { unchangedSince, goneBy: former?.goneBy }
  const leftMs = absenceCountsAfterTakeover(gone, receiveWindowMs, term) - steadyNow()
  // A single server that was started anew may have forgotten later renewals.
  const storedAt = former?.inOrder === busRun ? former.storedAt : undefined
  return {
    notAbsentBefore: now() + leftMs,
    unbegunFrom: storedAt === undefined ? undefined : unbegunAfter(storedAt, term),
    onlyOwner: former?.isHeir === false ? former.owner : undefined,
  }
}
