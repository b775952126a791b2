import { hash } from 'node:crypto'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { refusesValue } from '@tripline/kit/postgres'
import type { Log } from '@tripline/kit/telemetry/log'
import { type ExpiringMap, expiringMap } from '@tripline/kit/time/expiring-map'
import type { AlertId } from '@tripline/proto/id'
import {
  numbered,
  type ReceiptDraft,
  type ReceiptedAlert,
  type ReceiptHead,
  receiptDraft,
} from '../domain/receipt.ts'
import { createReceiptQueue, type QueueLimits, type WaitingReceipt } from './receipt-queue.ts'
import { confirmReceipts, findHeads, findReceipts, type StoredReceipt, saveReceipts } from './receipt-rows.ts'
import type { Db } from './tables.ts'

/** Receipts of accepted alerts, on their way into the database. */
export interface Receipts {
  /** Has a receipt stored, in the order of the calls; resolves with it, or with undefined where there is no room for it. */
  add: (alert: ReceiptedAlert) => Promise<StoredReceipt | undefined>
  /** True from an attempt that failed on until one succeeds. */
  isAway: () => boolean
  /** The number of those that wait, and since when the first one does. */
  waiting: () => { count: number; oldestAt: number | undefined }
  /** Resolves once nothing waits, or when the time is over; what waits then is dropped. */
  stop: (withinMs: number) => Promise<void>
}

export interface ReceiptDeps {
  db: Db
  log: Log
  clock: () => number
  /** Counts receipts that are not stored. */
  dropped: (count: number) => void
  limits?: QueueLimits | undefined
}

/** A statement that takes longer counts as failed; it may be carried out all the same. */
const patienceMs = 5000
const againMs = 500
const takenAgainMs = 10
const headsForMs = 3_600_000
const mostHeads = 10_000

/** A batch that failed: others may take it (`taken`: another replica was faster), or nobody (`refused`). */
type Failure = 'taken' | 'refused' | 'away'

/**
 * Stores receipts in batches, one at a time: the next one holds everything that came meanwhile. Replicas may have receipts
 * of the same user: a batch builds on the newest receipt that is known here, and where that is not the newest one any
 * more nothing of this user is stored, and tried again behind the one that is.
 */
export function openReceipts({ db, log, clock, dropped, limits }: ReceiptDeps): Receipts {
  const queue = createReceiptQueue(limits)
  const heads = expiringMap<ReceiptHead>(headsForMs, mostHeads)
  let isAway = false
  let isStopped = false
  let storing: Promise<void> | undefined
  const drop = (receipts: readonly WaitingReceipt[]): void => {
    dropped(receipts.length)
    for (const { resolve } of receipts) resolve(undefined)
  }
  const store = async (batch: readonly WaitingReceipt[]): Promise<void> => {
    const drafts = batch.map(({ draft }) => draft)
    const stored = await inTime(storeDrafts(db, drafts, { heads, now: clock() }))
    if (isAway) log.info({ waiting: queue.count() }, 'receipts are stored again')
    isAway = false
    queue.settle(batch.filter(({ draft }) => !stored.has(draft.alertId)).map(tried))
    for (const { draft, resolve } of batch) {
      const receipt = stored.get(draft.alertId)
      if (receipt !== undefined) resolve(receipt)
    }
  }
  const fail = (batch: readonly WaitingReceipt[], failure: Failure, error: unknown): void => {
    for (const { draft } of batch) heads.delete(draft.userId)
    const isLast = batch.length === 1
    // One that the database does not take must not hold up the others.
    const again = batch.map((receipt) => ({ ...tried(receipt), isAlone: failure === 'refused' }))
    queue.settle(failure === 'refused' && isLast ? [] : again)
    if (failure !== 'refused' || !isLast) return
    log.error({ err: error, alertId: batch[0]?.draft.alertId }, 'receipt not storable')
    drop(batch)
  }
  const storeAll = async (): Promise<void> => {
    // Behind everything else that came with it, and with those that did.
    await setImmediate()
    for (let batch = queue.next(); batch.length > 0 && !isStopped; batch = queue.next()) {
      try {
        await store(batch)
      } catch (error) {
        const failure = failureOf(error)
        fail(batch, failure, error)
        if (failure === 'taken') await sleep(takenAgainMs)
        if (failure !== 'away') continue
        if (!isAway) log.warn({ err: error }, 'receipts not stored, trying again')
        isAway = true
        await sleep(againMs)
      }
    }
    storing = undefined
  }
  return {
    add: async (alert) => {
      const draft = receiptDraft(alert, sha256)
      return await new Promise((resolve) => {
        const receipt = { draft, resolve, since: clock(), isAlone: false }
        if (isStopped || !queue.add(receipt)) drop([receipt])
        else storing ??= storeAll()
      })
    },
    isAway: () => isAway,
    waiting: () => ({ count: queue.count(), oldestAt: queue.oldestAt() }),
    stop: async (withinMs) => {
      const overdue = new AbortController()
      const late = sleep(withinMs, undefined, { signal: overdue.signal }).catch(() => undefined)
      await Promise.race([storing, late])
      overdue.abort()
      isStopped = true
      const left = queue.takeAll()
      if (left.length > 0) log.error({ count: left.length }, 'receipts not stored before the end')
      drop(left)
    },
  }
}

