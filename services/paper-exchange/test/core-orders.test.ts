import { describe, expect, test } from '@jest/globals'
import { balanceOf, positionIn } from '../src/domain/account.ts'
import type { Venue } from '../src/domain/market.ts'
import type { OrderRequest } from '../src/domain/order.ts'
import type { VenueEvent } from '../src/exchange.ts'
import { lockedOf } from '../src/store/ledger.ts'
import { around, expectSound, latest, marketIn, newVenue, order, placed, usdt } from './core-rig.ts'

const FUTURES = marketIn('binance-futures').id
const LINEAR = marketIn('bybit-linear').id
const SPOT = marketIn('binance-spot').id

function scene(funds = 100_000) {
  const exchange = newVenue()
  const balances = new Map([
    ['USDT', usdt(funds)],
    ['BTC', 100_000_000n],
  ])
  exchange.pin('BTCUSDT', around(60_000), 1)
  const [entry, other] = [exchange.open(balances, 1), exchange.open(balances, 1)]
  const events: VenueEvent[] = []
  exchange.subscribe((event) => events.push(event))
  const refusal = (request: OrderRequest) => {
    const result = exchange.place(entry, request, 2)
    return 'refusal' in result ? result.refusal : undefined
  }
  return { exchange, entry, other, events, refusal }
}

const falls = (by: 'last' | 'mark', dollars: number) =>
  ({ by, when: 'falls', price: BigInt(dollars) * 100n }) as const
const rises = (by: 'last' | 'mark', dollars: number) =>
  ({ by, when: 'rises', price: BigInt(dollars) * 100n }) as const
const at = (dollars: number) => BigInt(dollars) * 100n

