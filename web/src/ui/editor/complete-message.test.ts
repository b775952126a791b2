import { describe, expect, test } from '@jest/globals'
import { offerAt } from './complete-message.ts'

const vocabulary = {
  bots: [{ label: 'MyBot', market: 'futures' as const }],
  symbols: ['BTCUSDT', 'ETHUSDT'],
}

/** Returns the offers at the bar. */
function offered(text: string, isAsked = false) {
  const offset = text.indexOf('|')
  return offerAt(text.replace('|', ''), offset, vocabulary, isAsked)?.items ?? []
}
const labels = (text: string, isAsked?: boolean) => offered(text, isAsked).map(({ label }) => label)

describe('the editor offers', () => {
  test.each([
    ['My|', ['MyBot']],
    ['MyBot(|', ['BTCUSDT', 'ETHUSDT', '{{ticker}}']],
    ['MyBot(BTCUSDT) { mar| }', ['market', 'marketOrder']],
    ['MyBot(BTCUSDT) { market(| }', expect.arrayContaining(['buy', 'sell', 'position'])],
    ['MyBot(BTCUSDT) { market(buy, 1, red|) }', ['reduceOnly']],
    ['MyBot(BTCUSDT) { market(buy, {{str|) }', ['{{strategy.order.contracts}}']],
  ])('the words that fit at %j', (text, expected) => {
    expect(labels(text)).toEqual(expected)
  })

  test.each([
    ['an alert| in words', 'where nothing was begun'],
    ['MyBot(BTCUSDT) { market(buy, 0|) }', 'while a number is written'],
    ['MyBot(BTCUSDT) { | }', 'before a command was begun'],
    ['MyBot(BTCUSDT) { market(buy|', 'what is written in full'],
  ])('nothing unasked at %j: %s', (text) => {
    expect(labels(text)).toEqual([])
  })

  test('everything that may stand there once it is asked for', () => {
    expect(labels('MyBot(BTCUSDT) { | }', true)).toContain('oneCancelsOther')
    expect(labels('MyBot(BTCUSDT) { market(buy, |) }', true)).toContain('0.01')
  })

  test('with the bracket that closes it, unless that is there', () => {
    expect(offered('MyBot(BTCUSDT) { mark| }')[0]).toMatchObject({ insert: 'market(', closing: ')' })
    expect(offered('MyBot(BTCUSDT) { mark|) }')[0]).toMatchObject({ insert: 'market(', closing: '' })
    expect(offered('MyBot(BTCUSDT) { oc| }')[0]).toMatchObject({ insert: 'oco { ', closing: '' })
    expect(offered('MyBot(BTCUSDT) { oc|')[0]).toMatchObject({ insert: 'oco { ', closing: ' }' })
  })
})
