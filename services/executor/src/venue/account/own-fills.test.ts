import { expect, test } from '@jest/globals'
import { filledOrder } from '../../../test/filled-order.ts'
import type { VenueOrder } from '../../domain/order/order.ts'
import { createOwnFills } from './own-fills.ts'

const filledAt = 1_789_911_200_417

const order = (changes: Partial<VenueOrder> = {}): VenueOrder => ({
  ...filledOrder,
  updatedAt: filledAt,
  ...changes,
})

test.each([
  ['shows it that changed with it', filledAt, true],
  ['shows it whose stamp is a little older', filledAt - 5, true],
  ['lacks it that changed before', filledAt - 6, false],
  ['is believed that does not say when it changed', undefined, true],
])('a reading behind a fill %s', (_name, changedAt, isShown) => {
  const fills = createOwnFills(() => filledAt)
  fills.note('BTCUSDT', order())
  fills.note('BTCUSDT', order({ updatedAt: filledAt - 5000 }))
  expect(fills.isShown(changedAt)).toBe(isShown)
})

test('a reading of the fill before lacks the last one, however near they are', () => {
  const fills = createOwnFills(() => filledAt)
  fills.note('BTCUSDT', order({ updatedAt: filledAt - 3 }))
  fills.note('BTCUSDT', order())
  expect([filledAt - 3, filledAt - 2].map(fills.isShown)).toEqual([false, true])
})

test.each([
  ['rests', { status: 'open', filled: '0' }],
  ['was canceled later than it was filled', { status: 'canceled' }],
  ['does not say when it was filled', { updatedAt: null }],
] as const)('an order that %s asks nothing of readings', (_name, changes) => {
  const fills = createOwnFills(() => filledAt)
  fills.note('BTCUSDT', order(changes))
  expect(fills.isShown(0)).toBe(true)
})

test('forgotten fills ask nothing of readings', () => {
  const fills = createOwnFills(() => filledAt)
  fills.note('BTCUSDT', order())
  fills.forget()
  expect([fills.isShown(0), fills.symbol()]).toEqual([true, undefined])
})

test('a fill of 20 s ago is in any reading', () => {
  let now = filledAt
  const fills = createOwnFills(() => now)
  fills.note('BTCUSDT', order())
  now = filledAt + 20_000
  expect([fills.isShown(0), fills.symbol()]).toEqual([false, 'BTCUSDT'])
  now = filledAt + 20_001
  expect([fills.isShown(0), fills.symbol()]).toEqual([true, undefined])
})
