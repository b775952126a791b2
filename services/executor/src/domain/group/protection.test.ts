import { describe, expect, test } from '@jest/globals'
import type { ClientOrderId } from '@tripline/proto/id'
import { absenceRules } from '../order/absence.ts'
import type { Market } from '../order/market.ts'
import { type OrderPlan, type OrderStatus, restingOrder } from '../order/order.ts'
import type { Leg, LegsRecord } from './legs-record.ts'
import { protectionIn } from './protection.ts'
import type { Watch } from './watch.ts'

const plan = (type: OrderPlan['type'], more: Partial<OrderPlan> = {}): OrderPlan => ({
  clientOrderId: type as unknown as ClientOrderId,
  symbol: 'BTCUSDT',
  type,
  side: 'sell',
  quantity: '0.02',
  reduceOnly: true,
  positionSide: 'both',
  sizing: 'a test',
  ...more,
})
const leg = (order: OrderPlan): Leg => ({ decision: { plan: order }, revision: 0 })

function watch(
  orders: readonly (readonly [OrderPlan, OrderStatus | 'doubt' | undefined])[],
  record: Partial<LegsRecord> = {},
  kind: Market['kind'] = 'linear',
): Watch {
  const attempts = orders.map(([order, status]) => ({
    ref: { symbol: order.symbol, clientOrderId: order.clientOrderId, isConditional: true },
    decision: { plan: order },
    ...(status === 'doubt' && { doubt: {} as never }),
    ...(status !== undefined && status !== 'doubt' && { found: { ...restingOrder(order), status } }),
  }))
  const legs = orders.map(([order]) => leg(order)) as LegsRecord['legs']
  const rules = { mode: 'cancel', onPartial: 'keep' } as const
  const stored = {
    record: { state: 'live', keeper: 'executor', rules, legs, ...record } as const,
    revision: 1,
  }
  return { stored, market: { kind } as Market, absence: absenceRules.paper_futures, attempts }
}

const stop = plan('stop')
const profit = plan('takeProfit')

describe('a stop that was ordered for a position', () => {
  test.each([
    ['stands', 'untriggered'],
    ['stands', 'open'],
    ['open', 'doubt'],
    ['over', 'filled'],
    ['missing', 'canceled'],
    ['missing', 'expired'],
    ['missing', 'rejected'],
    ['missing', undefined],
  ] as const)('%s where its order is %s', (expected, status) => {
    expect(protectionIn(watch([[stop, status]]))).toEqual({ positionSide: 'both', stop: expected })
    expect(protectionIn(watch([[{ ...stop, positionSide: 'long' }, status]]))).toEqual({
      positionSide: 'long',
      stop: expected,
    })
  })

  test('is missing also where the order that takes the profit stands', () => {
    const orders = [
      [stop, 'canceled'],
      [profit, 'untriggered'],
    ] as const
    expect(protectionIn(watch(orders))).toMatchObject({ stop: 'missing' })
  })

  test('is missing where nothing but the order that takes the profit is left of its group', () => {
    expect(protectionIn(watch([[profit, 'untriggered']], { protects: true, isLone: true }))).toMatchObject({
      stop: 'missing',
    })
  })

  test('is over where the order that takes the profit filled', () => {
    const orders = [
      [stop, 'canceled'],
      [profit, 'filled'],
    ] as const
    expect(protectionIn(watch(orders))).toMatchObject({ stop: 'over' })
  })
})

test('a stop of spot is for the coins that it is to sell', () => {
  const onSpot = { reduceOnly: false } as const
  const pair = (status: OrderStatus) =>
    watch(
      [
        [{ ...stop, ...onSpot, quantity: '0.019' }, status],
        [{ ...plan('limit'), ...onSpot }, status],
      ],
      { keeper: 'venue' },
      'spot',
    )
  expect(protectionIn(pair('open'))).toEqual({ positionSide: 'both', stop: 'stands', coins: '0.02' })
  expect(protectionIn(pair('canceled'))).toEqual({ positionSide: 'both', stop: 'missing', coins: '0.02' })
})

test.each([
  ['an order that rests', watch([[plan('limit'), 'open']])],
  ['a stop that opens a position', watch([[{ ...stop, reduceOnly: false }, 'untriggered']])],
  [
    'a stop of spot that buys',
    watch([[{ ...stop, side: 'buy', reduceOnly: false }, 'canceled']], {}, 'spot'),
  ],
  ['a sale of spot that rests', watch([[plan('limit', { reduceOnly: false }), 'canceled']], {}, 'spot')],
])('nothing is protected by %s', (_name, one) => {
  expect(protectionIn(one)).toBeUndefined()
})
