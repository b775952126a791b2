import { expect, test } from '@jest/globals'
import { nearestSymbol } from './nearest-symbol.ts'

const bases = ['BTC', 'ETH', 'DOT', 'FIL', 'DOGE', '1000PEPE']
const listing = {
  symbols: () => bases.map((base) => `${base}USDT`),
  market: (symbol: string) => ({ base: symbol.replace(/USDT$/, '') }),
}

test.each([
  ['BTCUSDX', 'BTCUSDT'],
  ['BTCUSD', 'BTCUSDT'],
  ['BTUSDT', 'BTCUSDT'],
  ['DGOEUSDT', 'DOGEUSDT'],
  ['PEPEUSDT', undefined],
  ['FOOUSDT', undefined],
  ['USDT', undefined],
])('the symbol meant by %s is %s', (symbol, meant) => {
  expect(nearestSymbol(symbol, listing)).toBe(meant)
})

test('a symbol whose market is not known is compared as a whole', () => {
  expect(nearestSymbol('DOTUSDC', { ...listing, market: () => undefined })).toBe('DOTUSDT')
})