describe('orders', () => {
  test.each<Venue>(['binance-spot', 'binance-futures', 'bybit-spot', 'bybit-linear'])(
    'a market order on %s fills at the house price, and the house has its fee',
    (venue) => {
      const { exchange, entry } = scene()
      const { house } = exchange.ledger
      const filled = placed(exchange, entry, order(venue))
      expect(filled).toMatchObject({ status: 'filled', filled: filled.quantity })
      const [fill] = entry.fillsByMarket.get(marketIn(venue).id) ?? []
      expect(fill).toMatchObject({ price: exchange.quotes.of(marketIn(venue).id).ask, maker: false })
      expect(balanceOf(house.account, fill?.feeAsset ?? '') !== 0n).toBe(true)
      expectSound(exchange)
    },
  )

  test('a limit order takes the offers within its price and rests with the rest', () => {
    const { exchange, entry } = scene(10_000_000)
    const [best] = exchange.quotes.depth(FUTURES).asks
    const taken = placed(
      exchange,
      entry,
      order('binance-futures', { price: best?.price ?? 0n, quantity: 20_000n }),
    )
    expect(taken).toMatchObject({ status: 'open', filled: best?.quantity })
    expect(exchange.quotes.depth(FUTURES).bids[0]).toEqual({
      price: best?.price,
      quantity: 20_000n - (best?.quantity ?? 0n),
    })
    // A move's new offers fill it further, at their own price.
    exchange.pin('BTCUSDT', around(60_000), 3)
    expect(latest(entry, taken).filled).toBe(2n * (best?.quantity ?? 0n))
  })

  test('users trade with each other, the first come first', () => {
    const { exchange, entry, other } = scene()
    exchange.pin('BTCUSDT', around(60_000, 1_000), 2)
    const first = placed(exchange, entry, order('bybit-linear', { price: at(60_000), quantity: 30n }))
    const second = placed(exchange, entry, order('bybit-linear', { price: at(60_000), quantity: 30n }))
    const taker = placed(exchange, other, order('bybit-linear', { side: 'sell', quantity: 40n }))
    expect(taker).toMatchObject({ status: 'filled', filledValue: usdt(2_400) })
    expect([latest(entry, first).filled, latest(entry, second).filled]).toEqual([30n, 10n])
  })

  test('an amended price goes to the end of the queue, a smaller quantity keeps its place', () => {
    const { exchange, entry, other } = scene()
    exchange.pin('BTCUSDT', around(60_000, 1_000), 2)
    const [a, b] = [0, 1].map(() =>
      placed(exchange, entry, order('binance-futures', { price: at(60_000), quantity: 30n })),
    )
    if (!a || !b) throw new Error('two orders')
    exchange.amend(entry, a, { quantity: 20n }, 3)
    placed(exchange, other, order('binance-futures', { side: 'sell', quantity: 20n }))
    expect(latest(entry, a)).toMatchObject({ status: 'filled', quantity: 20n })
    const c = placed(exchange, entry, order('binance-futures', { price: at(60_000), quantity: 30n }))
    exchange.amend(entry, b, { quantity: 40n }, 4)
    placed(exchange, other, order('binance-futures', { side: 'sell', quantity: 30n }))
    expect([latest(entry, c).status, latest(entry, b).filled]).toEqual(['filled', 0n])
    expect(exchange.amend(entry, b, { quantity: 40n }, 5)).toEqual({ refusal: 'amendUnchanged' })
    expect(exchange.amend(entry, a, { quantity: 10n }, 5)).toEqual({ refusal: 'orderNotOpen' })
  })

  test('an order that meets the same account expires the one that rests', () => {
    const { exchange, entry } = scene()
    const resting = placed(exchange, entry, order('binance-futures', { price: at(59_990) }))
    exchange.pin('BTCUSDT', around(60_000, 1_000), 2)
    placed(exchange, entry, order('binance-futures', { side: 'sell', price: at(59_500) }))
    expect(latest(entry, resting)).toMatchObject({ status: 'expired', endReason: 'selfTrade' })
  })

  test('terms that cannot be met are refused or end the order, as each venue has it', () => {
    const { exchange, entry, refusal } = scene()
    const crossing = { price: at(60_100), timeInForce: 'postOnly' } as const
    expect(refusal(order('binance-spot', crossing))).toBe('wouldTake')
    expect(refusal(order('binance-futures', crossing))).toBe('wouldTake')
    const taken = placed(exchange, entry, order('bybit-linear', crossing))
    expect(taken).toMatchObject({ status: 'canceled', endReason: 'timeInForce', filled: 0n })
    const far = { price: at(59_000), timeInForce: 'fok' } as const
    expect(refusal(order('binance-futures', far))).toBe('notFillable')
    expect(placed(exchange, entry, order('binance-spot', far))).toMatchObject({ status: 'expired' })
    expect(placed(exchange, entry, order('bybit-spot', far))).toMatchObject({ status: 'canceled' })
    const ioc = placed(exchange, entry, order('binance-spot', { ...far, timeInForce: 'ioc' }))
    expect(ioc).toMatchObject({ status: 'expired', endReason: 'timeInForce' })
  })

  test('a cancellation that comes after the fill finds it filled, and a fill that comes after finds nothing', () => {
    const { exchange, entry } = scene()
    const filled = placed(exchange, entry, order('binance-futures', { price: at(59_990) }))
    const canceled = placed(exchange, entry, order('binance-futures', { price: at(59_980) }))
    expect(exchange.cancel(entry, canceled, 3)).toMatchObject({ status: 'canceled', endReason: 'user' })
    exchange.pin('BTCUSDT', around(59_000), 4)
    expect(exchange.cancel(entry, filled, 5)).toMatchObject({ status: 'filled', updatedAt: 4 })
    expect(exchange.cancel(entry, canceled, 5)).toMatchObject({ status: 'canceled', updatedAt: 3 })
    expect(exchange.amend(entry, filled, { price: at(59_970) }, 6)).toEqual({ refusal: 'orderNotOpen' })
    expect(latest(entry, canceled).filled).toBe(0n)
  })

  test('a market order that eats all there is expires with its rest', () => {
    const { exchange, entry } = scene(50_000_000)
    const eaten = placed(exchange, entry, order('binance-futures', { quantity: 120_000n }))
    expect(eaten).toMatchObject({ status: 'expired', endReason: 'noLiquidity' })
    expect(eaten.filled).toBeGreaterThan(0n)
  })

  test('Binance takes a client order id again once its order has ended, Bybit never', () => {
    const { exchange, entry, refusal } = scene()
    const open = placed(exchange, entry, order('binance-spot', { price: at(50_000), clientOrderId: 'same' }))
    expect(refusal(order('binance-spot', { clientOrderId: 'same' }))).toBe('clientOrderIdOpen')
    exchange.cancel(entry, open, 3)
    expect(refusal(order('binance-spot', { clientOrderId: 'same' }))).toBeUndefined()
    expect(refusal(order('binance-spot', { clientOrderId: 'same' }))).toBeUndefined()
    expect(refusal(order('bybit-spot', { clientOrderId: 'same' }))).toBeUndefined()
    expect(refusal(order('bybit-linear', { clientOrderId: 'same' }))).toBe('clientOrderIdUsed')
  })

  test('coins that are locked on spot are not free elsewhere, and the other way round', () => {
    const { exchange, entry, refusal } = scene(1_000)
    placed(exchange, entry, order('binance-spot', { price: at(50_000), quantity: 1_900n }))
    expect(lockedOf(entry, 'USDT')).toBe(usdt(950))
    expect(refusal(order('bybit-linear', { quantity: 10n }))).toBe('marginInsufficient')
    expect(refusal(order('bybit-spot', { price: at(60_000), quantity: 1_000n }))).toBe('balanceInsufficient')
    expect(exchange.check(entry, order('bybit-linear', { quantity: 1n }), 2)).toBeUndefined()
    expect(entry.orders.size).toBe(1)
  })

  test('an order that only reduces shrinks to the position and never turns it', () => {
    const { exchange, entry, refusal } = scene()
    const reduce = { side: 'sell', reduceOnly: true, quantity: 50n } as const
    expect(refusal(order('binance-futures', reduce))).toBe('reduceOnlyRefused')
    placed(exchange, entry, order('binance-futures', { quantity: 20n }))
    expect(placed(exchange, entry, order('binance-futures', reduce))).toMatchObject({
      quantity: 20n,
      status: 'filled',
    })
    expect(positionIn(entry.account, FUTURES).quantity).toBe(0n)
  })
})

