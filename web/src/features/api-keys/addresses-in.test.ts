import { expect, test } from '@jest/globals'
import { addressesIn } from './addresses-in.ts'

test('the addresses of a text are found, and nothing else that has dots', () => {
  expect(addressesIn('Allow 203.0.113.7, 203.0.113.8 at Binance (v1.2.3).')).toEqual([
    '203.0.113.7',
    '203.0.113.8',
  ])
  expect(addressesIn('Give the key the permission to trade.')).toEqual([])
})
