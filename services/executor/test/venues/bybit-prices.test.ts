import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import { openPrices } from '../../src/venue/bybit/prices/prices.ts'
import type { MarketPrices } from '../../src/venue/prices/market-prices.ts'
import { type VenueStandIn, venueStandIn } from '../corpus/venue-stand-in.ts'

const path = '/v5/public/linear'
const bookAt = (bid: number) =>
  `{"topic":"orderbook.1.BTCUSDT","type":"snapshot","data":{"b":[["${bid}","1"]],"a":[["60001","1"]]}}`
const ticker = '{"topic":"tickers.BTCUSDT","type":"delta","data":{"markPrice":"60000"}}'

let endpoint: VenueStandIn
let prices: MarketPrices
let aheadMs: number
beforeEach(async () => {
  aheadMs = 0
  const real = performance.now.bind(performance)
  jest.spyOn(performance, 'now').mockImplementation(() => real() + aheadMs)
  endpoint = await venueStandIn()
  endpoint.talk(path, (said) => (said.includes('"ping"') ? '{"op":"pong"}' : undefined))
  prices = openPrices(`${endpoint.url.replace('http', 'ws')}${path}`, 'linear', testLog('prices'))
  prices.follow('BTCUSDT')
  await waitFor(() => {
    endpoint.push(path, bookAt(59_000))
    endpoint.push(path, ticker)
    return prices.book('BTCUSDT') !== undefined && prices.mark('BTCUSDT') !== undefined
  })
  await publishBook(59_001)
})
afterEach(async () => {
  prices.stop()
  await endpoint.stop()
  jest.restoreAllMocks()
})

/** Settles once this bid is known, and with it all that was reported before. */
async function publishBook(bid: number): Promise<void> {
  await waitFor(() => {
    endpoint.push(path, bookAt(bid))
    return prices.book('BTCUSDT')?.bid === `${bid}`
  })
}

/** Lets time pass in which nothing is reported; settles once the book is reported again, on a connection that is there. */
async function pass(ms: number): Promise<void> {
  aheadMs += ms
  expect(prices.book('BTCUSDT')).toBeUndefined()
  await publishBook(59_002)
}

test('a mark that is not reported again stays, while the connection is there', async () => {
  await pass(10_000)
  expect(prices.mark('BTCUSDT')).toBe('60000')
})

test('a mark that is not reported for a minute is asked for', async () => {
  await pass(60_000)
  expect(prices.mark('BTCUSDT')).toBeUndefined()
})
