import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@tripline/kit/telemetry/log'
import { steadyNow } from '@tripline/kit/time/clock'
import { type EpochRow, type RowWord, rowWord, showsLoss } from '../domain/sharing/epoch.ts'
import {
  type BothClocks,
  isHeld,
  type LeaseTerm,
  type NumberedTenure,
  renewAgainMs,
  untilRenewal,
} from '../domain/sharing/lease.ts'
import {
  confirm,
  isStanding,
  type Reach,
  type Standing,
  tenureIn,
  unconfirmed,
  type Witness,
} from '../domain/sharing/standing.ts'
import type { LeaseStore } from '../store/lease-store.ts'
import type { ProcessAddress } from './process-address.ts'

/** A lease that is ours. */
export interface HeldLease {
  partition: number
  /** Since when it is surely ours; undefined while it is not. */
  tenure: () => NumberedTenure | undefined
  /** The epoch under which it is held. */
  epoch: () => number
  /** True while the bus confirms that it is ours. */
  isOnBus: () => boolean
  /** Takes in what the row of the partition says, by a request that was sent at this moment. */
  noteRow: (row: EpochRow, sentAt: BothClocks) => RowWord
  /** From the next renewal on its owner counts as one that lives. */
  noteRunThrough: () => void
  /**
   * From now on alerts may be begun out of the order of their lanes, and those executions are overtaken by an exit, so that
   * they open nothing any more: settles once that is stored, or the lease is gone.
   */
  breakOrder: (overtaken?: readonly string[]) => Promise<void>
  /** The execution came through its turn: that it was overtaken need not be known any more. */
  forgetOvertaken: (executionId: string) => void
  /** Renews it no more; returns its last revision, and what a successor is to know of it. */
  letGo: () => Promise<Left>
}

/** Rest of a lease that is renewed no more. */
export type Left = Pick<Renewable, 'revision' | 'deaths' | 'isHeir' | 'epoch'> & {
  inOrder: string | undefined
  overtaken: readonly string[]
}

export interface HeldLeaseOptions {
  owner: string
  place?: ProcessAddress | undefined
  leases: LeaseStore
  /** Whether the database of epochs can be asked: else the bus is believed alone. */
  databaseReach: () => Reach
  term: LeaseTerm
  log: Log
  onLost: () => void
}

interface Renewable {
  partition: number
  revision: number
  epoch: number
  standing: Standing
  deaths: number
  isHeir: boolean
  inOrder: boolean
  /** The run of the bus under which it was claimed: in another one, ended alerts may be stored there again. */
  busRun: string
  isBroken: boolean
  /** Executions that an exit overtook, and those of them that were found in the lease of a former owner. */
  overtaken: Set<string>
  found: string[]
  /** Count of changes to this, count of stored ones, and those who wait for them. */
  changes: number
  storedChanges: number
  waiting: { changes: number; stored: () => void }[]
}

/** Both clocks now. */
export function clocks(): BothClocks {
  return { monotonic: steadyNow(), wall: Date.now() }
}

/** Holds a lease that was claimed under this revision and epoch by requests sent at these moments. */
export function holdLease(
  options: HeldLeaseOptions,
  claimed: Pick<
    Renewable,
    'partition' | 'revision' | 'epoch' | 'deaths' | 'isHeir' | 'inOrder' | 'busRun'
  > & {
    sentAt: Record<Witness, BothClocks>
    overtaken: readonly string[]
  },
): HeldLease {
  const { sentAt, overtaken, ...about } = claimed
  const lease: Renewable = {
    ...about,
    isBroken: false,
    overtaken: new Set(overtaken),
    found: [...overtaken],
    changes: 0,
    storedChanges: 0,
    waiting: [],
    standing: unconfirmed,
  }
  for (const witness of ['database', 'bus'] as const) noteConfirmed(options, lease, witness, sentAt[witness])
  const lettingGo = new AbortController()
  const renewing = keep(options, lease, lettingGo.signal).finally(() => noteStored(lease, lease.changes))
  return {
    partition: lease.partition,
    tenure: () =>
      isStanding(lease.standing, clocks(), options.databaseReach())
        ? tenureIn(lease.standing, lease.epoch, options.databaseReach())
        : undefined,
    epoch: () => lease.epoch,
    isOnBus: () => isHeld(lease.standing.until.bus, clocks()),
    noteRow: (row, sentAt) => {
      const word = rowWord(row, options.owner, lease.epoch)
      if (word === 'mine') {
        lease.epoch = Math.max(lease.epoch, row.epoch)
        noteConfirmed(options, lease, 'database', sentAt)
      } else if (word === 'lost' && !lettingGo.signal.aborted) {
        options.log.error({ partition: lease.partition }, 'epoch lost to another executor')
        options.onLost()
      }
      return word
    },
    noteRunThrough: () => {
      lease.deaths = 0
      lease.isHeir = false
      if (!lease.isBroken) lease.inOrder = true
      for (const executionId of lease.found.splice(0)) lease.overtaken.delete(executionId)
    },
    breakOrder: async (overtaken = []) => {
      const isKnown = overtaken.every((executionId) => lease.overtaken.has(executionId))
      if (!isKnown || (lease.inOrder && !lease.isBroken)) lease.changes++
      lease.isBroken = true
      for (const executionId of overtaken) lease.overtaken.add(executionId)
      const { changes, storedChanges } = lease
      if (lettingGo.signal.aborted || changes === storedChanges) return
      await new Promise<void>((stored) => void lease.waiting.push({ changes, stored }))
    },
    forgetOvertaken: (executionId) => void lease.overtaken.delete(executionId),
    letGo: async () => {
      lettingGo.abort()
      await renewing
      const { revision, epoch, deaths, isHeir, overtaken } = lease
      const inOrder = orderOf(lease, options.leases)
      return { revision, epoch, deaths, isHeir, inOrder, overtaken: [...overtaken] }
    },
  }
}

