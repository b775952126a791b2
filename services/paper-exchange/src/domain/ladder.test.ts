import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bestPrice, createLadder, dequeue, enqueue, pricesOf, queueAt } from './ladder.ts'

test('the best price comes first, and at a price the earliest order', () => {
  const ladder = createLadder<string>('lowest')
  enqueue(ladder, 7n, 1, 'a')
  enqueue(ladder, 5n, 2, 'b')
  enqueue(ladder, 7n, 3, 'c')
  expect([...pricesOf(ladder)]).toEqual([5n, 7n])
  expect([...queueAt(ladder, 7n).keys()]).toEqual([1, 3])
  dequeue(ladder, 5n, 2)
  expect(bestPrice(ladder)).toBe(7n)
  dequeue(ladder, 7n, 9)
  expect(queueAt(ladder, 7n).size).toBe(2)
})

test('over any comings and goings the prices are sorted and only those with orders', () => {
  const moves = fc.array(fc.record({ price: fc.bigInt({ min: 1n, max: 20n }), leaves: fc.boolean() }))
  const best = fc.constantFrom('highest' as const, 'lowest' as const)
  fc.assert(
    fc.property(moves, best, (all, first) => {
      const ladder = createLadder<undefined>(first)
      const there = new Map<number, bigint>()
      for (const [id, { price, leaves }] of all.entries()) {
        const [oldest] = there
        if (leaves && oldest) {
          dequeue(ladder, oldest[1], oldest[0])
          there.delete(oldest[0])
        } else {
          enqueue(ladder, price, id, undefined)
          there.set(id, price)
        }
      }
      const expected = [...new Set(there.values())].sort((a, b) => (a < b === (first === 'lowest') ? -1 : 1))
      expect([...pricesOf(ladder)]).toEqual(expected)
    }),
    { numRuns: 1_000 },
  )
})
