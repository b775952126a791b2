import { expect, test } from '@jest/globals'
import type { ExecutionId, UserId } from '@tripline/proto/id'
import { createSleepingBlocks } from './sleeping-blocks.ts'

const ada = 'ada' as UserId
const bob = 'bob' as UserId
const execution = (name: string): ExecutionId => name as ExecutionId

test('a user holds so many waits, and as many again once they are over', () => {
  const waits = createSleepingBlocks({ perUser: 2, characters: 1000 })
  waits.hold(execution('1'), ada, 10)
  waits.hold(execution('1'), ada, 10)
  expect(waits.objectionTo(ada, 10)).toBeUndefined()
  waits.hold(execution('2'), ada, 10)
  expect(waits.objectionTo(ada, 10)).toBe('2 of your alerts wait already, no more can')
  expect(waits.objectionTo(bob, 10)).toBeUndefined()
  waits.release(execution('2'))
  waits.release(execution('2'))
  expect(waits.objectionTo(ada, 10)).toBeUndefined()
})

test('all users together hold so much in memory', () => {
  const waits = createSleepingBlocks({ perUser: 10, characters: 100 })
  waits.hold(execution('1'), ada, 60)
  expect(waits.objectionTo(bob, 40)).toBeUndefined()
  expect(waits.objectionTo(bob, 41)).toBe('no more alerts can wait now, too many do already')
  waits.release(execution('1'))
  expect(waits.objectionTo(bob, 100)).toBeUndefined()
})
