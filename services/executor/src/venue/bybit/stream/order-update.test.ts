import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { VenueOrder } from '../../../domain/order/order.ts'
import { isUpdate } from './order-update.ts'

/** The life of an order, one state after the other. */
const life: readonly Pick<VenueOrder, 'status' | 'filled' | 'updatedAt'>[] = [
  { status: 'untriggered', filled: '0', updatedAt: 1 },
  { status: 'open', filled: '0', updatedAt: 2 },
  { status: 'open', filled: '0', updatedAt: 3 },
  { status: 'partially_filled', filled: '0.4', updatedAt: 3 },
  { status: 'partially_filled', filled: '0.7', updatedAt: 3 },
  { status: 'filled', filled: '1', updatedAt: 4 },
]

const states = life.map(
  (state): VenueOrder => ({
    venueOrderId: '1',
    clientOrderId: 'a',
    side: 'buy',
    type: 'stop',
    quantity: '1',
    averagePrice: null,
    price: null,
    triggerPrice: '2',
    isConditional: true,
    reduceOnly: false,
    fee: null,
    ...state,
  }),
)

test('the reported state only goes forward, with order events in any order and any number', () => {
  const received = fc.array(fc.nat({ max: states.length - 1 }), { maxLength: 20 })
  fc.assert(
    fc.property(received, (indexes) => {
      let known: VenueOrder | undefined
      const update: number[] = []
      for (const index of indexes) {
        const state = states[index]
        if (state === undefined || !isUpdate(state, known)) continue
        known = state
        update.push(index)
      }
      expect(update).toEqual([...new Set(update)].sort((a, b) => a - b))
      expect(update.at(-1)).toBe(indexes.length === 0 ? undefined : Math.max(...indexes))
    }),
  )
})
