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
