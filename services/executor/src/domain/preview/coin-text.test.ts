import { expect, test } from '@jest/globals'
import { btcusdt } from '../../../test/btcusdt.ts'
import { coinText } from './coin-text.ts'

test.each([
  ['9999.99834522', 'USDT', '9999.99'],
  ['10000.5000', 'USDT', '10000.5'],
  ['-3.14159', 'USDT', '-3.14'],
  ['0.12345678', 'BTC', '0.123'],
  ['0.00012', 'BTC', '0.00012'],
  ['0.00', 'BTC', '0'],
  ['1.23456789', 'ETH', '1.23456789'],
])('%s %s of BTCUSDT reads %s', (amount, coin, text) => {
  expect(coinText(amount, coin, btcusdt)).toBe(text)
})

test('rounds a quote coin with a finer tick to that', () => {
  const market = { ...btcusdt, base: 'ETH', quote: 'BTC', priceTick: '0.00001' }
  expect(coinText('0.12345678', 'BTC', market)).toBe('0.12345')
})
