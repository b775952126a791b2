import { expect, test } from '@jest/globals'
import { hoverAt } from './hover.ts'

const message =
  '\ufeffGo MyBot(BTC/USDT:USDT) { stop(sell, 50%p, e-1%, tif=ioc); oco { limit(sell, qty=1, at=@5) nonsense(1) } type=wait, duration=2m } end'

function hoverOf(word: string): [hovered: string, doc: string] | undefined {
  const hover = hoverAt(message, message.indexOf(word))
  if (hover === undefined) return undefined
  const { offset, length } = hover.span
  return [message.slice(offset, offset + length), hover.doc]
}

test.each([
  ['BTC/USDT', 'BTC/USDT:USDT', 'The perpetual BTCUSDT'],
  [
    'top(',
    'stop',
    /^stopOrder: Places an order that waits for its trigger price.* Takes side, amount, price, /,
  ],
  ['sell', 'sell', 'side says whether to buy or to sell: buy, long, b; sell, short, s.'],
  ['0%p', '50%p', 'amount: 50%p is percent of the position.'],
  ['e-1%', 'e-1%', /^price: e-1% is away from the average entry/],
  ['tif', 'tif', 'tif says how long the order stays: gtc, ioc, fok.'],
  ['ioc', 'ioc', 'tif says how long the order stays: gtc, ioc, fok.'],
  ['oco', 'oco', /^oneCancelsOther: /],
  ['limit', 'limit', /^limit: Places an order that rests/],
  ['qty', 'qty', 'amount says how much: a size.'],
  ['@5', '@5', 'price: @5 is this price.'],
  ['wait', 'wait', /^wait: Lets time pass/],
  ['2m', '2m', /^duration says how long to wait/],
])('at %j stands %j, and its meaning', (word, hovered, doc) => {
  expect(hoverOf(word)).toEqual([hovered, expect.stringMatching(doc)])
})

test.each(['Go', 'nonsense', 'end', '; oco'])('at %j nothing is shown', (word) => {
  expect(hoverOf(word)).toBeUndefined()
})
