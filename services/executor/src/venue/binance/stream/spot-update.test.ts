import { expect, test } from '@jest/globals'
import { readSpotUpdate } from './spot-update.ts'

const coins = { base: 'ETH', quote: 'BTC' }
const report = {
  e: 'executionReport',
  s: 'ETHBTC',
  c: 'own',
  C: '',
  S: 'BUY',
  o: 'LIMIT',
  x: 'NEW',
  X: 'NEW',
  i: 4293153,
  q: '1.00000000',
  p: '0.10264410',
  P: '0.00000000',
  z: '0.00000000',
  Z: '0.00000000',
  l: '0.00000000',
  Y: '0.00000000',
  t: -1,
  n: '0',
  N: null,
  w: true,
  T: 1499405658657,
}
const changeOf = (differing: object) => {
  const { traded, locks } = readSpotUpdate({ ...report, ...differing }, (symbol) =>
    symbol === 'ETHBTC' ? coins : undefined,
  )
  return { traded, locks }
}
const trade = { x: 'TRADE', X: 'PARTIALLY_FILLED', l: '0.4', Y: '0.04', z: '0.4', Z: '0.04' }

test('an execution changes both coins of its market, and the coin of its fee', () => {
  const side = 'both'
  expect(changeOf({ ...trade, n: '0.0004', N: 'ETH' })).toEqual({
    traded: {
      symbol: 'ETH',
      side,
      change: '0.4',
      at: report.T,
      besides: [
        { symbol: 'BTC', side, change: '-0.04' },
        { symbol: 'ETH', side, change: '-0.0004' },
      ],
    },
  })
  expect(changeOf({ ...trade, S: 'SELL', n: '0.003', N: 'BNB' }).traded).toMatchObject({
    change: '-0.4',
    besides: [
      { symbol: 'BTC', change: '0.04' },
      { symbol: 'BNB', change: '-0.003' },
    ],
  })
  expect(changeOf(trade).traded?.besides).toEqual([{ symbol: 'BTC', side, change: '-0.04' }])
})

test('any other event of an order may change the locked amount of the coin that it gives', () => {
  expect(changeOf({})).toEqual({ locks: { symbol: 'BTC', at: report.T } })
  expect(changeOf({ S: 'SELL', x: 'CANCELED', X: 'CANCELED' })).toEqual({
    locks: { symbol: 'ETH', at: report.T },
  })
})

test('an execution of nothing changes the locked amount, as any other event', () => {
  const nothing = { x: 'TRADE', X: 'PARTIALLY_FILLED', z: '0.4', Z: '0.04', n: '0', N: 'ETH', t: 7 }
  expect(changeOf(nothing)).toEqual({ locks: { symbol: 'BTC', at: report.T } })
})

test.each([
  ['that was rejected', { x: 'REJECTED', X: 'REJECTED' }],
  ['that waits for another one of its list', { X: 'PENDING_NEW' }],
  ['of a market that is not known', { ...trade, s: 'NEWBTC' }],
])('an event of an order %s names nothing that changed', (_case, differing) => {
  expect(changeOf(differing)).toEqual({})
})
