import { expect, test } from '@jest/globals'
import { createAllowances } from './allowance.ts'

test('a limit is used up within its span and free again after it', () => {
  const { take } = createAllowances()
  expect(take('a', 2, 1_000, 5_000)).toEqual({ limit: 2, left: 1, resetAt: 5_000, isOver: false })
  expect(take('a', 2, 1_000, 5_400).isOver).toBe(false)
  expect(take('a', 2, 1_000, 5_900)).toEqual({ limit: 2, left: 0, resetAt: 6_000, isOver: true })
  expect(take('b', 2, 1_000, 5_900).isOver).toBe(false)
  expect(take('a', 2, 1_000, 6_000).isOver).toBe(false)
})

test('a batch counts as many times as it has orders', () => {
  const { take } = createAllowances()
  expect(take('a', 10, 1_000, 0, 9).left).toBe(1)
  expect(take('a', 10, 1_000, 0, 2).isOver).toBe(true)
})
