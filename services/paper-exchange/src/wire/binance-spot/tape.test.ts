import { expect, test } from '@jest/globals'
import { findMarket } from '../../domain/market.ts'
import type { Exchange, VenueEvent } from '../../exchange.ts'
import { createTape, gathered } from './tape.ts'

const MINUTE = 60_000
const START = 1_800_000_000_000

const market = findMarket('binance-spot', 'BTCUSDT')
if (!market) throw new Error('no market')

function tapeOf(events: readonly VenueEvent[]) {
  const listeners: ((event: VenueEvent) => void)[] = []
  const subscribe: Exchange['subscribe'] = (listener) => {
    listeners.push(listener)
    return () => {}
  }
  const tape = createTape({ subscribe })
  for (const event of events) for (const listener of listeners) listener(event)
  return tape
}

const trade = (id: number, price: bigint, quantity: bigint, at: number): VenueEvent => ({
  kind: 'trade',
  market,
  price,
  quantity,
  takerSide: 'buy',
  id,
  at,
})

test('trades of a minute are one candle', () => {
  const tape = tapeOf([
    trade(1, 100n, 3n, START),
    trade(2, 120n, 1n, START + 10),
    trade(3, 90n, 2n, START + 20),
    trade(4, 95n, 1n, START + MINUTE),
  ])
  expect(tape.minutes(market.id)).toMatchObject([
    { from: START, open: 100n, high: 120n, low: 90n, close: 90n, volume: 6n, count: 3 },
    { from: START + MINUTE, open: 95n, close: 95n, volume: 1n, count: 1 },
  ])
  expect(tape.trades(market.id)).toHaveLength(4)
})

test('minutes are gathered into longer candles that lose nothing', () => {
  const events = Array.from({ length: 10 }, (_, step) =>
    trade(step, 100n + BigInt(step), 1n, START + step * MINUTE),
  )
  const candles = gathered(tapeOf(events).minutes(market.id), 5 * MINUTE)
  expect(candles).toMatchObject([
    { from: START, open: 100n, close: 104n, volume: 5n },
    { from: START + 5 * MINUTE, open: 105n, close: 109n, high: 109n, low: 105n, count: 5 },
  ])
})

test('the oldest trades are forgotten', () => {
  const tape = tapeOf(Array.from({ length: 1_200 }, (_, id) => trade(id, 100n, 1n, START)))
  expect(tape.trades(market.id)).toHaveLength(1_000)
  expect(tape.trades(market.id)[0]?.id).toBe(200)
})
