import { expect, test } from '@jest/globals'
import { filledInPart } from './filled-in-part.ts'
import type { OrderPlan, VenueOrder } from './order.ts'

const order = { status: 'expired', quantity: '0.100', filled: '0.04', averagePrice: '60000' } as VenueOrder
const toSpend = { quantity: '0', quoteQuantity: '6000.00' } as OrderPlan

test.each([
  ['expired', {}, undefined, '0.04 of 0.1 was filled, and the exchange ended the rest as expired'],
  [
    'canceled',
    { status: 'canceled' },
    undefined,
    '0.04 of 0.1 was filled, and the exchange ended the rest as canceled',
  ],
  ['ended with nothing filled', { filled: '0' }, undefined, undefined],
  ['still going on', { status: 'partially_filled' }, undefined, undefined],
  ['filled', { status: 'filled', filled: '0.100' }, undefined, undefined],
  [
    'ended as canceled though all of it is filled',
    { status: 'canceled', filled: '0.1' },
    undefined,
    undefined,
  ],
  [
    'to spend an amount',
    { quantity: '0.100' },
    toSpend,
    '2400 of 6000 to spend was filled, and the exchange ended the rest as expired',
  ],
  [
    'with less than a step left to spend',
    { status: 'canceled', quantity: '0', filled: '0.0999' },
    toSpend,
    undefined,
  ],
  [
    'cut to what it could reduce',
    { status: 'filled', quantity: '0.04' },
    { quantity: '0.100', reduceOnly: true } as OrderPlan,
    '0.04 of 0.1 was filled: it closed what was held',
  ],
  [
    'that reduces all that it was to',
    { status: 'filled', quantity: '0.04' },
    { quantity: '0.040', reduceOnly: true } as OrderPlan,
    undefined,
  ],
  [
    'cut to what it could reduce, and ended before that was filled',
    {},
    { quantity: '0.300', reduceOnly: true } as OrderPlan,
    '0.04 of 0.3 was filled, and the exchange ended the rest as expired',
  ],
  [
    'cut to what it could reduce, which the exchange calls expired',
    { quantity: '0.04' },
    { quantity: '0.300', reduceOnly: true } as OrderPlan,
    '0.04 of 0.3 was filled, and the exchange ended the rest as expired',
  ],
  ['to spend an amount, at a price that nobody reported', { averagePrice: null }, toSpend, undefined],
] as const)('the warning of an order %s', (_name, part, plan, text) => {
  expect(filledInPart({ ...order, ...part } as VenueOrder, plan)?.text).toBe(text)
})
