import { expect, test } from '@jest/globals'
import { readParams } from './params.ts'

const read = (query: string, body = '') => Object.fromEntries(readParams(query, body).params)

test('query and body are read together, and the query wins', () => {
  expect(read('a=1&b=2', 'b=3&c=4')).toEqual({ a: '1', b: '2', c: '4' })
  expect(readParams('a=1', 'a=2').repeated).toBeUndefined()
})

test('escapes are read, broken ones left as they are', () => {
  expect(read('a=%41+b&c=%E0%A4%A&d=x%3Dy=z')).toEqual({ a: 'A b', c: '%E0%A4%A', d: 'x=y=z' })
})

test('a name sent twice in one place is noticed', () => {
  expect(readParams('a=1&a=2', '').repeated).toBe('a')
  expect(readParams('', 'b=1&b=1').repeated).toBe('b')
})

test('an empty text has no parameters', () => {
  expect(read('')).toEqual({})
  expect(read('&&=1&a')).toEqual({ a: '' })
})
