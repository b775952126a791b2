import { describe, expect, test } from '@jest/globals'
import { power } from './fixed.ts'
import {
  allMarkets,
  bracketFor,
  findMarket,
  type MarketId,
  marketOf,
  maxValueAt,
  VALUE_SCALE,
  valueAt,
  valueAtMark,
} from './market.ts'

const whole = (value: number) => BigInt(value) * power(VALUE_SCALE)

describe('every market', () => {
  test.each(allMarkets().map((market) => [market.id, market] as const))(
    '%s holds together',
    (_id, market) => {
      expect(findMarket(market.venue, market.symbol)).toBe(market)
      expect(market.pricePrecision + market.quantityPrecision).toBeLessThanOrEqual(VALUE_SCALE)
      expect(market.bid).toBeLessThan(market.ask)
      expect([
        (market.bid - market.minPrice) % market.tick,
        (market.ask - market.minPrice) % market.tick,
      ]).toEqual([0n, 0n])
      expect(market.maxMarketQuantity).toBeLessThanOrEqual(market.maxQuantity)
      for (const [index, bracket] of market.brackets.entries()) {
        const next = market.brackets[index + 1]
        if (!next) continue
        const at = (rate: bigint, deduction: bigint) => (bracket.cap * rate) / 10_000n - deduction
        expect(next.floor).toBe(bracket.cap)
        expect(at(next.maintenance, next.deduction)).toBe(at(bracket.maintenance, bracket.deduction))
      }
    },
  )
})

test('a value is exact at a price and rounded toward zero at a mark price', () => {
  const btc = marketOf('binance-futures:BTCUSDT' as MarketId)
  expect(valueAt(btc, 10n, 6_000_010n)).toBe(60_000_100_000n)
  expect(valueAtMark(btc, 1n, 6_000_000_000_001n)).toBe(6_000_000_000n)
  expect(valueAtMark(btc, -1n, 6_000_000_000_001n)).toBe(-6_000_000_000n)
})

test('brackets follow the value and the leverage', () => {
  const btc = marketOf('binance-futures:BTCUSDT' as MarketId)
  expect(bracketFor(btc, whole(300_000))).toMatchObject({ leverage: 125, deduction: 0n })
  expect(bracketFor(btc, whole(300_001))).toMatchObject({ leverage: 100, deduction: whole(300) })
  expect(maxValueAt(btc, 20)).toBe(whole(100_000_000))
  expect(maxValueAt(btc, 125)).toBe(whole(300_000))
})

test('an unknown symbol is no market', () => {
  expect(findMarket('bybit-spot', 'NOPEUSDT')).toBeUndefined()
  expect(() => marketOf('bybit-spot:NOPEUSDT' as MarketId)).toThrow()
})