/** Renews a lease until it is released, or lost to another. */
async function keep(options: HeldLeaseOptions, lease: Renewable, letGo: AbortSignal): Promise<void> {
  let isFailing = false
  let pauseMs = untilRenewal(lease.partition, steadyNow())
  while (await elapsed(pauseMs, letGo)) {
    try {
      const outcome = await renew(options, lease)
      if (outcome === 'lost') {
        options.log.error({ partition: lease.partition }, 'lease lost to another executor')
        return options.onLost()
      }
      pauseMs = outcome === 'renewed' ? untilRenewal(lease.partition, steadyNow()) : 0
      isFailing = false
    } catch (error) {
      if (!isFailing) options.log.warn({ err: error, partition: lease.partition }, 'lease not renewed yet')
      pauseMs = renewAgainMs
      isFailing = true
    }
  }
}

async function renew(options: HeldLeaseOptions, lease: Renewable): Promise<'renewed' | 'outrun' | 'lost'> {
  const { owner, place, leases, log } = options
  const sentAt = clocks()
  const { partition, deaths, isHeir, changes, epoch } = lease
  const [inOrder, overtaken] = [orderOf(lease, leases), [...lease.overtaken]]
  const mine = {
    partition,
    owner,
    isReleased: false,
    deaths,
    isHeir,
    place: place?.name,
    inOrder,
    overtaken,
    epoch,
  }
  const revision = await leases.write(mine, lease.revision)
  if (revision !== undefined) {
    lease.revision = revision
    noteStored(lease, changes)
    noteConfirmed(options, lease, 'bus', sentAt)
    return 'renewed'
  }
  // A renewal whose answer was lost moved the revision on: then the lease is still ours, and no other executor took over.
  const stored = await leases.read(partition)
  if (showsLoss(stored, owner, lease.epoch)) return 'lost'
  if (stored?.owner !== owner) log.error({ partition }, 'the bus forgot our lease, which is written again')
  lease.revision = stored?.revision ?? 0
  return 'outrun'
}

function noteConfirmed(
  { databaseReach, term }: HeldLeaseOptions,
  lease: Renewable,
  witness: Witness,
  sentAt: BothClocks,
): void {
  const confirmation = { witness, sentAt, answeredAt: clocks(), database: databaseReach() }
  lease.standing = confirm(lease.standing, confirmation, term)
}

/** So many changes are stored, or need not be any more. */
function noteStored(lease: Renewable, changes: number): void {
  lease.storedChanges = changes
  const isOver = (waiter: { changes: number }): boolean => waiter.changes <= changes
  for (const { stored } of lease.waiting.filter(isOver)) stored()
  lease.waiting = lease.waiting.filter((waiter) => !isOver(waiter))
}

/** The run of the bus in which the order was preserved; undefined where it was broken, or the bus was started anew. */
function orderOf({ inOrder, isBroken, busRun }: Renewable, leases: LeaseStore): string | undefined {
  return inOrder && !isBroken && leases.busRun() === busRun ? busRun : undefined
}

/** True once the time is over, false at once when it is no longer waited for. */
async function elapsed(ms: number, stopping: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal: stopping }).catch(() => undefined)
  return !stopping.aborted
}