describe('triggers', () => {
  test('a conditional futures order becomes an order of its own', () => {
    const { exchange, entry } = scene()
    placed(exchange, entry, order('binance-futures', { quantity: 20n }))
    const stop = placed(
      exchange,
      entry,
      order('binance-futures', {
        side: 'sell',
        quantity: 0n,
        closePosition: true,
        trigger: falls('mark', 59_000),
      }),
    )
    expect(stop.status).toBe('untriggered')
    exchange.pin('BTCUSDT', { ...around(58_990), mark: usdt(59_001) }, 3)
    expect(latest(entry, stop).status).toBe('untriggered')
    exchange.pin('BTCUSDT', around(59_000), 4)
    const triggered = latest(entry, stop)
    expect(triggered).toMatchObject({ status: 'triggered', isTriggered: true, triggeredAt: 4 })
    expect(entry.orders.get(triggered.childId ?? 0)).toMatchObject({
      status: 'filled',
      quantity: 20n,
      origin: 'algo',
      parentId: stop.id,
    })
  })

  test('elsewhere the same order wakes and trades', () => {
    const { exchange, entry } = scene()
    const stop = placed(exchange, entry, order('bybit-linear', { trigger: rises('last', 61_000) }))
    const limit = placed(
      exchange,
      entry,
      order('binance-spot', { side: 'sell', price: at(63_000), trigger: rises('last', 61_000) }),
    )
    expect(lockedOf(entry, 'BTC')).toBeGreaterThan(0n)
    exchange.pin('BTCUSDT', around(61_000), 3)
    expect(latest(entry, stop)).toMatchObject({ status: 'filled', isTriggered: true })
    expect(latest(entry, limit)).toMatchObject({ status: 'open', isTriggered: true })
  })

  test('a trade wakes orders that wait for the last price', () => {
    const { exchange, entry, other } = scene()
    exchange.pin('BTCUSDT', around(60_000, 1_000), 2)
    const stop = placed(
      exchange,
      entry,
      order('binance-futures', { side: 'sell', trigger: falls('last', 59_500) }),
    )
    const higher = placed(
      exchange,
      entry,
      order('binance-futures', { side: 'sell', trigger: falls('mark', 59_500) }),
    )
    placed(exchange, other, order('binance-futures', { side: 'sell' }))
    expect(latest(entry, stop).status).toBe('triggered')
    expect(latest(entry, higher).status).toBe('untriggered')
  })

  test('an order that would trigger at once is refused', () => {
    const { refusal } = scene()
    for (const venue of ['binance-spot', 'binance-futures', 'bybit-spot', 'bybit-linear'] as const) {
      expect(refusal(order(venue, { side: 'sell', trigger: rises('last', 59_000) }))).toBe('triggersAtOnce')
      expect(refusal(order(venue, { side: 'sell', trigger: falls('last', 61_000) }))).toBe('triggersAtOnce')
    }
  })

  test('a stop that trails sells when the price has come back by its distance', () => {
    const { exchange, entry } = scene()
    placed(exchange, entry, order('binance-futures', { quantity: 20n }))
    const trailing = { callback: { rate: 10_000n }, activation: at(60_600) }
    const trigger = { by: 'last', when: 'falls', price: 0n, trailing } as const
    const stop = placed(
      exchange,
      entry,
      order('binance-futures', { side: 'sell', quantity: 20n, reduceOnly: true, trigger }),
    )
    const states = [59_000, 60_600, 61_000, 60_400, 60_389].map((middle, step) => {
      exchange.pin('BTCUSDT', around(middle), 3 + step)
      return latest(entry, stop).status
    })
    expect(states).toEqual(['untriggered', 'untriggered', 'untriggered', 'untriggered', 'triggered'])
    expect(positionIn(entry.account, FUTURES).quantity).toBe(0n)
  })

  test('an order that cannot be paid when it wakes ends', () => {
    const { exchange, entry } = scene(2_000)
    const algo = placed(
      exchange,
      entry,
      order('binance-futures', { quantity: 5_000n, trigger: rises('last', 61_000) }),
    )
    const stop = placed(
      exchange,
      entry,
      order('bybit-linear', { quantity: 5_000n, trigger: rises('last', 61_000) }),
    )
    exchange.pin('BTCUSDT', around(61_000), 3)
    expect(latest(entry, algo)).toMatchObject({ status: 'rejected', endReason: 'margin' })
    expect(latest(entry, stop)).toMatchObject({ status: 'canceled', endReason: 'margin' })
  })
})

