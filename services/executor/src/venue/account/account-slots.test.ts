import { expect, test } from '@jest/globals'
import { createSemaphore } from './account-slots.ts'

test('room is there for so many, and again for one that comes after another left', () => {
  const room = createSemaphore(2)
  expect([room.acquire(), room.acquire(), room.acquire()]).toEqual([true, true, false])
  room.release()
  expect([room.acquire(), room.acquire()]).toEqual([true, false])
})
