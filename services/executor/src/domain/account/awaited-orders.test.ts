import { expect, test } from '@jest/globals'
import type { ClientOrderId } from '@tripline/proto/id'
import type { VenueOrder } from '../order/order.ts'
import {
  type AwaitedOrders,
  awaitedBeside,
  noneAwaited,
  onceAnswered,
  onceReported,
} from './awaited-orders.ts'

const clientOrderId = 'own' as ClientOrderId
const answered = (awaited: AwaitedOrders, filled: string, status: VenueOrder['status'] = 'open') =>
  onceAnswered(awaited, { clientOrderId, filled, status }, 5000)
const reported = (awaited: AwaitedOrders, filled: string, isOver = false) =>
  onceReported(awaited, { clientOrderId, filled, isOver })
const isAwaited = ({ answered: all }: AwaitedOrders): boolean => all.has(clientOrderId)

test('an order is awaited from its answer until the stream reported as much of it', () => {
  const resting = answered(noneAwaited, '0')
  expect(isAwaited(resting)).toBe(true)
  expect(isAwaited(reported(resting, '0'))).toBe(false)
  const canceled = answered(reported(resting, '0'), '0', 'canceled')
  expect(isAwaited(canceled)).toBe(true)
  expect(isAwaited(reported(canceled, '0'))).toBe(true)
  expect(isAwaited(reported(canceled, '0', true))).toBe(false)
  const partly = answered(noneAwaited, '0.2', 'partially_filled')
  expect(isAwaited(reported(partly, '0.1'))).toBe(true)
  expect(isAwaited(reported(partly, '0.3'))).toBe(false)
})

test('an order is not awaited where the stream reported as much before, in whatever order', () => {
  const over = reported(reported(reported(noneAwaited, '0'), '0.3', true), '0.1')
  expect(isAwaited(answered(over, '0.3', 'filled'))).toBe(false)
  expect(isAwaited(answered(over, '0.1', 'partially_filled'))).toBe(false)
})

test('a reading shows answers of a second before it, and need not show later ones', () => {
  const resting = answered(noneAwaited, '0')
  expect(isAwaited(awaitedBeside(resting, 6000))).toBe(false)
  expect(isAwaited(awaitedBeside(resting, 5999))).toBe(true)
})
