import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { createSemaphore } from './account-slots.ts'
import { openTimedStream } from './timed-stream.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const minuteMs = 60_000

function opened({ most = 1, isLive = false } = {}) {
  const room = createSemaphore(most)
  let following = 0
  const follow = () => {
    following++
    return () => void following--
  }
  return { room, following: () => following, stream: openTimedStream({ room, follow, isLive: () => isLive }) }
}

test('a stream stays open from its first use until it was not used for 15 minutes', () => {
  const { room, following, stream } = opened()
  stream.use()
  jest.advanceTimersByTime(14 * minuteMs)
  stream.use()
  jest.advanceTimersByTime(15 * minuteMs)
  expect(following()).toBe(1)
  expect(room.acquire()).toBe(false)
  jest.advanceTimersByTime(2 * minuteMs)
  expect(following()).toBe(0)
  expect(room.acquire()).toBe(true)
})

test('no second place is taken where somebody else keeps a stream, and none where there is none left', () => {
  const live = opened({ isLive: true })
  live.stream.use()
  expect([live.following(), live.room.acquire()]).toEqual([0, true])
  const full = opened({ most: 0 })
  full.stream.use()
  expect(full.following()).toBe(0)
})

test('a client that has ended opens none', () => {
  const { following, stream } = opened()
  stream.use()
  stream.stop()
  stream.use()
  expect(following()).toBe(0)
})
