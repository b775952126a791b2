import { describe, expect, test } from '@jest/globals'
import { createLadder, enqueue } from './ladder.ts'
import { type MarketId, marketOf } from './market.ts'
import { type Book, planTake, standingLevels } from './plan.ts'

const market = marketOf('binance-futures:BTCUSDT' as MarketId)
const house = {
  bids: [
    { price: 990n, quantity: 5n },
    { price: 980n, quantity: 7n },
  ],
  asks: [
    { price: 1010n, quantity: 5n },
    { price: 1020n, quantity: 7n },
  ],
}

function bookWith(orders: ReadonlyArray<readonly ['buy' | 'sell', bigint, number, string]>): Book<string> {
  const book: Book<string> = { buy: createLadder('highest'), sell: createLadder('lowest') }
  for (const [side, price, id, owner] of orders) enqueue(book[side], price, id, owner)
  return book
}

const three = () => 3n
const buys = (quantity: bigint, limit?: bigint) => ({ owner: 'me', side: 'buy' as const, quantity, limit })
const shape = (plan: ReturnType<typeof planTake<string>>) =>
  plan.matches.map(({ price, quantity, maker }) => [price, quantity, maker?.id])

describe('a taker', () => {
  test('takes the best price first, resting orders before the house, the first come first', () => {
    const book = bookWith([
      ['sell', 1010n, 1, 'a'],
      ['sell', 1010n, 2, 'b'],
      ['sell', 1005n, 3, 'a'],
    ])
    const plan = planTake(market, book, house, buys(12n), three)
    expect(shape(plan)).toEqual([
      [1005n, 3n, 3],
      [1010n, 3n, 1],
      [1010n, 3n, 2],
      [1010n, 3n, undefined],
    ])
    expect(plan.left).toBe(0n)
  })

  test('goes no further than the limit and no deeper than the book', () => {
    const empty = bookWith([])
    expect(planTake(market, empty, house, buys(20n, 1010n), three)).toMatchObject({ left: 15n })
    expect(planTake(market, empty, house, buys(20n), three)).toMatchObject({ left: 8n })
    expect(planTake(market, empty, house, buys(20n, 1009n), three)).toEqual({ matches: [], left: 20n })
  })

  test('does not trade with itself', () => {
    const book = bookWith([['sell', 1005n, 1, 'me']])
    const plan = planTake(market, book, house, buys(4n), three)
    expect(plan.matches.map(({ isOwn, price }) => [isOwn, price])).toEqual([
      [true, 1005n],
      [false, 1010n],
    ])
  })

  test('gets as many whole steps as the value buys', () => {
    const value = 6n * 1010n * 1_000n + 5n
    const plan = planTake(market, bookWith([]), house, { ...buys(0n), value }, three)
    expect(shape(plan)).toEqual([[1010n, 5n, undefined]])
    const more = planTake(market, bookWith([]), house, { ...buys(0n), value: value + 10_000n }, three)
    expect(shape(more)).toEqual([
      [1010n, 5n, undefined],
      [1020n, 1n, undefined],
    ])
  })
})

test('a resting order has eaten the levels up to its own price', () => {
  expect(standingLevels(bookWith([['buy', 1010n, 1, 'a']]), house, 'buy')).toEqual([house.asks[1]])
  expect(standingLevels(bookWith([['buy', 1009n, 1, 'a']]), house, 'buy')).toEqual(house.asks)
  expect(standingLevels(bookWith([['sell', 985n, 1, 'a']]), house, 'sell')).toEqual([house.bids[1]])
})
