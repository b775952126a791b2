import { expect, test } from '@jest/globals'
import type { OrderRef, VenueOrder } from '../../domain/order.ts'
import { isOf, type ToldOrder } from './told-order.ts'

const ref: OrderRef = { symbol: 'BTCUSDT', clientOrderId: 'ours', venueOrderId: '7', isConditional: false }
const stop: OrderRef = { ...ref, isConditional: true }
const { venueOrderId: _id, ...named } = ref

function told(differing: Partial<ToldOrder> = {}, order: Partial<VenueOrder> = {}): ToldOrder {
  return {
    symbol: 'BTCUSDT',
    order: {
      venueOrderId: '7',
      clientOrderId: 'ours',
      side: 'buy',
      type: 'limit',
      status: 'canceled',
      quantity: '1',
      filled: '0',
      averagePrice: null,
      price: '1',
      triggerPrice: null,
      isConditional: false,
      reduceOnly: false,
      fee: null,
      updatedAt: null,
      ...order,
    },
    fill: undefined,
    ...differing,
  }
}

const cases: [string, boolean, ToldOrder, OrderRef][] = [
  ['its id', true, told(), ref],
  ['its id, under the name of a cancel', true, told({}, { clientOrderId: 'cancel' }), ref],
  ['its name, where no id is known', true, told(), named],
  ['its name, where the id is empty', true, told(), { ...ref, venueOrderId: '' }],
  ['the id of a conditional order', true, told({}, { isConditional: true }), stop],
  [
    'what a conditional order became',
    true,
    told({ childId: '7' }, { venueOrderId: '3', isConditional: true }),
    ref,
  ],
  ['another id, under its name', false, told({}, { venueOrderId: '8' }), ref],
  ['its id at another symbol', false, told({ symbol: 'ETHUSDT' }), ref],
  ['its name at another symbol', false, told({ symbol: 'ETHUSDT' }), named],
  ['another name, where no id is known', false, told({}, { clientOrderId: 'theirs' }), named],
  [
    'no name, where nothing is known',
    false,
    told({}, { clientOrderId: '' }),
    { ...named, clientOrderId: '' },
  ],
  ['a conditional order of its number', false, told({}, { isConditional: true }), ref],
  ['an ordinary order of its number', false, told(), stop],
  ['a conditional order of its name', false, told({}, { isConditional: true }), named],
]

test.each(cases)('an event with %s is of the order: %s', (_what, expected, news, meant) => {
  expect(isOf(news, meant)).toBe(expected)
})
