import { expect, test } from '@jest/globals'
import { isYoung } from './alert-age.ts'

// The example of the ULID specification, made at this millisecond.
const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV-0'
const madeAt = Date.parse('2016-07-30T23:54:10.259Z')

test.each([
  [0, true],
  [29_000, true],
  [-29_000, true],
  [31_000, false],
  [-3_600_000, false],
])('%d ms after its alert an execution counts as young: %s', (laterMs, expected) => {
  expect(isYoung(id, madeAt + laterMs)).toBe(expected)
})

test.each(['', 'a-0', 'UUUUUUUUUU-0'])('%j is not the id of a young execution', (unread) => {
  expect(isYoung(unread, madeAt)).toBe(false)
})
