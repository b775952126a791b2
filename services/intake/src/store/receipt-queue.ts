import type { UserId } from '@tripline/proto/id'
import type { ReceiptDraft } from '../domain/receipt.ts'
import type { StoredReceipt } from './receipt-rows.ts'

/** A receipt that is to be stored. */
export interface WaitingReceipt {
  draft: ReceiptDraft
  resolve: (stored: StoredReceipt | undefined) => void
  since: number
  /** Whether it goes in a batch of its own. */
  isAlone: boolean
}

/** The most that may wait, in bytes as they are counted here. */
export interface QueueLimits {
  ofUser: number
  ofAll: number
}

/** Receipts in the order in which they are stored, one batch at a time. */
export interface ReceiptQueue {
  /** False where there is no room for it. */
  add: (receipt: WaitingReceipt) => boolean
  /** Takes the next batch; it counts as waiting until it is settled. */
  next: () => readonly WaitingReceipt[]
  /** Ends the batch; what is given back is the first that goes again. */
  settle: (again: readonly WaitingReceipt[]) => void
  takeAll: () => readonly WaitingReceipt[]
  count: () => number
  /** The time since when the first one waits. */
  oldestAt: () => number | undefined
}

// Some 20,000 alerts of usual length; one user's may be a quarter of that.
const usualLimits: QueueLimits = { ofUser: 4_000_000, ofAll: 16_000_000 }
/** The room of a receipt besides its message. */
const receiptBytes = 700
const mostAtOnce = 500
// A long statement holds up the answers that wait for those behind it.
const batchBytes = 1_000_000

/** An empty queue that takes no more of a user, and of all, than fits into memory while the database is away. */
export function createReceiptQueue(limits: QueueLimits = usualLimits): ReceiptQueue {
  let waiting: readonly WaitingReceipt[] = []
  let added: WaitingReceipt[] = []
  let batch: readonly WaitingReceipt[] = []
  const bytesOf = new Map<UserId, number>()
  let bytes = 0
  const change = ({ draft }: WaitingReceipt, sign: 1 | -1): void => {
    const size = sign * sizeOf(draft)
    bytes += size
    const ofUser = (bytesOf.get(draft.userId) ?? 0) + size
    if (ofUser > 0) bytesOf.set(draft.userId, ofUser)
    else bytesOf.delete(draft.userId)
  }
  return {
    add: (receipt) => {
      const { draft } = receipt
      const size = sizeOf(draft)
      const ofUser = (bytesOf.get(draft.userId) ?? 0) + size
      if (bytes + size > limits.ofAll || ofUser > limits.ofUser) return false
      change(receipt, 1)
      added.push(receipt)
      return true
    },
    next: () => {
      waiting = [...waiting, ...added]
      added = []
      batch = waiting.slice(0, batchLength(waiting))
      waiting = waiting.slice(batch.length)
      return batch
    },
    settle: (again) => {
      for (const receipt of batch) change(receipt, -1)
      for (const receipt of again) change(receipt, 1)
      waiting = [...again, ...waiting]
      batch = []
    },
    takeAll: () => {
      const all = [...batch, ...waiting, ...added]
      for (const receipt of all) change(receipt, -1)
      batch = waiting = added = []
      return all
    },
    count: () => batch.length + waiting.length + added.length,
    oldestAt: () => (batch[0] ?? waiting[0] ?? added[0])?.since,
  }
}

/** The number of receipts from the first one on that go together; no alert is in a batch twice. */
function batchLength(waiting: readonly WaitingReceipt[]): number {
  const alerts = new Set<string>()
  let bytes = 0
  for (const [index, { draft, isAlone }] of waiting.entries()) {
    bytes += sizeOf(draft)
    if (bytes > batchBytes || index === mostAtOnce || isAlone || alerts.has(draft.alertId))
      return Math.max(index, 1)
    alerts.add(draft.alertId)
  }
  return waiting.length
}

function sizeOf({ message }: ReceiptDraft): number {
  return receiptBytes + 2 * message.length
}
