import { beforeEach, expect, test } from '@jest/globals'
import { createKnownEnds, isReuse, type KnownEnds } from './known-ends.ts'

let ends: KnownEnds
let reused: string[]

beforeEach(() => {
  ends = createKnownEnds()
  reused = []
  ends.onReuse((stream) => reused.push(stream))
})

test('readers side by side that deliver in any order show no lost end', () => {
  ends.note('ALERTS', 5, 1005)
  ends.note('ALERTS', 3, 1003)
  ends.note('ALERTS', 7, 1007)
  ends.note('ALERTS', 6, 1006)
  expect(reused).toEqual([])
  expect(ends.sequences().get('ALERTS')).toBe(7)
  expect(ends.seen('ALERTS')).toEqual({ sequence: 7, storedAt: 1007 })
})

test('an acknowledged sequence says nothing of when older messages were stored', () => {
  ends.note('EVENTS', 90)
  ends.note('EVENTS', 20, 1020)
  ends.note('EVENTS', 21, 1021)
  ends.note('EVENTS', 22, 1030)
  expect(reused).toEqual([])
  expect(ends.sequences().get('EVENTS')).toBe(90)
})

test('a message that was stored later under a sequence that was given before shows a lost end', () => {
  ends.note('ALERTS', 9, 1009)
  ends.note('EVENTS', 9, 5000)
  ends.note('ALERTS', 8, 2000)
  expect(reused).toEqual(['ALERTS'])
})

test('one that comes twice, or whose time comes in whole milliseconds, is the same', () => {
  const newest = { sequence: 9, storedAt: 1009.7 }
  expect(isReuse({ sequence: 9, storedAt: 1009 }, newest)).toBe(false)
  expect(isReuse({ sequence: 9, storedAt: 1009.7 }, newest)).toBe(false)
  expect(isReuse({ sequence: 9, storedAt: 1012 }, newest)).toBe(true)
})

test('behind a loss that is known they are counted anew', () => {
  ends.note('ALERTS', 9, 1009)
  ends.forget()
  ends.note('ALERTS', 4, 2000)
  expect(reused).toEqual([])
  expect(ends.sequences().get('ALERTS')).toBe(4)
})
