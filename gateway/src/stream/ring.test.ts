import { expect, test } from '@jest/globals'
import { positionIn, positionsOf } from './ring.ts'

test('the positions of a message lie behind the message before, in order, and end at its sequence', () => {
  expect(positionsOf(7, 1)).toEqual([7])
  expect(positionsOf(7, 4)).toEqual([6.001, 6.002, 6.003, 7])
  expect(positionsOf(1, 11).at(9)).toBe(0.01)
})

test.each([1, 77, 123_456_789, 4_000_000_000])(
  'a position is found again by its id, at message %d',
  (sequence) => {
    const positions = positionsOf(sequence, 100)
    expect(positions.map((position) => positionIn(`${position}`))).toEqual(positions)
    expect(new Set(positions).size).toBe(100)
  },
)

test.each(['', 'x', '-1', '1e3', '1.', '.1', '1.0001', '1.2.3'])('%j is no id of ours', (id) => {
  expect(positionIn(id)).toBeUndefined()
})
