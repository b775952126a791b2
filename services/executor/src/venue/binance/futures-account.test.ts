import { expect, test } from '@jest/globals'
import { walletsOf } from './futures-account.ts'

const coinOf = (symbol: string): string | undefined => ({ BTCUSDT: 'USDT', BTCUSDC: 'USDC' })[symbol]
const asset = (name: string, walletBalance: string, marginBalance: string) => ({
  asset: name,
  walletBalance,
  marginBalance,
  availableBalance: '0',
})
const totals = { totalMarginBalance: undefined, availableBalance: undefined }
const position = (symbol: string, unrealizedProfit: string) => ({ symbol, unrealizedProfit })

test('wallets are told of coins that are worth what is in them and what their positions won', () => {
  const assets = [asset('USDT', '1000', '1010.00000001'), asset('USDC', '500', '500')]
  expect(walletsOf({ assets, positions: [position('BTCUSDT', '10')], totals }, coinOf)).toEqual(
    new Map([
      ['USDT', '1000'],
      ['USDC', '500'],
    ]),
  )
})

test('they are not told where the profit is kept in another coin, or is that of a market that is not listed', () => {
  const assets = [asset('USDT', '0', '0'), asset('USDC', '500', '530')]
  const positions = [position('BTCUSDT', '200'), position('NEWUSDC', '30')]
  expect(walletsOf({ assets, positions, totals }, coinOf)).toEqual(new Map())
})
