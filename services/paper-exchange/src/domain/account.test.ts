import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Account, applyTrade, balanceOf, openAccount, positionIn, positionKey } from './account.ts'
import { absolute, power } from './fixed.ts'
import { allMarkets, type MarketId, marketOf, marketsOf, valueAt } from './market.ts'

const BTC = 'binance-futures:BTCUSDT' as MarketId
const btc = marketOf(BTC)
const linear = marketsOf('binance-futures')
const start = openAccount(new Map([['USDT', 10_000n * power(8)]]), 0)

// A quantity below zero is sold.
const swapped = (quantity: bigint) =>
  ({
    side: quantity > 0n ? 'buy' : 'sell',
    positionSide: 'net',
    quantity: absolute(quantity),
    now: 1,
  }) as const

const trade = (account: Account, quantity: bigint, price: bigint, feeRate = 0n) =>
  applyTrade(account, { ...swapped(quantity), market: btc, price, feeRate })

describe('a position', () => {
  test('averages its cost when it grows and takes profit on the closed part', () => {
    const bought = trade(trade(start, 10n, 6_000_000n).account, 30n, 6_200_000n)
    expect(positionIn(bought.account, BTC)).toMatchObject({ quantity: 40n, cost: 246_000_000_000n })
    const closed = trade(bought.account, -20n, 6_250_000n)
    expect(closed.realized).toBe(2_000_000_000n)
    expect(positionIn(closed.account, BTC)).toMatchObject({ quantity: 20n, cost: 123_000_000_000n })
  })

  test('flips at the price of the trade', () => {
    const { account, realized } = trade(trade(start, 10n, 6_000_000n).account, -30n, 5_900_000n)
    expect(realized).toBe(-1_000_000_000n)
    expect(positionIn(account, BTC)).toMatchObject({ quantity: -20n, cost: -118_000_000_000n })
  })

  test('remembers the fees it must earn back, and anew after a flip', () => {
    const long = trade(start, 10n, 6_000_000n, btc.takerFee)
    expect(positionIn(long.account, BTC).carried).toBe(long.fee)
    const short = trade(long.account, -30n, 6_000_000n, btc.takerFee)
    expect(positionIn(short.account, BTC).carried).toBe((short.fee * 2n) / 3n)
  })
})

const Trades = fc.array(
  fc.record({
    market: fc.constantFrom(...linear),
    quantity: fc.bigInt({ min: -5_000n, max: 5_000n }).filter((quantity) => quantity !== 0n),
    price: fc.bigInt({ min: 1n, max: 10_000_000n }),
    feeRate: fc.constantFrom(0n, 2n, 5n),
  }),
  { maxLength: 40 },
)

describe('over any sequence of trades', () => {
  test('not a unit is lost: the wallet and the cost of the position are the deposits less the payments', () => {
    fc.assert(
      fc.property(Trades, (trades) => {
        let account = start
        let paid = 0n
        for (const one of trades) {
          const settled = applyTrade(account, { ...one, ...swapped(one.quantity) })
          account = settled.account
          paid += valueAt(one.market, one.quantity, one.price) + settled.fee
        }
        let cost = 0n
        for (const position of account.positions.values()) cost += position.cost
        expect(balanceOf(account, 'USDT') + paid - cost).toBe(balanceOf(start, 'USDT'))
      }),
      { numRuns: 1_000 },
    )
  })

  test('quantities add up, and a flat position is gone', () => {
    fc.assert(
      fc.property(Trades, (trades) => {
        const account = trades.reduce(
          (last, one) => applyTrade(last, { ...one, ...swapped(one.quantity) }).account,
          start,
        )
        for (const market of linear) {
          const sum = trades.reduce(
            (total, one) => (one.market === market ? total + one.quantity : total),
            0n,
          )
          const position = positionIn(account, market.id)
          expect(position.quantity).toBe(sum)
          expect(account.positions.has(positionKey(market.id, 'net'))).toBe(sum !== 0n)
          // The cost has the sign of the quantity: no profit hides in it.
          expect(position.cost === 0n ? sum : position.cost > 0n ? absolute(sum) : -absolute(sum)).toBe(sum)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('a spot trade', () => {
  const spot = allMarkets().filter(({ kind }) => kind === 'spot')

  test('takes its fee from the received coins, and the rest goes from one side to the other', () => {
    const market = marketOf('binance-spot:BTCUSDT' as MarketId)
    const bought = applyTrade(start, { ...swapped(1_000n), market, price: 6_000_000n, feeRate: 1_000n })
    expect(bought).toMatchObject({ fee: 1_000n, feeAsset: 'BTC', value: 600n * power(8), realized: 0n })
    expect([...bought.account.balances]).toEqual([
      ['USDT', 9_400n * power(8)],
      ['BTC', 999_000n],
    ])
    const sold = applyTrade(bought.account, { ...swapped(-500n), market, price: 6_000_000n, feeRate: 1_000n })
    expect(sold).toMatchObject({ fee: 30_000_000n, feeAsset: 'USDT' })
    expect(balanceOf(sold.account, 'BTC')).toBe(499_000n)
  })

  test('creates and destroys nothing', () => {
    const quantity = fc.bigInt({ min: 1n, max: 5_000n })
    fc.assert(
      fc.property(
        fc.constantFrom(...spot),
        quantity,
        fc.bigInt({ min: 1n, max: 10_000_000n }),
        (market, size, price) => {
          const bought = applyTrade(start, { ...swapped(size), market, price, feeRate: market.takerFee })
          const sold = applyTrade(start, { ...swapped(-size), market, price, feeRate: market.makerFee })
          for (const asset of [market.base, market.quote]) {
            const fees = [bought, sold].reduce(
              (sum, { fee, feeAsset }) => (feeAsset === asset ? sum + fee : sum),
              0n,
            )
            const sum = balanceOf(bought.account, asset) + balanceOf(sold.account, asset) + fees
            expect(sum).toBe(2n * balanceOf(start, asset))
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