function sha256(text: string): string {
  return hash('sha256', text)
}

/** One that may be stored already. */
function tried(receipt: WaitingReceipt): WaitingReceipt {
  return { ...receipt, draft: { ...receipt.draft, isResend: true } }
}

interface Known {
  heads: ExpiringMap<ReceiptHead>
  now: number
}

/** Stores what builds on the newest receipts; returns what is in the database of these alerts now. */
async function storeDrafts(
  db: Db,
  drafts: readonly ReceiptDraft[],
  known: Known,
): Promise<Map<AlertId, StoredReceipt>> {
  const resends = drafts.filter(({ isResend }) => isResend)
  const stored = resends.length > 0 ? await findStored(db, resends) : new Map<AlertId, StoredReceipt>()
  const fresh = drafts.filter(({ alertId }) => !stored.has(alertId))
  if (fresh.length > 0) await saveFresh(db, fresh, known, stored)
  return stored
}

/** Returns the receipts of alerts that have one; those that are confirmed by now are so there, too. */
async function findStored(db: Db, resends: readonly ReceiptDraft[]): Promise<Map<AlertId, StoredReceipt>> {
  const ids = resends.map(({ alertId }) => alertId)
  const stored = await findReceipts(db, ids)
  const confirmed = resends.filter(({ alertId, isConfirmed }) => isConfirmed && stored.has(alertId))
  if (confirmed.length > 0) await confirmReceipts(db, confirmed)
  return stored
}

/** Adds those that are saved to the stored ones; of users whose newest receipt is another one, that is forgotten. */
async function saveFresh(
  db: Db,
  drafts: readonly ReceiptDraft[],
  known: Known,
  stored: Map<AlertId, StoredReceipt>,
): Promise<void> {
  const { heads, now } = known
  await readHeads(db, drafts, known)
  const { receipts, heads: changes } = numbered(drafts, (userId) => heads.get(userId, now), sha256)
  const saved = await saveReceipts(db, receipts, changes)
  for (const { alertId, number, hash } of receipts)
    if (saved.alerts.has(alertId)) stored.set(alertId, { number, hash })
  for (const { userId, number, hash } of changes) {
    if (saved.users.has(userId)) heads.set(userId, { number, hash }, now)
    else heads.delete(userId)
  }
}

/** Reads the newest receipts that are not known, with one statement; a user without any has none to build on. */
async function readHeads(db: Db, drafts: readonly ReceiptDraft[], { heads, now }: Known): Promise<void> {
  const users = new Set(drafts.map(({ userId }) => userId))
  const unknown = [...users].filter((userId) => heads.get(userId, now) === undefined)
  if (unknown.length === 0) return
  for (const [userId, head] of await findHeads(db, unknown)) heads.set(userId, head, now)
}

/** PostgreSQL's code for a value that must be there once: another replica was faster. */
const uniqueViolation = '23505'

function failureOf(error: unknown): Failure {
  if (refusesValue(error)) return 'refused'
  return error instanceof Error && 'code' in error && error.code === uniqueViolation ? 'taken' : 'away'
}

async function inTime<Value>(storing: Promise<Value>): Promise<Value> {
  const overdue = new AbortController()
  const late = sleep(patienceMs, undefined, { signal: overdue.signal }).then(() => {
    throw new Error(`the database did not answer in ${patienceMs} ms`)
  })
  // The one that loses may still fail.
  storing.catch(() => undefined)
  late.catch(() => undefined)
  return await Promise.race([storing, late]).finally(() => overdue.abort())
}
