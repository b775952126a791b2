import { describe, expect, test } from '@jest/globals'
import { clientOrderIdOf } from '@tripline/proto/client-order-id'
import { accountReading, btcusdt, btcusdtSpot, flat } from '../../../test/btcusdt.ts'
import { alertId, filled, start } from '../../../test/scripted-run.ts'
import { attemptOf } from '../order/attempt.ts'
import type { OrderPlan, VenueOrder } from '../order/order.ts'
import { withCurrent } from './state.ts'
import { tradedAgainst } from './traded-against.ts'

type Change = Partial<OrderPlan>

function planOf(change: Change = {}): OrderPlan {
  return {
    clientOrderId: clientOrderIdOf({ alertId, block: 0, command: 0, leg: 0, revision: 0 }),
    symbol: 'BTCUSDT',
    type: 'limit',
    side: 'sell',
    quantity: '0.100',
    price: '62000.0',
    reduceOnly: true,
    positionSide: 'both',
    sizing: '',
    ...change,
  }
}

describe('the sides that a command traded against', () => {
  const traded = (text: string, order: Partial<VenueOrder>, change: Change = {}, market = btcusdt) => {
    const found = filled({ clientOrderId: planOf().clientOrderId, ...order })
    const attempt = { ...attemptOf({ plan: planOf(change) }), found }
    return tradedAgainst({ ...withCurrent(start(text), { orders: [attempt] }), market })
  }
  test.each([
    ['market(sell, 0.1)', { side: 'sell', filled: '0.1' }, {}, ['long']],
    ['market(buy, 0.1)', { side: 'buy', filled: '0.1' }, { side: 'buy' }, ['short']],
    ['limit(sell, 0.1, 62000)', { side: 'sell', filled: '0', status: 'open' }, {}, []],
    ['market(sell, 0.1)', { side: 'sell', filled: '0.1' }, { positionSide: 'long' }, ['long']],
    ['market(sell, 0.1)', { side: 'sell', filled: '0.1' }, { positionSide: 'short' }, []],
  ] as const)('%s %j %j', (text, order, change, sides) => {
    expect(traded(text, order, change)).toEqual(sides)
  })

  test('are none on spot, where there are coins alone', () => {
    expect(traded('market(buy, 0.1)', { side: 'buy', filled: '0.1' }, { side: 'buy' }, btcusdtSpot)).toEqual(
      [],
    )
  })

  test('are none before an order', () => {
    expect(tradedAgainst(start('cancel'))).toEqual([])
    expect(tradedAgainst(withCurrent(start('market(sell, 0.1)'), { reading: accountReading(flat) }))).toEqual(
      [],
    )
  })
})
