import { expect, test } from '@jest/globals'
import type { UserId } from '@tripline/proto/id'
import { createBudget } from './budget.ts'

const [ada, bob] = ['ada', 'bob'] as [UserId, UserId]

function budget() {
  let now = 0
  const { spend } = createBudget(60, () => now)
  const refusal = (userId: UserId, units: number, isUrgent = false): unknown => {
    try {
      spend(userId, { units, isUrgent })
      return undefined
    } catch (error) {
      return error
    }
  }
  return { refusal, wait: (ms: number) => (now += ms) }
}

test('a user spends a minute at once, and then only the part that comes back', () => {
  const { refusal, wait } = budget()
  expect(refusal(ada, 54)).toBeUndefined()
  expect(refusal(ada, 5)).toMatchObject({ code: 'rate_limited', retryAfterS: 5 })
  wait(4999)
  expect(refusal(ada, 5)).toMatchObject({ retryAfterS: 1 })
  wait(1)
  expect(refusal(ada, 5)).toBeUndefined()
})

test('a long rest saves up one minute, and one user spends nothing of another', () => {
  const { refusal, wait } = budget()
  wait(3_600_000)
  expect(refusal(ada, 55)).toMatchObject({ code: 'rate_limited' })
  expect(refusal(ada, 54)).toBeUndefined()
  expect(refusal(bob, 54)).toBeUndefined()
})

test('an urgent call spends the reserve', () => {
  const { refusal } = budget()
  expect(refusal(ada, 54)).toBeUndefined()
  expect(refusal(ada, 2, true)).toBeUndefined()
  expect(refusal(ada, 5, true)).toMatchObject({ code: 'rate_limited' })
})