describe('lists', () => {
  const leg = {
    market: SPOT,
    side: 'sell',
    quantity: 1_000n,
    timeInForce: 'gtc',
    reduceOnly: false,
    positionSide: 'net',
    type: 'limit',
  } as const
  const limit = { ...leg, clientOrderId: 'limit', price: at(61_000), timeInForce: 'postOnly' } as const
  const stop = {
    ...leg,
    clientOrderId: 'stop',
    type: 'market',
    price: 0n,
    trigger: falls('last', 59_000),
  } as const
  const request = { market: SPOT, clientListId: 'list', legs: [limit, stop] } as const

  test('one leg that fills ends the other, and the list is done', () => {
    const { exchange, entry, events } = scene()
    const made = exchange.placeList(entry, request, 2)
    if ('refusal' in made) throw new Error(made.refusal)
    // Only one of the two will ever sell.
    expect(lockedOf(entry, 'BTC')).toBe(1_000_000n)
    exchange.pin('BTCUSDT', around(61_500), 3)
    const [first, second] = made.orders.map((one) => latest(entry, one))
    expect([first?.status, second?.status, second?.endReason]).toEqual(['filled', 'expired', 'sibling'])
    expect(entry.listsById.get(made.list.id)?.status).toBe('done')
    expect(events.filter(({ kind }) => kind === 'list').length).toBe(2)
    expect(lockedOf(entry, 'BTC')).toBe(0n)
  })

  test('one leg that wakes ends the other; canceling one cancels both', () => {
    const { exchange, entry } = scene()
    const made = exchange.placeList(entry, request, 2)
    if ('refusal' in made) throw new Error(made.refusal)
    exchange.pin('BTCUSDT', around(58_000), 3)
    expect(made.orders.map((one) => latest(entry, one).status)).toEqual(['expired', 'filled'])
    exchange.pin('BTCUSDT', around(60_000), 4)
    const again = exchange.placeList(entry, request, 5)
    if ('refusal' in again) throw new Error(again.refusal)
    const [one] = again.orders
    if (one) exchange.cancel(entry, one, 6)
    expect(again.orders.map((leg) => latest(entry, leg).status)).toEqual(['canceled', 'canceled'])
  })

  test('prices on the wrong side are refused', () => {
    const { exchange, entry } = scene()
    const wrong = { ...request, legs: [{ ...limit, price: at(58_000) }, stop] as const }
    expect(exchange.placeList(entry, wrong, 2)).toEqual({ refusal: 'listPricesWrong' })
  })
})

