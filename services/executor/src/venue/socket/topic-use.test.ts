import { afterEach, expect, jest, test } from '@jest/globals'
import { createTopicUse } from './topic-use.ts'

afterEach(() => void jest.useRealTimers())

test('topics that nobody asked for in a quarter of an hour are let go, others stay', () => {
  jest.useFakeTimers()
  const dropped: string[] = []
  const use = createTopicUse((topic) => dropped.push(topic))
  use.use('one')
  use.use('other')
  jest.advanceTimersByTime(10 * 60_000)
  expect(dropped).toEqual([])
  use.use('other')
  jest.advanceTimersByTime(10 * 60_000)
  expect(dropped).toEqual(['one'])
  expect([use.isUsed('one'), use.isUsed('other')]).toEqual([false, true])
  use.stop()
})

test('no more than 200 topics are used at once', () => {
  const use = createTopicUse(() => undefined)
  const taken = Array.from({ length: 201 }, (_, index) => use.use(`topic ${index}`))
  expect(taken.filter((isTaken) => isTaken)).toHaveLength(200)
  expect(use.use('topic 0')).toBe(true)
  use.stop()
})
