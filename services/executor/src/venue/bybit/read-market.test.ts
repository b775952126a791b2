import { expect, test } from '@jest/globals'
import { readLinearMarket, readSpotMarket } from './read-market.ts'

const shared = { symbol: 'BTCUSDT', baseCoin: 'BTC', quoteCoin: 'USDT', priceFilter: { tickSize: '0.1' } }

// "Get Instruments Info" of the documentation, 2026-07: minOrderQty is deprecated and no longer checked.
test.each([{ minOrderQty: '0.5' }, {}])(
  'a spot market with %j takes quantities within its steps and amounts',
  (gone) => {
    const lotSizeFilter = { basePrecision: '0.000001', minOrderAmt: '5', maxLimitOrderQty: '83', ...gone }
    const market = readSpotMarket({ ...shared, status: 'Trading', lotSizeFilter })
    expect(market).toMatchObject({ minQuantity: '0.000001', minNotional: '5', isTrading: true })
    expect(market.limitLot).toMatchObject({ minQuantity: '0.000001', maxQuantity: '83' })
  },
)

// Bybit linear instruments as older accounts of them show: no bound for market orders, none for the value.
test('a linear market without a bound for market orders has that of others', () => {
  const lotSizeFilter = { maxOrderQty: '100.000', minOrderQty: '0.001', qtyStep: '0.001' }
  expect(readLinearMarket({ ...shared, status: 'PreLaunch', lotSizeFilter })).toMatchObject({
    ...{ minQuantity: '0.001', maxQuantity: '100', minNotional: '0', isTrading: false },
    ...{ maxLeverage: undefined, priceBand: undefined },
  })
})

test('a market whose steps are not reported is not read', () => {
  expect(() => readLinearMarket({ ...shared, lotSizeFilter: {} })).toThrow()
  expect(() => readSpotMarket({ ...shared, lotSizeFilter: { minOrderAmt: '5' } })).toThrow()
})

test('a linear market has a range of prices where it reports one', () => {
  const lotSizeFilter = { minOrderQty: '0.001', qtyStep: '0.001' }
  const priceFilter = { tickSize: '0.10', minPrice: '0.10', maxPrice: '1999999.80' }
  expect(readLinearMarket({ ...shared, priceFilter, lotSizeFilter }).priceRange).toEqual({
    lowest: '0.1',
    highest: '1999999.8',
  })
  expect(readLinearMarket({ ...shared, lotSizeFilter }).priceRange).toBeUndefined()
})
