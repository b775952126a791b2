import { expect, test } from '@jest/globals'
import { balanceOf, positionIn } from '../src/domain/account.ts'
import { createExchange } from '../src/exchange.ts'
import { createLedger } from '../src/store/ledger.ts'
import { createQuotes } from '../src/store/quotes.ts'
import { forgetful } from '../src/store/state-file.ts'
import { around, expectSound, marketIn, newVenue, order, placed, totals, usdt } from './core-rig.ts'

const HOUR = 3_600_000
const PRICES = { ...around(60_000), mark: usdt(60_000) }
const funds = () => new Map([['USDT', usdt(100_000)]])
const BTC = marketIn('binance-futures').id

/** A venue with a long and a short position of 0.01 BTC at a mark of 60,000, on Binance and on Bybit. */
function openPosition() {
  const exchange = newVenue()
  exchange.pin('BTCUSDT', PRICES, 1)
  const [long, short] = [exchange.open(funds(), 1), exchange.open(funds(), 1)]
  placed(exchange, long, order('binance-futures'))
  placed(exchange, short, order('bybit-linear', { side: 'sell' }))
  return { exchange, long, short, before: totals(exchange) }
}

const wallet = (entry: ReturnType<typeof openPosition>['long']) => balanceOf(entry.account, 'USDT')

test('longs pay shorts at 0, 8 and 16 o’clock, once, and nothing is lost by it', () => {
  const { exchange, long, short, before } = openPosition()
  const [paying, paid] = [wallet(long), wallet(short)]
  exchange.fund(8 * HOUR - 1)
  expect([wallet(long), wallet(short)]).toEqual([paying, paid])
  exchange.fund(8 * HOUR)
  exchange.fund(8 * HOUR + 1)
  // 0.01 % of 600.
  expect([wallet(long), wallet(short)]).toEqual([paying - 6_000_000n, paid + 6_000_000n])
  exchange.fund(24 * HOUR)
  expect([wallet(long), wallet(short)]).toEqual([paying - 18_000_000n, paid + 18_000_000n])
  expect(long.fundings.map(({ paid: amount }) => amount)).toEqual([6_000_000n, 6_000_000n, 6_000_000n])
  expect(positionIn(long.account, BTC).quantity).toBe(10n)
  expect(totals(exchange)).toEqual(before)
  expectSound(exchange)
})

test('a rate below zero has shorts pay longs, in the markets of its symbol alone', () => {
  const { exchange, long, short } = openPosition()
  const [got, pays] = [wallet(long), wallet(short)]
  exchange.setFundingRate('ETHUSDT', 100_000n, 2)
  exchange.setFundingRate('BTCUSDT', -50_000n, 2)
  exchange.fund(8 * HOUR)
  expect([wallet(long), wallet(short)]).toEqual([got + 30_000_000n, pays - 30_000_000n])
})

test('an isolated position pays from its own margin, and nobody more than there is', () => {
  const exchange = newVenue()
  exchange.pin('BTCUSDT', PRICES, 1)
  const isolated = exchange.open(funds(), 1)
  exchange.setMarginMode(isolated, BTC, 'isolated', 1)
  placed(exchange, isolated, order('binance-futures'))
  const { margin } = positionIn(isolated.account, BTC)
  exchange.fund(8 * HOUR)
  expect(positionIn(isolated.account, BTC).margin).toBe(margin - 6_000_000n)
  exchange.setFundingRate('BTCUSDT', 10_000_000n, 2)
  for (let time = 16; time < 16_000; time += 8) exchange.fund(time * HOUR)
  expect(wallet(isolated)).toBe(0n)
})

test('a funding that could not be written when it was due is paid once it can be', () => {
  let isFull = false
  const ready = () => {
    if (isFull) throw new Error('the disk is full')
  }
  const exchange = createExchange(createLedger(), createQuotes({}), { ...forgetful.writer, ready })
  exchange.pin('BTCUSDT', PRICES, 1)
  const long = exchange.open(funds(), 1)
  placed(exchange, long, order('binance-futures'))
  isFull = true
  expect(() => exchange.fund(8 * HOUR)).toThrow('is full')
  isFull = false
  exchange.fund(8 * HOUR + 1)
  expect(long.fundings.map(({ paid }) => paid)).toEqual([6_000_000n])
})
