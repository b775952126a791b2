import { describe, expect, test } from '@jest/globals'
import { btcusdt, btcusdtSpot, commandsOf, oneAtATime } from '../../../test/btcusdt.ts'
import type { Market } from '../order/market.ts'
import { checkBlock } from './check.ts'

const check = (text: string, market: Market) =>
  checkBlock(commandsOf(text), { symbol: 'BTCUSDT', market, meant: undefined })

describe('before anything runs it is said that', () => {
  test.each([
    ['market(buy, 0.01, reduceOnly=yes)', 'E404', 'reduceOnly'],
    ['market(buy, 0.01, positionSide=long)', 'E405', 'positionSide=long'],
    ['stop(sell, 0.01, 58000, trigger=mark)', 'E404', 'trigger=mark'],
    ['sltp(side=sell, amount=1, sl=58000, tp=62000, tpTrigger=mark)', 'E404', 'trigger=mark'],
    ['exchangeSettings(leverage=2)', 'E404', 'leverage'],
    ['exchangeSettings(marginMode=cross)', 'E404', 'marginMode'],
    ['exchangeSettings(positionMode=hedge)', 'E404', 'positionMode'],
    ['oco { limit(sell, 1, 62000); stop(sell, 1, 58000); stop(sell, 1, 57000) }', 'E404', 'pairs'],
    ['oco { stop(sell, 100%, 58000); limit(sell, 50%, 62000) }', 'E404', 'a pair of a stop and a limit'],
    ['oco { stop(sell, 1, 58000); stop(sell, 1, 57000) }', 'E404', 'a pair of a stop and a limit'],
    ['oco { limit(sell, 1, 61000); limit(sell, 1, 62000) }', 'E404', 'a pair of a stop and a limit'],
    ['oco { stop(sell, 1, 58000); limit(buy, 1, 57000) }', 'E404', 'a pair of a stop and a limit'],
    ['limit(sell, 1, e1%)', 'E404', 'a price from the entry'],
    ['stop(sell, 1, e1%)', 'E404', 'a price from the entry'],
    ['stop(sell, 1, 58000, limitPrice=e1%)', 'E404', 'a price from the entry'],
    ['sltp(side=sell, amount=1, sl=58000, tp=e2%)', 'E404', 'a price from the entry'],
    ['oco { stop(sell, 100%, 58000); limit(sell, 100%, e2%) }', 'E404', 'a price from the entry'],
  ])('spot has no %s', (text, code, said) => {
    expect(check(`balance; ${text}`, btcusdtSpot)).toEqual([
      { code, command: 1, message: expect.stringContaining(said) },
    ])
  })

  test.each([
    ['oco(onPartial=keep) { limit(sell, 1, 62000); stop(sell, 1, 58000) }', 'onPartial=keep'],
    ['oco { limit(sell, 1, 62000, postOnly=yes); stop(sell, 1, 58000) }', 'postOnly'],
    ['oco { limit(sell, 1, 62000); stop(sell, 1, 58000); stop(sell, 1, 57000) }', 'of 3 orders'],
  ])('where the exchange has one order of a pair at a time it cannot do %s', (text, said) => {
    expect(check(text, oneAtATime)).toEqual([
      { code: 'E404', command: 0, message: expect.stringContaining(said) },
    ])
    const pair = 'oco { limit(sell, 1, 62000); stop(sell, 1, 58000) }'
    expect(check(pair, oneAtATime)).toEqual([])
  })

  test.each([
    'limit(sell, 0.01 ETH, 62000)',
    'market(sell, 5 DOGE)',
    'market(position=10BTCC)',
    'oco { stop(sell, 1 ETH, 58000); limit(sell, 1 ETH, 62000) }',
  ])('an amount is in a coin that the market does not trade: %s', (text) => {
    for (const market of [btcusdt, btcusdtSpot])
      expect(check(`market(buy, 10 USDT); ${text}`, market)).toMatchObject([
        { code: 'E303', command: 1, message: expect.stringMatching(/is no coin of BTCUSDT$/) },
      ])
  })

  test('a leverage is above that of the symbol', () => {
    expect(check('exchangeSettings(leverage=126)', btcusdt)).toMatchObject([{ code: 'E310' }])
  })

  test('the most an order may be is no setting of the exchange', () => {
    expect(check('exchangeSettings(maxOrderSize=1)', btcusdt)).toMatchObject([{ code: 'E404' }])
  })
})

test('a pair whose sizes are the same, or known only when they are resolved, runs on spot', () => {
  for (const amounts of [
    ['1', '1.0'],
    ['100%', '100%p'],
    ['1', '60000$'],
  ]) {
    const pair = `oco { stop(sell, ${amounts[0]}, 58000); limit(sell, ${amounts[1]}, 62000) }`
    expect(check(pair, btcusdtSpot)).toEqual([])
  }
})

test.each(['market(buy, 1)', 'limit(buy, 1, 59000)', 'stop(sell, 1, 58000)', 'cancel', 'wait(1)', 'balance'])(
  '%s runs everywhere',
  (text) => {
    expect([...check(text, btcusdt), ...check(text, btcusdtSpot)]).toEqual([])
  },
)
