import { describe, expect, test } from '@jest/globals'
import { type Account, applyTrade, openAccount, positionIn } from './account.ts'
import { absolute, power } from './fixed.ts'
import { accountMargin, availableOf, liquidationPrice, marketMargin, withdrawableOf } from './margin.ts'
import { type MarketId, marketOf } from './market.ts'
import type { Order, Side } from './order.ts'
import { defaultQuote, quoteFrom } from './quote.ts'

const BTC = 'binance-futures:BTCUSDT' as MarketId
const btc = marketOf(BTC)
const usdt = (whole: number) => BigInt(whole) * power(8)
const quoteOf = (market: MarketId) => defaultQuote(marketOf(market))
const funded = openAccount(new Map([['USDT', usdt(10_000)]]), 0)

const sized = (lots: bigint) =>
  ({ side: lots > 0n ? 'buy' : 'sell', positionSide: 'net', quantity: absolute(lots) }) as const

function holding(lots: bigint, price: bigint): Account {
  return applyTrade(funded, { ...sized(lots), market: btc, price, feeRate: 0n, now: 0 }).account
}

function resting(side: Side, lots: bigint, reduceOnly = false): Order {
  const request = {
    market: BTC,
    positionSide: 'net',
    clientOrderId: 't',
    side,
    type: 'limit',
    timeInForce: 'gtc',
  } as const
  const state = { id: 1, status: 'open', filled: 0n, filledValue: 0n, createdAt: 0, updatedAt: 0 } as const
  return { ...request, ...state, quantity: lots, price: 6_000_000n, reduceOnly }
}

describe('margin', () => {
  test('a position binds a twentieth of its value and its loss', () => {
    const margin = accountMargin(holding(100n, 6_100_000n), [], quoteOf)
    expect(margin).toMatchObject({ unrealized: -usdt(100), positionMargin: usdt(300), maintenance: usdt(24) })
    expect(availableOf(margin)).toBe(usdt(9_600))
    expect(withdrawableOf(margin)).toBe(usdt(9_600))
  })

  test('profit that is not taken can be used but not withdrawn', () => {
    const margin = accountMargin(holding(100n, 5_900_000n), [], quoteOf)
    expect(availableOf(margin)).toBe(usdt(9_800))
    expect(withdrawableOf(margin)).toBe(usdt(9_700))
  })

  test('open orders bind margin on the side where they would make the position largest', () => {
    const account = holding(100n, 6_000_000n)
    const orderMargin = (orders: Order[]) => marketMargin(account, btc, orders, quoteOf(BTC)).orderMargin
    expect(orderMargin([resting('buy', 50n)])).toBe(usdt(150))
    expect(orderMargin([resting('sell', 50n)])).toBe(0n)
    expect(orderMargin([resting('sell', 300n)])).toBe(usdt(300))
    expect(orderMargin([resting('buy', 50n), resting('sell', 300n)])).toBe(usdt(300))
    expect(orderMargin([resting('buy', 50n, true)])).toBe(0n)
  })
})

describe('the liquidation price', () => {
  test.each([
    ['long', 1_000n],
    ['short', -1_000n],
  ])('is where a %s position has no more than its maintenance margin', (_side, lots) => {
    const account = holding(lots, 6_000_000n)
    const position = positionIn(account, BTC)
    const margin = accountMargin(account, [], quoteOf)
    const price = liquidationPrice(btc, position, margin, quoteOf(BTC))
    const at = accountMargin(account, [], () => quoteFrom(btc, btc.bid, btc.ask, { mark: price }))
    const left = at.wallet + at.unrealized - at.maintenance
    expect(left > -power(4) && left < power(4)).toBe(true)
  })

  test('is zero for a position that cannot be lost, and for none', () => {
    const account = holding(10n, 6_000_000n)
    const margin = accountMargin(account, [], quoteOf)
    expect(liquidationPrice(btc, positionIn(account, BTC), margin, quoteOf(BTC))).toBe(0n)
    expect(liquidationPrice(btc, positionIn(funded, BTC), margin, quoteOf(BTC))).toBe(0n)
  })
})
