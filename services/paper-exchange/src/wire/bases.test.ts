import { expect, test } from '@jest/globals'
import { routeOf } from './bases.ts'

test.each([
  ['/fapi/v1/order', 'binance-futures', '/fapi/v1/order'],
  ['/binance-futures/fapi/v1/order', 'binance-futures', '/fapi/v1/order'],
  ['/binance-futures/sapi/v1/margin/allPairs', 'binance-futures', '/sapi/v1/margin/allPairs'],
  ['/binance/sapi/v1/margin/allPairs', 'binance-spot', '/sapi/v1/margin/allPairs'],
  ['/sapi/v1/margin/allPairs', 'binance-spot', '/sapi/v1/margin/allPairs'],
  ['/api/v3/order', 'binance-spot', '/api/v3/order'],
  ['/binance/ws-api/v3', 'binance-spot', '/ws-api/v3'],
  ['/ws-fapi/v1', 'binance-futures', '/ws-fapi/v1'],
  ['/private/ws', 'binance-futures', '/private/ws'],
  ['/ws/btcusdt@bookTicker', 'binance-spot', '/ws/btcusdt@bookTicker'],
  ['/binance-futures/ws/btcusdt@bookTicker', 'binance-futures', '/ws/btcusdt@bookTicker'],
  ['/binance-futures/stream', 'binance-futures', '/stream'],
  ['/bybit/v5/private', 'bybit', '/v5/private'],
  ['/v5/order/create', 'bybit', '/v5/order/create'],
])('%s leads to %s at %s', (path, wire, served) => {
  expect(routeOf(path, 'localhost:8090')).toEqual({ wire, path: served })
})

test.each([
  '/binance/fapi/v1/order',
  '/bybit/fapi/v1/order',
  '/control/journal',
  '/',
  '',
  '*',
  '/binance-futures',
  '/toString',
  '/binance/constructor',
  'http://localhost/fapi/v1/order',
])('%s leads nowhere', (path) => {
  expect(routeOf(path, undefined)).toBeUndefined()
})

test('public streams at the root go by the name of the host', () => {
  expect(routeOf('/stream', 'fstream.paper.test:8090')?.wire).toBe('binance-futures')
  expect(routeOf('/stream', 'stream.paper.test')?.wire).toBe('binance-spot')
  expect(routeOf('/ws', undefined)?.wire).toBe('binance-spot')
})
