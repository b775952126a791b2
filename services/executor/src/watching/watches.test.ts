import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import type { Bus } from '@tripline/kit/bus'
import type { AlertId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { testLog } from '@tripline/testkit/log'
import type { CancelCommand } from '../domain/cancel-orders.ts'
import { createDoubts } from '../doubts.ts'
import type { RecordStore, StoredRecord } from '../store/record-store.ts'
import type { VenuePool } from '../venue/pool.ts'
import { createWatches } from './watches.ts'

const [user, other] = ['user', 'another user'] as UserId[] as [UserId, UserId]
const canceled = {
  clientOrderIds: [],
  command: {} as CancelCommand,
  alertId: '01M8AFNR95YN8WFWTDTFTD9FFJ' as AlertId,
  isCloseOnly: false,
}
const place = (userId: UserId) => ({ userId, accountKey: 'account', symbol: 'BTCUSDT' })

test('a cancel waits for the records of its own partition, and not for those of others', async () => {
  const [many, few] = [partitionOf(user), partitionOf(other)]
  expect(many).not.toBe(few)
  const reading = Promise.withResolvers<void>()
  const storedIn = async (partition: number): Promise<StoredRecord[]> => {
    if (partition === many) await reading.promise
    return []
  }
  const records = {
    async *recordsOf(partition: number) {
      yield* await storedIn(partition)
    },
  } as unknown as RecordStore
  const watches = createWatches({
    bus: {} as Bus,
    pool: { client: () => undefined } as unknown as VenuePool,
    records,
    entries: { note: () => undefined, stored: async () => undefined },
    directory: { bot: () => undefined, isLinked: () => true, onChange: () => undefined },
    holdOf: () => 'held',
    doubts: createDoubts(),
    log: testLog('watches'),
  })
  const claimed = watches.claim(new Set([many, few]))
  const ended: UserId[] = []
  const ends = [user, other].map(async (userId) => {
    await watches.end(place(userId), canceled)
    ended.push(userId)
  })
  await turn()
  expect(ended).toEqual([other])
  reading.resolve()
  await Promise.all([claimed, ...ends])
  expect(ended).toEqual([other, user])
  await Promise.all([many, few].map(async (partition) => await watches.leave(partition)))
})
