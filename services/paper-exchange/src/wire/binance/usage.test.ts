import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createUsage, type Limits } from './usage.ts'

const LIMITS: Limits = {
  weight: 100,
  orders: [{ name: '10S', interval: 'SECOND', intervalNum: 10, lengthMs: 10_000, limit: 3 }],
}
const START = 1_800_000_000_000

const a = { remoteAddress: 'a', apiKey: 'key' }
const b = { remoteAddress: 'b', apiKey: 'key' }

test('weight is refused once it is over the limit, and the wait ends with the minute', () => {
  const usage = createUsage(LIMITS, 'on')
  expect(usage.admit(a, 100, START)).toMatchObject({ verdict: 'within', weight: 100 })
  expect(usage.admit(a, 1, START + 1_000)).toEqual({ verdict: 'exceeded', weight: 101, waitMs: 59_000 })
  expect(usage.admit(b, 1, START + 1_000).verdict).toBe('within')
  expect(usage.admit(a, 1, START + 60_000)).toMatchObject({ verdict: 'within', weight: 1 })
})

test('a caller that goes on is banned for two minutes', () => {
  const usage = createUsage(LIMITS, 'on')
  usage.admit(a, 101, START)
  for (let round = 0; round < 19; round += 1) usage.admit(a, 1, START)
  expect(usage.admit(a, 1, START)).toMatchObject({ verdict: 'banned', waitMs: 120_000 })
  expect(usage.admit(a, 1, START + 119_999)).toMatchObject({ verdict: 'banned', waitMs: 1 })
  expect(usage.admit(a, 1, START + 120_000).verdict).toBe('within')
})

test('orders that would go over the limit are reported, and returned ones make room', () => {
  const usage = createUsage(LIMITS, 'on')
  expect(usage.countOrders('k', 3, START)).toEqual([3])
  expect(usage.exceededBy('k', 1, START)?.name).toBe('10S')
  expect(usage.exceededBy('k', 1, START + 10_000)).toBeUndefined()
  expect(usage.countOrders('k', -5, START)).toEqual([0])
})

test('a count is never below zero', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 })), (changes) => {
      const usage = createUsage(LIMITS, 'on')
      for (const [step, change] of changes.entries())
        for (const count of usage.countOrders('k', change, START + step * 999))
          expect(count).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('nothing is refused where limits are not enforced', () => {
  const usage = createUsage(LIMITS, 'off')
  expect(usage.admit(a, 1_000, START).verdict).toBe('within')
  usage.countOrders('k', 50, START)
  expect(usage.exceededBy('k', 1, START)).toBeUndefined()
})

test('an account is limited on its own where that is asked for, and a request without one is not', () => {
  const usage = createUsage(LIMITS, 'accounts')
  const of = (apiKey: string | undefined) => ({ remoteAddress: 'a', apiKey })
  expect(usage.admit(of('one'), 101, START).verdict).toBe('exceeded')
  expect(usage.admit(of('other'), 100, START)).toMatchObject({ verdict: 'within', weight: 100 })
  expect(usage.admit(of(undefined), 101, START).verdict).toBe('within')
})
