import { describe, expect, test } from '@jest/globals'
import { failedFilter } from './filter.ts'
import { type MarketId, marketOf } from './market.ts'
import { defaultQuote } from './quote.ts'

const futures = marketOf('binance-futures:BTCUSDT' as MarketId)
const spot = marketOf('binance-spot:BTCUSDT' as MarketId)
const bybitSpot = marketOf('bybit-spot:BTCUSDT' as MarketId)
const asked = {
  side: 'buy',
  type: 'limit',
  quantity: 10n,
  price: 6_000_000n,
  reduceOnly: false,
  positionSide: 'net',
} as const

describe('an order must fit the market', () => {
  test.each([
    [{}, undefined],
    [{ quantity: 0n }, 'quantityNotPositive'],
    [{ quantity: 1_000_001n }, 'quantityAboveMax'],
    [{ type: 'market', quantity: 120_001n }, 'quantityAboveMax'],
    [{ price: 0n }, 'priceNotPositive'],
    [{ price: 50_000n }, 'priceBelowMin'],
    [{ price: 452_976_410n }, 'priceAboveMax'],
    [{ price: 6_000_001n }, 'priceOffTick'],
    [{ price: 6_300_010n }, 'priceAboveBand'],
    [{ price: 5_690_000n }, undefined],
    [{ side: 'sell', price: 5_690_000n }, 'priceBelowBand'],
    [{ quantity: 1n }, 'notionalBelowMin'],
    [{ quantity: 1n, reduceOnly: true }, undefined],
    [{ quantity: 1n, type: 'market' }, 'notionalBelowMin'],
    [{ trigger: { by: 'mark', when: 'rises', price: 6_500_005n } }, 'triggerPriceOffTick'],
    [{ trigger: { by: 'mark', when: 'rises', price: 0n } }, 'triggerPriceNotPositive'],
    [{ price: 6_600_000n, trigger: { by: 'mark', when: 'rises', price: 6_500_000n } }, undefined],
    [{ type: 'market', quantity: 0n, closePosition: true }, undefined],
  ] as const)('%j: %s', (change, expected) => {
    expect(failedFilter(futures, { ...asked, ...change }, defaultQuote(futures))).toBe(expected)
  })

  test.each([
    [{ quantity: 8n }, 'notionalBelowMin'],
    [{ quantity: 9n }, undefined],
    [{ price: 30_000_001n }, 'priceAboveBand'],
    [{ price: 1_199_999n, quantity: 100n }, 'priceBelowBand'],
    [{ type: 'market', quantity: 0n, quoteQuantity: 499_999_999n }, 'notionalBelowMin'],
    [{ type: 'market', quantity: 0n, quoteQuantity: 500_000_000n }, undefined],
    [{ type: 'market', quantity: 0n, quoteQuantity: 0n }, 'quantityNotPositive'],
    [{ type: 'market', quantity: 0n, quoteQuantity: 10n ** 15n }, 'notionalAboveMax'],
  ] as const)('on spot %j: %s', (change, expected) => {
    expect(failedFilter(spot, { ...asked, ...change }, defaultQuote(spot))).toBe(expected)
  })

  test.each([
    [{ side: 'buy', price: 6_600_001n }, 'priceOffTick'],
    [{ side: 'buy', price: 6_600_010n }, 'priceAboveBand'],
    [{ side: 'buy', price: 1_000_000n }, undefined],
    [{ side: 'sell', price: 5_399_990n }, 'priceBelowBand'],
    [{ side: 'sell', price: 30_000_000n }, undefined],
  ] as const)('on spot of Bybit nobody pays too much or takes too little: %j: %s', (change, expected) => {
    const order = { ...asked, quantity: 10_000n, ...change }
    expect(failedFilter(bybitSpot, order, defaultQuote(bybitSpot))).toBe(expected)
  })
})
