import { expect, test } from '@jest/globals'
import { isPresent } from './membership.ts'

test.each([
  ['is not distinguished from one that died long ago', 'before it beats', { beats: 0, seenAt: 0 }, 1, false],
  ['is there', 'as it beats', { beats: 1, seenAt: 1000 }, 1000, true],
  ['is there', 'between its beats', { beats: 5, seenAt: 1000 }, 3999, true],
  ['is gone', 'when it missed several', { beats: 5, seenAt: 1000 }, 4000, false],
])('a member %s %s', (_name, _when, lastSeen, at, expected) => {
  expect(isPresent(lastSeen, at)).toBe(expected)
})
