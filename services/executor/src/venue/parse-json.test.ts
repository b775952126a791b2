import { expect, test } from '@jest/globals'
import { parseJson } from './parse-json.ts'

test('an integer beyond 2^53 comes as the text that was sent, and its neighbours stay numbers', () => {
  const text = '{"orderId":8389766000000000001,"updateTime":1764000000123,"ids":[ 8389766000000000002, 7 ]}'
  expect(parseJson(text)).toEqual({
    orderId: '8389766000000000001',
    updateTime: 1764000000123,
    ids: ['8389766000000000002', 7],
  })
})

test('a fraction keeps its digits', () => {
  expect(parseJson('{"a":0.12345678901234567890,"b":0.1,"c":-1.5e-7}')).toEqual({
    a: '0.12345678901234567890',
    b: 0.1,
    c: -1.5e-7,
  })
})

test('digits within a text are left as they are', () => {
  const text =
    '{"id":"1321003749386327552","msg":"at \\":1321003749386327552,\\" it ended","at":9007199254740991}'
  expect(parseJson(text)).toEqual(JSON.parse(text))
})
