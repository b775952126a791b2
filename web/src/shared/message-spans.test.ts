import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { commandSpan, spansOf } from './message-spans.ts'

const textsOf = (message: string) =>
  spansOf(message).map(({ offset, length, kind }) => `${kind}:${message.slice(offset, offset + length)}`)

describe('the spans of a message', () => {
  test('name each part of a block', () => {
    expect(textsOf('MyBot(BTCUSDT) {\n  limit(buy, 0.01, offset=1%) # near\n  cancel\n}')).toEqual([
      'label:MyBot',
      'symbol:BTCUSDT',
      'command:limit',
      'value:buy',
      'value:0.01',
      'parameter:offset',
      'value:1%',
      'comment:# near',
      'command:cancel',
    ])
  })

  test('hold the legs of a group, and placeholders', () => {
    expect(textsOf('B(X1) { oco { stop(sell, 100%, {{close}}); limit(sell, 1, 2) } }')).toEqual([
      ...['label:B', 'symbol:X1', 'command:oco', 'command:stop', 'value:sell', 'value:100%'],
      ...['placeholder:{{close}}', 'command:limit', 'value:sell', 'value:1', 'value:2'],
    ])
  })

  test('stand in order and never overlap, whatever the text', () => {
    const pieces = fc.constantFrom(
      'B(X1) {',
      '}',
      'market(',
      'buy',
      ', ',
      ')',
      '# c',
      '\n',
      '"',
      '\u00a0',
      'type=',
      '/*',
    )
    const messages = fc.array(pieces, { maxLength: 30 }).map((list) => list.join(''))
    fc.assert(
      fc.property(messages, (message) => {
        let at = 0
        for (const { offset, length } of spansOf(message)) {
          expect(offset).toBeGreaterThanOrEqual(at)
          at = offset + length
        }
        expect(at).toBeLessThanOrEqual(message.length)
      }),
    )
  })
})

test('a command is found by its place', () => {
  const message = 'A(X1) { balance }\nB(X2) { wait(1s); market(buy, 1) }'
  const { offset = 0, length = 0 } = commandSpan(message, 1, 1) ?? {}
  expect(message.slice(offset, offset + length)).toBe('market(buy, 1)')
  expect(commandSpan(message, 2, 0)).toBeUndefined()
})
