import { expect, test } from '@jest/globals'
import fc from 'fast-check'
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

test('a fraction that a double would round to a whole number keeps its digits', () => {
  expect(parseJson('{"a":7079098090008952.9,"b":0.99999999999999999999,"c":1764000000123.000}')).toEqual({
    a: '7079098090008952.9',
    b: '0.99999999999999999999',
    c: 1764000000123,
  })
})

test('digits within a text are left as they are', () => {
  const text =
    '{"id":"1321003749386327552","msg":"at \\":1321003749386327552,\\" it ended","at":9007199254740991}'
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

test('any text stays as it is beside a long number', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('"', '\\', ':', ',', '1234567890', '-', '.', 'e', ' ', 'ä') }),
      (text) => {
        const json = `{"a":${JSON.stringify(text)},"id":8389766000000000001,"b":[${JSON.stringify(text)},-12345678901234567890]}`
        expect(parseJson(json)).toEqual({
          a: text,
          id: '8389766000000000001',
          b: [text, '-12345678901234567890'],
        })
      },
    ),
  )
})
