import { describe, expect, test } from '@jest/globals'
import type { VenueOrder } from '../../../domain/order/order.ts'
import { createOwedCoins } from './owed-coins.ts'

const market = { base: 'BTC', quote: 'USDT' }
const wallet = (BTC: string, USDT: string): ReadonlyMap<string, string> =>
  new Map([
    ['BTC', BTC],
    ['USDT', USDT],
  ])

function order(filled: string, changes: Partial<VenueOrder> = {}): VenueOrder {
  return {
    ...{ venueOrderId: '1', clientOrderId: 't1', side: 'buy', type: 'market', status: 'filled' },
    ...{ quantity: '2', filled, averagePrice: '100', price: null, triggerPrice: null },
    ...{ isConditional: false, reduceOnly: false, fee: null, updatedAt: 1000 },
    ...changes,
  }
}

function owedAfter(filled: VenueOrder) {
  let now = 1000
  const owed = createOwedCoins(() => now)
  expect(owed.isShown(wallet('1', '1000'))).toBe(true)
  owed.noteFill(market, filled)
  return { owed, wait: (ms: number) => (now += ms) }
}

describe('a reading behind a purchase of 2 for 200', () => {
  test.each([
    ['is of before', '1', '1000', false],
    ['has the coins less a fee, and what they cost', '2.998', '800', true],
    ['has the coins, and the money of before', '2.998', '1000', false],
    ['lacks the coins', '1', '800', false],
    ['has more, which came from elsewhere', '4', '900', false],
    ['has more of both, which came from elsewhere', '4', '750', true],
  ])('that %s', (_name, btc, usdt, isShown) => {
    expect(owedAfter(order('2')).owed.isShown(wallet(btc, usdt))).toBe(isShown)
  })
})

test.each([
  ['of before', '1', '1000', false],
  ['without the coins, with the money less a fee', '0', '1099', true],
])('a reading %s behind a sale of 1 for 100', (_name, btc, usdt, isShown) => {
  expect(owedAfter(order('1', { side: 'sell' })).owed.isShown(wallet(btc, usdt))).toBe(isShown)
})

test('reported coins are owed no more, and of an order that goes on only the rest', () => {
  const { owed } = owedAfter(order('1', { status: 'partially_filled' }))
  owed.noteReport(999)
  expect(owed.isShown(wallet('1', '1000'))).toBe(true)
  owed.noteFill(market, order('2', { updatedAt: 1010 }))
  expect(owed.isShown(wallet('1', '1000'))).toBe(false)
  expect(owed.isShown(wallet('2', '900'))).toBe(true)
})

test('a report of before the fill changes nothing', () => {
  const { owed } = owedAfter(order('2'))
  owed.noteReport(900)
  expect(owed.isShown(wallet('1', '1000'))).toBe(false)
})

test('any reading counts once none lags so long', () => {
  const { owed, wait } = owedAfter(order('2'))
  wait(20_000)
  expect(owed.isShown(wallet('1', '1000'))).toBe(false)
  wait(1)
  expect(owed.isShown(wallet('1', '1000'))).toBe(true)
})

test('an answer without a moment, and one that traded nothing, are not waited for', () => {
  expect(owedAfter(order('2', { updatedAt: null })).owed.isShown(wallet('1', '1000'))).toBe(true)
  expect(owedAfter(order('0', { averagePrice: null })).owed.isShown(wallet('1', '1000'))).toBe(true)
})
