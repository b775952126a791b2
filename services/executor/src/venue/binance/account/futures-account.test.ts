import { expect, test } from '@jest/globals'
import { changedAt, walletsOf } from './futures-account.ts'

const coinOf = (symbol: string): string | undefined => ({ BTCUSDT: 'USDT', BTCUSDC: 'USDC' })[symbol]
const asset = (name: string, walletBalance: string, marginBalance: string, updateTime?: number) => ({
  asset: name,
  walletBalance,
  marginBalance,
  availableBalance: '0',
  updateTime,
})
const totals = { totalMarginBalance: undefined, availableBalance: undefined }
const position = (symbol: string, unrealizedProfit: string, positionAmt?: string, updateTime?: number) => ({
  symbol,
  positionSide: 'BOTH' as const,
  positionAmt,
  unrealizedProfit,
  updateTime,
})
const row = (symbol: string, positionAmt: string) => ({
  symbol,
  positionSide: 'BOTH' as const,
  positionAmt,
  entryPrice: '60000',
  unRealizedProfit: '0',
})

test('wallets are reported of coins that are worth their balance and the profit of their positions', () => {
  const assets = [asset('USDT', '1000', '1010.00000001'), asset('USDC', '500', '500')]
  expect(walletsOf({ assets, positions: [position('BTCUSDT', '10')], totals }, coinOf)).toEqual(
    new Map([
      ['USDT', '1000'],
      ['USDC', '500'],
    ]),
  )
})

test('they are not reported where the profit is in another coin, or is that of a market that is not listed', () => {
  const assets = [asset('USDT', '0', '0'), asset('USDC', '500', '530')]
  const positions = [position('BTCUSDT', '200'), position('NEWUSDC', '30')]
  expect(walletsOf({ assets, positions, totals }, coinOf)).toEqual(new Map())
})

test.each([
  ['the last of its stamps', [position('BTCUSDT', '0', '0.020', 7)], [row('BTCUSDT', '0.02')], 7],
  ['that of its money, where it is flat', [], [], 5],
  ['none, where one answer shows a position that the other lacks', [], [row('BTCUSDT', '0.02')], 0],
  [
    'none, where they show different amounts',
    [position('BTCUSDT', '0', '0.01', 7)],
    [row('BTCUSDT', '0.02')],
    0,
  ],
  ['the last, where one of them reports no amounts', [position('BTCUSDT', '0', undefined, 7)], [], 7],
])('an account changed at %s', (_name, positions, rows, expected) => {
  expect(changedAt({ assets: [asset('USDT', '1', '1', 5)], positions, totals }, rows)).toBe(expected)
})

test('an account without stamps does not say when it changed', () => {
  const account = { assets: [asset('USDT', '1', '1', 0)], positions: [], totals }
  expect(changedAt(account, [])).toBeUndefined()
})
