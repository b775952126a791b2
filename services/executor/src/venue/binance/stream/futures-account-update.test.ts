import { expect, test } from '@jest/globals'
import { readAccountUpdate } from './futures-account-update.ts'

const balance = { a: 'USDT', wb: '122624.12345678', cw: '100.12345678', bc: '50.12345678' }
const position = {
  s: 'BTCUSDT',
  pa: '-0.200',
  ep: '60000.0',
  bep: '60001.0',
  cr: '200',
  up: '0',
  mt: 'isolated',
  iw: '0.00000000',
  ps: 'SHORT',
}

test('a trade reports all that changed', () => {
  expect(readAccountUpdate({ m: 'ORDER', B: [balance], P: [position] }, 7)).toEqual({
    at: 7,
    isWhole: true,
    wallets: new Map([['USDT', '122624.12345678']]),
    positions: [{ symbol: 'BTCUSDT', side: 'short', quantity: '-0.2', entryPrice: '60000' }],
  })
})

test('funding of a crossed position changes the balance alone', () => {
  expect(readAccountUpdate({ m: 'FUNDING_FEE', B: [balance] }, 7)).toMatchObject({
    isWhole: true,
    positions: [],
  })
})

test.each(['DEPOSIT', 'ADJUSTMENT', 'MARGIN_TYPE_CHANGE', 'ASSET_TRANSFER', 'SOMETHING_NEW'])(
  'the other effects of %s are not known',
  (m) => {
    expect(readAccountUpdate({ m, B: [balance] }, 7)).toMatchObject({ isWhole: false })
  },
)
