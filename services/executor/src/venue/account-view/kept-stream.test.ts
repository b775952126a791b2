import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { keepStream } from './kept-stream.ts'
import { createRoom } from './room.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const minuteMs = 60_000

function opened({ most = 1, isLive = false } = {}) {
  const room = createRoom(most)
  let attending = 0
  const attend = () => {
    attending++
    return { probe: () => {}, provenAt: () => undefined, renew: () => {}, stop: () => void attending-- }
  }
  return { room, attending: () => attending, kept: keepStream({ room, attend, isLive: () => isLive }) }
}

test('a stream is kept from its first use until it was not used for 15 minutes', () => {
  const { room, attending, kept } = opened()
  kept.use()
  jest.advanceTimersByTime(14 * minuteMs)
  kept.use()
  jest.advanceTimersByTime(15 * minuteMs)
  expect(attending()).toBe(1)
  expect(room.take()).toBe(false)
  jest.advanceTimersByTime(2 * minuteMs)
  expect(attending()).toBe(0)
  expect(room.take()).toBe(true)
})

test('no second place is taken where somebody else keeps a stream, and none where there is none left', () => {
  const live = opened({ isLive: true })
  live.kept.use()
  expect([live.attending(), live.room.take()]).toEqual([0, true])
  const full = opened({ most: 0 })
  full.kept.use()
  expect(full.attending()).toBe(0)
})

test('a client that has ended opens none', () => {
  const { attending, kept } = opened()
  kept.use()
  kept.stop()
  kept.use()
  expect(attending()).toBe(0)
})
