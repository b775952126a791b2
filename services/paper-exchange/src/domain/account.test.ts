import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Account, balanceOf, openAccount, positionIn, settle, TAKER_FEE } from './account.ts'
import { absolute, power } from './fixed.ts'
import { MARKETS, marketOf, valueAt } from './market.ts'

const btc = marketOf('BTCUSDT')
const start = openAccount(new Map([['USDT', 10_000n * power(8)]]), 0)

const trade = (account: Account, quantity: bigint, price: bigint, feeRate = 0n) =>
  settle(account, { market: btc, quantity, price, feeRate, now: 1 })

describe('a position', () => {
  test('averages its cost when it grows and takes profit on what is closed', () => {
    const bought = trade(trade(start, 10n, 6_000_000n).account, 30n, 6_200_000n)
    expect(positionIn(bought.account, 'BTCUSDT')).toMatchObject({ quantity: 40n, cost: 246_000_000_000n })
    const closed = trade(bought.account, -20n, 6_250_000n)
    expect(closed.realized).toBe(2_000_000_000n)
    expect(positionIn(closed.account, 'BTCUSDT')).toMatchObject({ quantity: 20n, cost: 123_000_000_000n })
  })

  test('flips at the price of the trade', () => {
    const { account, realized } = trade(trade(start, 10n, 6_000_000n).account, -30n, 5_900_000n)
    expect(realized).toBe(-1_000_000_000n)
    expect(positionIn(account, 'BTCUSDT')).toMatchObject({ quantity: -20n, cost: -118_000_000_000n })
  })

  test('remembers the fees it must earn back, and anew after a flip', () => {
    const long = trade(start, 10n, 6_000_000n, TAKER_FEE)
    expect(positionIn(long.account, 'BTCUSDT').carried).toBe(long.fee)
    const short = trade(long.account, -30n, 6_000_000n, TAKER_FEE)
    expect(positionIn(short.account, 'BTCUSDT').carried).toBe((short.fee * 2n) / 3n)
  })
})

const Trades = fc.array(
  fc.record({
    market: fc.constantFrom(...MARKETS),
    quantity: fc.bigInt({ min: -5_000n, max: 5_000n }).filter((quantity) => quantity !== 0n),
    price: fc.bigInt({ min: 1n, max: 10_000_000n }),
    feeRate: fc.constantFrom(0n, 2n, 5n),
  }),
  { maxLength: 40 },
)

describe('over any sequence of trades', () => {
  test('not a unit is lost: the wallet and the cost of what is held are what went in less what was paid', () => {
    fc.assert(
      fc.property(Trades, (trades) => {
        let account = start
        let paid = 0n
        for (const one of trades) {
          const settled = settle(account, { ...one, now: 1 })
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

  test('quantities add up, and what is flat is gone', () => {
    fc.assert(
      fc.property(Trades, (trades) => {
        const account = trades.reduce((last, one) => settle(last, { ...one, now: 1 }).account, start)
        for (const market of MARKETS) {
          const sum = trades.reduce(
            (total, one) => (one.market === market ? total + one.quantity : total),
            0n,
          )
          const position = positionIn(account, market.symbol)
          expect(position.quantity).toBe(sum)
          expect(account.positions.has(market.symbol)).toBe(sum !== 0n)
          // The cost has the sign of the quantity: no profit hides in it.
          expect(position.cost === 0n ? sum : position.cost > 0n ? absolute(sum) : -absolute(sum)).toBe(sum)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
