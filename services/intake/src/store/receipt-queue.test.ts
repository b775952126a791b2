import { describe, expect, test } from '@jest/globals'
import { AlertId, UserId } from '@tripline/proto/id'
import { createReceiptQueue, type WaitingReceipt } from './receipt-queue.ts'

const ada = UserId.parse('0193f5a0-0000-7000-8000-000000000001')
const bob = UserId.parse('0193f5a0-0000-7000-8000-000000000002')

function waiting(number: number, changes: { userId?: UserId; message?: string; isAlone?: boolean } = {}) {
  const { userId = ada, message = 'short', isAlone = false } = changes
  const receipt: WaitingReceipt = {
    draft: {
      userId,
      alertId: AlertId.parse(`01KAJ${String(number).padStart(21, '0')}`),
      receivedAt: '2026-11-21T12:00:00.000Z',
      messageHash: '',
      message,
      isConfirmed: true,
      sequence: number,
      blocks: 1,
      isResend: false,
    },
    resolve: () => undefined,
    since: number,
    isAlone,
  }
  return receipt
}

const placesOf = (batch: readonly WaitingReceipt[]) => batch.map(({ since }) => since)

describe('a queue of receipts', () => {
  test('gives everything that waits as one batch, in order, and what comes meanwhile as the next one', () => {
    const queue = createReceiptQueue()
    for (const number of [1, 2, 3]) queue.add(waiting(number))
    const first = queue.next()
    queue.add(waiting(4))
    expect([placesOf(first), queue.count(), queue.oldestAt()]).toEqual([[1, 2, 3], 4, 1])
    queue.settle(first.slice(1))
    expect([placesOf(queue.next()), queue.count()]).toEqual([[2, 3, 4], 3])
    queue.settle([])
    expect([queue.next(), queue.count(), queue.oldestAt()]).toEqual([[], 0, undefined])
  })

  test('takes no more than fits, of a user and of all, and more once there is room', () => {
    const queue = createReceiptQueue({ ofUser: 2000, ofAll: 3000 })
    expect([1, 2, 3].map((number) => queue.add(waiting(number)))).toEqual([true, true, false])
    expect([4, 5, 6].map((number) => queue.add(waiting(number, { userId: bob })))).toEqual([
      true,
      true,
      false,
    ])
    const batch = queue.next()
    expect(queue.add(waiting(7))).toBe(false)
    queue.settle(batch.slice(1))
    expect([queue.add(waiting(8)), queue.add(waiting(9))]).toEqual([true, false])
    expect(placesOf(queue.takeAll())).toEqual([2, 4, 5, 8])
    expect([queue.count(), queue.add(waiting(10))]).toEqual([0, true])
  })

  test('ends a batch before long texts, before an alert that is in it, and around one that goes alone', () => {
    const queue = createReceiptQueue()
    const long = { message: 'x'.repeat(400_000) }
    for (const receipt of [
      waiting(1, long),
      waiting(2, long),
      waiting(3),
      waiting(3),
      waiting(4, { isAlone: true }),
    ])
      queue.add(receipt)
    queue.add(waiting(5))
    const batches: number[][] = []
    for (let batch = queue.next(); batch.length > 0; batch = queue.next()) {
      batches.push(placesOf(batch))
      queue.settle([])
    }
    expect(batches).toEqual([[1], [2, 3], [3], [4], [5]])
  })
})
