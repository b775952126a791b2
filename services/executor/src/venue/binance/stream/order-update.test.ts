import { expect, test } from '@jest/globals'
import type { OrderRef, VenueOrder } from '../../../domain/order/order.ts'
import { isOf, type OrderUpdate } from './order-update.ts'

const ref: OrderRef = { symbol: 'BTCUSDT', clientOrderId: 'ours', venueOrderId: '7', isConditional: false }
const stop: OrderRef = { ...ref, isConditional: true }
const { venueOrderId: _id, ...named } = ref

function update(differing: Partial<OrderUpdate> = {}, order: Partial<VenueOrder> = {}): OrderUpdate {
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

const cases: [string, boolean, OrderUpdate, OrderRef][] = [
  ['its id', true, update(), ref],
  ['its id, under the name of a cancel', true, update({}, { clientOrderId: 'cancel' }), ref],
  ['its name, where no id is known', true, update(), named],
  ['its name, where the id is empty', true, update(), { ...ref, venueOrderId: '' }],
  ['the id of a conditional order', true, update({}, { isConditional: true }), stop],
  [
    'what a conditional order became',
    true,
    update({ childId: '7' }, { venueOrderId: '3', isConditional: true }),
    ref,
  ],
  ['another id, under its name', false, update({}, { venueOrderId: '8' }), ref],
  ['its id at another symbol', false, update({ symbol: 'ETHUSDT' }), ref],
  ['its name at another symbol', false, update({ symbol: 'ETHUSDT' }), named],
  ['another name, where no id is known', false, update({}, { clientOrderId: 'theirs' }), named],
  [
    'no name, where nothing is known',
    false,
    update({}, { clientOrderId: '' }),
    { ...named, clientOrderId: '' },
  ],
  ['a conditional order of its number', false, update({}, { isConditional: true }), ref],
  ['an ordinary order of its number', false, update(), stop],
  ['a conditional order of its name', false, update({}, { isConditional: true }), named],
]

test.each(cases)('an event with %s is of the order: %s', (_name, expected, reported, meant) => {
  expect(isOf(reported, meant)).toBe(expected)
})
