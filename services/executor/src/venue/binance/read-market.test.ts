import { expect, test } from '@jest/globals'
import { readMarket } from './read-market.ts'

test.each([
  [{ filterType: 'NOTIONAL', minNotional: '5', applyMinToMarket: true }, undefined],
  [{ filterType: 'NOTIONAL', minNotional: '5', applyMinToMarket: false }, '0'],
  [{ filterType: 'MIN_NOTIONAL', minNotional: '5', applyToMarket: false }, '0'],
  [{ filterType: 'NOTIONAL', minNotional: '5' }, undefined],
])(
  'the least value of a spot order, and of a market order where that differs: %j',
  (filter, ofMarketOrders) => {
    const listed = {
      symbol: 'BTCUSDT',
      status: 'TRADING',
      baseAsset: 'BTC',
      quoteAsset: 'USDT',
      filters: [filter],
    }
    const { minNotional, minMarketNotional } = readMarket(listed, 'spot')
    expect({ minNotional, minMarketNotional }).toEqual({
      minNotional: '5',
      minMarketNotional: ofMarketOrders,
    })
  },
)

test.each([
  [
    { minPrice: '0.01', maxPrice: '1000000' },
    { lowest: '0.01', highest: '1000000' },
  ],
  [{ minPrice: '0.00000000', maxPrice: '1000000' }, { highest: '1000000' }],
  [{ minPrice: '0', maxPrice: '0' }, undefined],
  [{}, undefined],
])('the range of prices of a market with %j is %j', (bounds, priceRange) => {
  const filters = [{ filterType: 'PRICE_FILTER', tickSize: '0.01', ...bounds }]
  const listed = { symbol: 'BTCUSDT', status: 'TRADING', baseAsset: 'BTC', quoteAsset: 'USDT', filters }
  for (const kind of ['spot', 'linear'] as const)
    expect(readMarket(listed, kind).priceRange).toEqual(priceRange)
})
