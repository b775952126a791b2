import { expect, test } from '@jest/globals'
import type { ExecutionId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { createDoubts } from './doubts.ts'

const userId = 'ada' as UserId
const subject = (execution: string) => ({ userId, executionId: execution as ExecutionId, command: 0 })

test('a doubt that is reported twice is as old as its first report', () => {
  const doubts = createDoubts()
  doubts.open(subject('one'), 1000)
  doubts.open(subject('one'), 2000)
  doubts.open(subject('other'), 1500)
  expect(doubts.count()).toBe(2)
  expect(doubts.oldest()).toBe(1000)
  doubts.close(subject('one'))
  expect(doubts.oldest()).toBe(1500)
})

test('the doubts of a partition that is left are the next owner’s', () => {
  const doubts = createDoubts()
  doubts.open(subject('one'), 1000)
  doubts.leave((partitionOf(userId) + 1) % 64)
  expect(doubts.count()).toBe(1)
  doubts.leave(partitionOf(userId))
  expect(doubts.count()).toBe(0)
  expect(doubts.oldest()).toBeUndefined()
})