describe('positions', () => {
  test('hedge mode holds a long and a short position beside each other', () => {
    const { exchange, entry, refusal } = scene()
    expect(exchange.setPositionMode(entry, 'binance-futures', 'hedge', 1)).toBeUndefined()
    expect(exchange.setPositionMode(entry, 'binance-futures', 'hedge', 1)).toBe('positionModeUnchanged')
    expect(refusal(order('binance-futures'))).toBe('positionSideMismatch')
    placed(exchange, entry, order('binance-futures', { positionSide: 'long', quantity: 20n }))
    placed(exchange, entry, order('binance-futures', { positionSide: 'short', side: 'sell', quantity: 30n }))
    placed(exchange, entry, order('binance-futures', { positionSide: 'short', quantity: 50n }))
    expect(positionIn(entry.account, FUTURES, 'long').quantity).toBe(20n)
    expect(positionIn(entry.account, FUTURES, 'short').quantity).toBe(0n)
    expect(exchange.setPositionMode(entry, 'binance-futures', 'one-way', 1)).toBe('positionExists')
    expect(exchange.setPositionMode(entry, LINEAR, 'hedge', 1)).toBeUndefined()
  })

  test('leverage and margin mode are the account’s own, within the limits of the market', () => {
    const { exchange, entry } = scene(1_000)
    expect(exchange.setLeverage(entry, FUTURES, 126, 1)).toBe('leverageAboveMax')
    expect(exchange.setLeverage(entry, FUTURES, 20, 1)).toBe('leverageUnchanged')
    expect(exchange.setMarginMode(entry, FUTURES, 'cross', 1)).toBe('marginModeUnchanged')
    placed(exchange, entry, order('binance-futures', { quantity: 300n }))
    expect(exchange.setLeverage(entry, FUTURES, 2, 1)).toBe('marginInsufficient')
    expect(exchange.setMarginMode(entry, FUTURES, 'isolated', 1)).toBe('positionExists')
  })

  test('an isolated position loses only its own margin', () => {
    const { exchange, entry } = scene(10_000)
    exchange.setMarginMode(entry, FUTURES, 'isolated', 1)
    placed(exchange, entry, order('binance-futures', { quantity: 300n }))
    expect(exchange.addMargin(entry, FUTURES, 'net', usdt(100), 2)).toBeUndefined()
    expect(exchange.addMargin(entry, FUTURES, 'net', -usdt(101), 2)).toBe('marginInsufficient')
    const { margin } = positionIn(entry.account, FUTURES)
    const before = balanceOf(entry.account, 'USDT')
    exchange.pin('BTCUSDT', around(40_000), 3)
    expect(positionIn(entry.account, FUTURES).quantity).toBe(0n)
    expect(balanceOf(entry.account, 'USDT')).toBe(before - margin)
    expectSound(exchange)
  })

  test('an account whose margin is gone loses its orders and positions, never more than it has', () => {
    const { exchange, entry, events } = scene(1_000)
    placed(exchange, entry, order('bybit-linear', { quantity: 100n }))
    const waiting = placed(exchange, entry, order('bybit-linear', { price: at(59_000), quantity: 1n }))
    exchange.pin('BTCUSDT', around(50_000), 3)
    expect(positionIn(entry.account, LINEAR).quantity).toBe(0n)
    expect(balanceOf(entry.account, 'USDT')).toBeGreaterThanOrEqual(0n)
    expect(latest(entry, waiting).status).not.toBe('open')
    expect([...entry.orders.values()].some(({ origin }) => origin === 'liquidation')).toBe(true)
    expect(events.some((event) => event.kind === 'account' && event.reason === 'liquidation')).toBe(true)
    expectSound(exchange)
  })
})

