import { describe, expect, test } from '@jest/globals'
import type { Decision } from './attempt.ts'
import { withReference } from './reference.ts'

const quote = { bid: '59999.9', ask: '60000.1', askedAt: 100 }

function decided(plan: Partial<Decision['plan']>): Decision {
  return {
    plan: {
      clientOrderId: 't01ARZ3NDEKTSV4RRFFQ69G5FAV00000' as Decision['plan']['clientOrderId'],
      symbol: 'BTCUSDT',
      type: 'market',
      side: 'buy',
      quantity: '0.01',
      reduceOnly: false,
      positionSide: 'both',
      sizing: '0.01 BTC',
      ...plan,
    },
  }
}

describe('a market order that nothing was read for', () => {
  test('is compared with the ask of the market, and a sale with its bid', () => {
    expect(withReference(decided({}), quote, 200).reference).toBe('60000.1')
    expect(withReference(decided({ side: 'sell' }), quote, 200).reference).toBe('59999.9')
  })

  test('reports whether that was asked before it was sent or after', () => {
    expect(withReference(decided({}), quote, 101).referenceKind).toBe('before')
    expect(withReference(decided({}), quote, 100).referenceKind).toBe('after')
  })

  test('stays as it is where there is no quote', () => {
    expect(withReference(decided({}), undefined, 200)).toEqual(decided({}))
  })
})

test.each([
  ['an order that rests', decided({ type: 'limit', price: '58000' })],
  ['one that has its reference', { ...decided({}), reference: '60000.2' }],
])('%s is compared with no other', (_name, decision) => {
  expect(withReference(decision, quote, 200)).toEqual(decision)
})
