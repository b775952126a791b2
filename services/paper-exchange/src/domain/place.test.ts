import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Account, openAccount, positionIn } from './account.ts'
import { absolute, power } from './fixed.ts'
import { accountMargin } from './margin.ts'
import { marketOf } from './market.ts'
import type { Order, OrderRequest } from './order.ts'
import { matchResting, placeOrder } from './place.ts'
import { defaultQuote } from './quote.ts'

const btc = marketOf('BTCUSDT')
const quoteOf = (symbol: string) => defaultQuote(marketOf(symbol))
const funded = openAccount(new Map([['USDT', 10_000n * power(8)]]), 0)

function request(more: Partial<OrderRequest> = {}): OrderRequest {
  const plain = {
    symbol: 'BTCUSDT',
    clientOrderId: 't1',
    side: 'buy',
    type: 'market',
    timeInForce: 'gtc',
  } as const
  return { ...plain, quantity: 10n, price: 0n, reduceOnly: false, ...more }
}

const limit = (price: bigint, more: Partial<OrderRequest> = {}) => request({ type: 'limit', price, ...more })

function place(asked: OrderRequest, account: Account = funded, openOrders: Order[] = []) {
  return placeOrder({ account, openOrders, market: btc, quoteOf }, asked, 1)
}

function accountAfter(asked: OrderRequest, account: Account = funded): Account {
  const placement = place(asked, account)
  return placement.outcome === 'filled' ? placement.execution.account : account
}

const asOpen = (asked: OrderRequest): Order => {
  const state = { id: 1, status: 'open', filled: 0n, filledValue: 0n, createdAt: 0, updatedAt: 0 } as const
  return { ...asked, ...state }
}

describe('on arrival', () => {
  test('a market order is filled at the other side of the quote', () => {
    expect(place(request())).toMatchObject({
      outcome: 'filled',
      execution: { price: 6_000_010n, maker: false },
    })
    expect(place(request({ side: 'sell' }))).toMatchObject({ execution: { price: 5_999_990n } })
  })

  test('a limit order that crosses is filled at the better price, one that does not rests', () => {
    expect(place(limit(6_050_000n))).toMatchObject({ outcome: 'filled', execution: { price: 6_000_010n } })
    expect(place(limit(6_000_000n))).toEqual({ outcome: 'resting', quantity: 10n })
  })

  test('the time in force decides what rests', () => {
    expect(place(limit(6_000_000n, { timeInForce: 'ioc' }))).toEqual({ outcome: 'expired', quantity: 10n })
    expect(place(limit(6_000_000n, { timeInForce: 'fok' }))).toMatchObject({ reason: 'notFillable' })
    expect(place(limit(6_000_010n, { timeInForce: 'postOnly' }))).toMatchObject({ reason: 'wouldTake' })
    expect(place(limit(6_000_010n, { timeInForce: 'fok' }))).toMatchObject({ outcome: 'filled' })
  })

  test('filters refuse', () => {
    const reason = (asked: OrderRequest) => place(asked)
    expect(reason(request({ quantity: 0n }))).toMatchObject({ reason: 'quantityNotPositive' })
    expect(reason(request({ quantity: 120_001n }))).toMatchObject({ reason: 'quantityAboveMax' })
    expect(reason(request({ quantity: 1n }))).toMatchObject({ reason: 'notionalBelowMin' })
    expect(reason(limit(6_000_005n))).toMatchObject({ reason: 'priceOffTick' })
    expect(reason(limit(55_670n))).toMatchObject({ reason: 'priceBelowMin' })
    expect(reason(limit(6_300_010n))).toMatchObject({ reason: 'priceAboveBand' })
    expect(reason(limit(5_699_990n, { side: 'sell' }))).toMatchObject({ reason: 'priceBelowBand' })
  })

  test('an id is refused while its order is open', () => {
    expect(place(request(), funded, [asOpen(limit(5_900_000n))])).toMatchObject({
      reason: 'clientOrderIdOpen',
    })
    expect(place(request({ clientOrderId: 't2' }), funded, [asOpen(limit(5_900_000n))])).toMatchObject({
      outcome: 'filled',
    })
  })

  test('margin is the limit, and what rests counts', () => {
    expect(place(request({ quantity: 3_000n }))).toMatchObject({ outcome: 'filled' })
    expect(place(request({ quantity: 3_400n }))).toMatchObject({ reason: 'marginInsufficient' })
    const other = asOpen(limit(5_900_000n, { clientOrderId: 't2', quantity: 3_000n }))
    expect(place(request({ quantity: 3_000n }), funded, [other])).toMatchObject({
      reason: 'marginInsufficient',
    })
  })

  test('leverage limits the position', () => {
    const rich = openAccount(new Map([['USDT', 10n ** 17n]]), 0)
    let account = rich
    for (let round = 0; round < 13; round += 1)
      account = accountAfter(request({ quantity: 120_000n }), account)
    expect(place(request({ quantity: 120_000n }), account)).toMatchObject({ reason: 'positionAboveLimit' })
  })

  test('an account without means may still shrink its position', () => {
    const long = accountAfter(request({ quantity: 3_000n }))
    const poor = { ...long, balances: new Map([['USDT', 0n]]) }
    expect(place(request(), poor)).toMatchObject({ reason: 'marginInsufficient' })
    expect(place(request({ side: 'sell' }), poor)).toMatchObject({ outcome: 'filled' })
  })
})

