import { expect, test } from '@jest/globals'
import { createWalletUpdates } from './wallet-updates.ts'

const wallet = (USDT: string) => new Map([['USDT', USDT]])

test.each([
  ['has what was reported', wallet('99.5'), true],
  ['has what was there before', wallet('100'), false],
  ['lacks the coin', new Map(), false],
])('a reading that %s', (_name, balances, isShown) => {
  const update = createWalletUpdates(() => 0)
  update.note(wallet('99.5'), 2)
  update.note(wallet('100'), 1)
  expect(update.isShown(balances)).toBe(isShown)
})

test('reports of 20 s ago, or of a stream that is lost since, contradict no reading', () => {
  let now = 0
  const update = createWalletUpdates(() => now)
  update.note(wallet('99.5'), 0)
  now = 20_000
  expect(update.isShown(wallet('100'))).toBe(false)
  now = 20_001
  expect(update.isShown(wallet('100'))).toBe(true)
  update.note(wallet('99.5'), now)
  update.forget()
  expect(update.isShown(wallet('100'))).toBe(true)
})
