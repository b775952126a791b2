import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { openEnvelope } from './envelope.ts'

describe('a body', () => {
  test.each([
    ['text', 'MyBot(BTCUSDT) { balance }', {}],
    ['text that begins with a quoted label', '"My Bot"(BTCUSDT) { balance }', {}],
    ['text that begins with a brace', '{{strategy}} MyBot(BTCUSDT) { balance }', {}],
    ['broken JSON', '{"message":"x"', {}],
    ['JSON without a message', '{"text":"x"}', {}],
    ['JSON with a message that is no text', '{"message":1}', {}],
    ['JSON with commands', '{"message":"x","commands":[]}', {}],
    ['JSON with an id that is an object', '{"message":"x","id":{}}', {}],
    ['JSON with a message', ' {"message":"x","other":1} ', { message: 'x' }],
    ['JSON with an id', '{"message":"x","id":"a"}', { message: 'x', id: 'a' }],
    ['JSON with a number as id', '{"message":"x","id":12}', { message: 'x', id: '12' }],
    ['JSON with a time', '{"message":"x","sent_at":"2026"}', { message: 'x', sentAt: '2026' }],
    ['JSON with a line end in the message', '{"message":"x\ny"}', { message: 'x\ny' }],
    ['a JSON text', '"x\\ny"', { message: 'x\ny' }],
  ])('of %s is opened', (_name, body, expected) => {
    expect(openEnvelope(body, 'tripline')).toEqual({ message: body, format: 'tripline', ...expected })
  })

  test('of any message comes back from its JSON as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (message) => {
        expect(openEnvelope(JSON.stringify({ message }), 'tripline').message).toBe(message)
      }),
    )
  })
})

describe('on a webhook of another format', () => {
  test('a message alone is in our own language', () => {
    const body = '{"message":"MyBot(BTCUSDT) { balance }","id":"a"}'
    expect(openEnvelope(body, 'traderspost')).toMatchObject({ format: 'tripline', id: 'a' })
  })

  test('a message among other fields belongs to that format', () => {
    const body = '{"ticker":"BTCUSDT","action":"buy","message":"Strong"}'
    expect(openEnvelope(body, 'traderspost')).toEqual({ message: body, format: 'traderspost' })
  })

  test('a JSON text is in that format', () => {
    expect(openEnvelope('"s=BTCUSDT c=order"', 'autoview')).toEqual({
      message: 's=BTCUSDT c=order',
      format: 'autoview',
    })
  })
})