describe('reduce-only', () => {
  const long = accountAfter(request({ quantity: 50n }))

  test('is refused where there is nothing to reduce', () => {
    expect(place(request({ reduceOnly: true }))).toMatchObject({ reason: 'reduceOnlyRefused' })
    expect(place(request({ reduceOnly: true }), long)).toMatchObject({ reason: 'reduceOnlyRefused' })
  })

  test('shrinks to the position, and may be smaller than the least notional', () => {
    expect(place(request({ side: 'sell', quantity: 80n, reduceOnly: true }), long)).toMatchObject({
      quantity: 50n,
    })
    expect(place(request({ side: 'sell', quantity: 1n, reduceOnly: true }), long)).toMatchObject({
      quantity: 1n,
    })
  })

  test('that rests expires when the position is gone before the market comes', () => {
    const order = asOpen(limit(6_000_000n, { side: 'sell', reduceOnly: true }))
    const book = {
      account: funded,
      openOrders: [order],
      market: btc,
      quoteOf: () => ({ ...quoteOf('BTCUSDT'), bid: 6_100_000n }),
    }
    expect(matchResting(book, order, 2)).toBe('expired')
    expect(matchResting({ ...book, account: long }, order, 2)).toMatchObject({
      quantity: 10n,
      price: 6_000_000n,
      maker: true,
    })
    expect(matchResting({ ...book, quoteOf }, order, 2)).toBeUndefined()
  })
})

describe('over any orders', () => {
  const Orders = fc.array(
    fc.record({
      side: fc.constantFrom('buy', 'sell'),
      quantity: fc.bigInt({ min: 1n, max: 4_000n }),
      reduceOnly: fc.boolean(),
    }),
    { maxLength: 30 },
  )

  test('fills never exceed orders, reduce-only never grows or flips, and new risk is always covered', () => {
    fc.assert(
      fc.property(Orders, (orders) => {
        let account = funded
        for (const asked of orders) {
          const held = positionIn(account, 'BTCUSDT').quantity
          const placement = place(request(asked), account)
          if (placement.outcome !== 'filled') continue
          const next = positionIn(placement.execution.account, 'BTCUSDT').quantity
          expect(absolute(next - held)).toBe(placement.quantity)
          expect(placement.quantity <= asked.quantity).toBe(true)
          if (asked.reduceOnly) expect(absolute(next) < absolute(held) && next * held >= 0n).toBe(true)
          account = placement.execution.account
          if (absolute(next) > absolute(held))
            expect(accountMargin(account, [], quoteOf).free >= 0n).toBe(true)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
