import { expect, test } from '@jest/globals'
import { formatBlocks } from './format-blocks.ts'
import type { KnownBot } from './label.ts'
import { readMessage } from './read-message.ts'

const bots: KnownBot[] = [
  { label: 'MyBot', market: 'futures' },
  { label: 'My Long Bot', market: 'futures' },
]

function formatted(message: string): string {
  return formatBlocks(readMessage(message, bots).blocks)
}

test('a message is printed with a command a line, canonical names, and positional values without a name', () => {
  const message = `Hi! my long  bot(binance:btcusdt.p) { # first
    cancelOrders; settings(5x)
  } "MyBot"(BTC/USDT) { type=adjust, tag=a, qty=1, side=long; oco(tag=x) { limit(s, 50%p, offset=e2%)
    stop(amount=10 usdt, side=short, offset=100, limitOffset=@5) } wait(120); tpsl(tp=2%, sl=@9, size=5) }`
  expect(formatted(message)).toBe(`My Long Bot(BTCUSDT.P) {
  cancel(all)
  exchangeSettings(5)
}

MyBot(BTCUSDT) {
  market(buy, 1, tag=a)
  oneCancelsOther(tag=x) {
    limit(sell, 50%p, e2%)
    stopOrder(sell, 10 USDT, offset=100, limitOffset=@5)
  }
  wait(2m)
  stopOrTakeProfit(amount=5, sl=9, tp=2%)
}`)
})

test.each([
  ['wait(500ms)', 'wait(500ms)'],
  ['wait(90)', 'wait(90s)'],
  ['wait(1d)', 'wait(24h)'],
  ['wait(0)', 'wait(0s)'],
  ['market(position=-5$)', 'market(position=-5$)'],
  ['market(buy, 25%%)', 'market(buy, 25%a)'],
  ['limit(buy, 1e-8, +0)', 'limit(buy, 0.00000001, +0)'],
  ['limit(buy, 1, -1%)', 'limit(buy, 1, -1%)'],
  ['limit(position=0, at=1%)', 'limit(price=1%, position=0)'],
  ['limit(buy, 1, offset=0)', 'limit(buy, 1, offset=0)'],
  ['stop(buy, 1, @5, triggerBy=last, ro=no)', 'stopOrder(buy, 1, 5, reduceOnly=false, trigger=last)'],
  ['cancel(tag=x)', 'cancel(tagged, x)'],
  ['balance', 'balance'],
])('%s is printed as %s', (written, printed) => {
  expect(formatted(`MyBot(BTCUSDT) { ${written} }`)).toBe(`MyBot(BTCUSDT) {\n  ${printed}\n}`)
})
