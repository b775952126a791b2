import { expect, test } from '@jest/globals'
import { readTokens, withToken } from './browser-tokens.ts'

test('the newest token stands in front, and a few are stored', () => {
  expect(withToken(['a', 'b'], 'b')).toEqual(['b', 'a'])
  expect(withToken(['1', '2', '3', '4', '5'], '6')).toEqual(['6', '1', '2', '3', '4'])
})

test('a value that somebody else has stored is no token', () => {
  for (const stored of [null, '', '{', '{}', '7']) expect(readTokens(stored)).toEqual([])
  expect(readTokens('["a", 7, "b"]')).toEqual(['a', 'b'])
})
