import { expect, test } from '@jest/globals'
import { createToldWallets } from './told-wallets.ts'

const wallet = (USDT: string) => new Map([['USDT', USDT]])

test.each([
  ['has what was told', wallet('99.5'), true],
  ['has what was there before', wallet('100'), false],
  ['lacks the coin', new Map(), false],
])('a reading that %s', (_what, balances, isShown) => {
  const told = createToldWallets(() => 0)
  told.note(wallet('99.5'), 2)
  told.note(wallet('100'), 1)
  expect(told.isShown(balances)).toBe(isShown)
})

test('what was told 20 s ago, or by a stream that is lost since, is held against no reading', () => {
  let now = 0
  const told = createToldWallets(() => now)
  told.note(wallet('99.5'), 0)
  now = 20_000
  expect(told.isShown(wallet('100'))).toBe(false)
  now = 20_001
  expect(told.isShown(wallet('100'))).toBe(true)
  told.note(wallet('99.5'), now)
  told.forget()
  expect(told.isShown(wallet('100'))).toBe(true)
})
