import { expect, test } from '@jest/globals'
import { createRoom } from './room.ts'

test('room is there for so many, and again for whoever comes after one that left', () => {
  const room = createRoom(2)
  expect([room.take(), room.take(), room.take()]).toEqual([true, true, false])
  room.giveBack()
  expect([room.take(), room.take()]).toEqual([true, false])
})