describe('protection', () => {
  const legs = {
    takeProfit: { by: 'last', price: at(62_000) },
    stopLoss: { by: 'mark', price: at(58_000) },
  } as const
  const protections = (entry: ReturnType<typeof scene>['entry']) =>
    [...entry.orders.values()].filter(({ origin }) => origin === 'protection')

  test('an attached order comes to life with the fill and goes with the position', () => {
    const { exchange, entry } = scene()
    placed(exchange, entry, order('bybit-linear', { quantity: 20n, attached: { mode: 'full', ...legs } }))
    expect(protections(entry).map(({ status, protection }) => [status, protection?.part])).toEqual([
      ['untriggered', 'takeProfit'],
      ['untriggered', 'stopLoss'],
    ])
    exchange.pin('BTCUSDT', around(62_000), 3)
    expect(protections(entry).map(({ status, endReason }) => [status, endReason])).toEqual([
      ['filled', undefined],
      ['canceled', 'positionClosed'],
    ])
  })

  test('a full pair is replaced, a partial one joins, none takes away, the same is unchanged', () => {
    const { exchange, entry } = scene()
    const protect = (protection: Parameters<typeof exchange.protect>[3]) =>
      exchange.protect(entry, LINEAR, 'net', protection, 2)
    expect(protect({ mode: 'full', ...legs })).toBe('noPosition')
    placed(exchange, entry, order('bybit-linear', { quantity: 20n }))
    expect(protect({ mode: 'full', ...legs })).toBeUndefined()
    expect(protect({ mode: 'full', ...legs })).toBe('protectionUnchanged')
    expect(protect({ mode: 'full', takeProfit: { by: 'last', price: at(63_000) } })).toBeUndefined()
    expect(protections(entry).map(({ trigger }) => trigger?.price)).toEqual([at(63_000), at(58_000)])
    expect(
      protect({ mode: 'partial', takeProfit: { by: 'last', price: at(61_000), quantity: 5n } }),
    ).toBeUndefined()
    expect(protections(entry).length).toBe(3)
    expect(protect({ mode: 'full', stopLoss: 'none' })).toBeUndefined()
    expect(protect({ mode: 'full', takeProfit: { by: 'last', price: at(59_000) } })).toBe(
      'protectionWrongSide',
    )
    exchange.pin('BTCUSDT', around(61_000), 3)
    expect(positionIn(entry.account, LINEAR).quantity).toBe(15n)
    exchange.pin('BTCUSDT', around(63_000), 4)
    expect(positionIn(entry.account, LINEAR).quantity).toBe(0n)
    expect(entry.openOrderIds.size).toBe(0)
  })

  test('a partial pair is sized by the fill, and one leg ends the other', () => {
    const { exchange, entry } = scene()
    const attached = { mode: 'partial', ...legs } as const
    placed(exchange, entry, order('bybit-linear', { quantity: 20n }))
    placed(exchange, entry, order('bybit-linear', { quantity: 7n, attached }))
    expect(protections(entry).map(({ quantity }) => quantity)).toEqual([7n, 7n])
    exchange.pin('BTCUSDT', around(58_000), 3)
    expect(positionIn(entry.account, LINEAR).quantity).toBe(20n)
    expect(entry.openOrderIds.size).toBe(0)
  })

  test('a reset ends everything and gives new balances', () => {
    const { exchange, entry, events } = scene()
    placed(exchange, entry, order('bybit-linear', { quantity: 20n, attached: { mode: 'full', ...legs } }))
    placed(exchange, entry, order('binance-spot', { price: at(50_000) }))
    exchange.reset(entry, new Map([['USDT', usdt(5)]]), 3)
    expect(entry.openOrderIds.size).toBe(0)
    expect(entry.account.positions.size).toBe(0)
    expect([...entry.account.balances]).toEqual([['USDT', usdt(5)]])
    expect(events.at(-1)).toMatchObject({ kind: 'account', reason: 'reset' })
    expectSound(exchange)
  })
})
