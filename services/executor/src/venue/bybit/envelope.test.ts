import { expect, test } from '@jest/globals'
import { meaningOf } from './codes.ts'
import { readEnvelope } from './envelope.ts'

test('the reasons that the venue gives beside its words are reported', () => {
  const result = { reasons: [{ reasonCode: '3400000', reasonMsg: 'Equity needs to be 1000 USDC or more' }] }
  const { code, words } = readEnvelope({ retCode: 3400045, retMsg: 'Set margin mode failed', result })
  expect(meaningOf({ status: 200, code, text: words })).toEqual({
    code: 'E405',
    error: 'The exchange refused: Set margin mode failed: Equity needs to be 1000 USDC or more (3400045)',
  })
})

test('a number that comes as text is one, and words that are missing are none', () => {
  expect(readEnvelope({ retCode: '10001' })).toEqual({ code: 10001, words: '', result: undefined })
})

test('an answer with the id of an order is a success though it has no number, and none without either', () => {
  expect(readEnvelope({ result: { orderId: 'a' } })).toMatchObject({ code: 0, result: { orderId: 'a' } })
  expect(readEnvelope({ data: { orderLinkId: 7 } })).toMatchObject({ code: 0 })
  for (const answer of [{ result: {} }, { retCode: {}, result: { orderId: 'a' } }, [], null, 'no JSON'])
    expect(() => readEnvelope(answer)).toThrow()
})
