import { expect, test } from '@jest/globals'
import { venuePath } from './bases.ts'

test.each([
  ['/fapi/v1/order', '/fapi/v1/order'],
  ['/binance-futures/fapi/v1/order', '/fapi/v1/order'],
  ['/binance/sapi/v1/margin/allPairs', '/sapi/v1/margin/allPairs'],
  ['/binance/fapi/v1/order', undefined],
  ['/control/journal', undefined],
  ['/', undefined],
  ['/binance-futures', undefined],
])('%s leads to %s', (path, served) => {
  expect(venuePath(path)).toBe(served)
})
