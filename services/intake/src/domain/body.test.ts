import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { readBody } from './body.ts'

describe('a body', () => {
  test.each([
    ['text', 'MyBot(BTCUSDT) { balance }', { message: 'MyBot(BTCUSDT) { balance }' }],
    ['text that begins with a quoted label', '"My Bot"(BTCUSDT) { balance }', undefined],
    ['text that begins with a brace', '{{strategy}} MyBot(BTCUSDT) { balance }', undefined],
    ['JSON with a message', ' {"message":"x","other":1} ', { message: 'x' }],
    ['JSON with an id', '{"message":"x","id":"a"}', { message: 'x', id: 'a' }],
    ['JSON with a number as id', '{"message":"x","id":12}', { message: 'x', id: '12' }],
    ['JSON with a time', '{"message":"x","sent_at":"2026"}', { message: 'x', sentAt: '2026' }],
    ['a JSON text', '"x\\ny"', { message: 'x\ny' }],
  ])('of %s is read', (_name, body, expected) => {
    expect(readBody(body)).toEqual(expected ?? { message: body })
  })

  test.each([
    ['without a message', '{"text":"x"}'],
    ['with a message that is no text', '{"message":1}'],
    ['with an id that is an object', '{"message":"x","id":{}}'],
  ])('of JSON %s is none', (_name, body) => {
    expect(readBody(body)).toBeUndefined()
  })

  test('of any message comes back from its JSON as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (message) => {
        expect(readBody(JSON.stringify({ message }))).toEqual({ message })
      }),
    )
  })
})
