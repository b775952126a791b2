import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { createExpectations } from '../../account/expectation.ts'
import type { OrderUpdate } from '../stream/order-update.ts'
import { awaitEnd } from './ended-order.ts'

const ref = { symbol: 'BTCUSDT', clientOrderId: 't1', isConditional: false }
const filled = { order: { clientOrderId: 't1', status: 'filled' } } as OrderUpdate
const isSettled = ({ order }: OrderUpdate): boolean => order.status === 'filled'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** An order whose stream is not live, and whose question is answered when the test says so. */
function asking() {
  const answer = Promise.withResolvers<OrderUpdate>()
  const { expect: expectUpdate, publish } = createExpectations<OrderUpdate>()
  const expected = { ...expectUpdate(() => true, isSettled), wasLive: false }
  let asked = 0
  const finder = {
    find: async () => {
      asked++
      return await answer.promise
    },
    listOpen: async () => [],
  }
  const feed = { isLive: () => false, reportMissedUpdate: () => undefined } as never
  return {
    settling: awaitEnd({ feed, finder }, ref, expected, isSettled),
    answer,
    publish,
    asked: () => asked,
  }
}

test('an order is asked for once where the question has to wait for its turn', async () => {
  const { settling, answer, asked } = asking()
  await jest.advanceTimersByTimeAsync(4000)
  answer.resolve(filled)
  expect(await settling).toBe(filled)
  expect(asked()).toBe(1)
})

test('the stream settles an order while the question waits', async () => {
  const { settling, publish } = asking()
  await jest.advanceTimersByTimeAsync(1)
  publish(filled)
  expect(await settling).toBe(filled)
})

test.each([true, false])(
  'a stream that was there (%s) as an order was sent is to have reported it',
  async (wasLive) => {
    const reportMissedUpdate = jest.fn()
    const feed = { isLive: () => true, reportMissedUpdate } as never
    const finder = { find: async () => filled, listOpen: async () => [] }
    const expected = createExpectations<OrderUpdate>().expect(() => true, isSettled)
    const settling = awaitEnd({ feed, finder }, ref, { ...expected, wasLive }, isSettled)
    await jest.advanceTimersByTimeAsync(1000)
    expect(await settling).toBe(filled)
    expect(reportMissedUpdate).toHaveBeenCalledTimes(wasLive ? 1 : 0)
  },
)
