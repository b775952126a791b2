import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { testLog } from '@tripline/testkit/log'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { futuresDialect, spotDialect } from '../../src/venue/binance/endpoint.ts'
import { openBinanceFutures } from '../../src/venue/binance/futures.ts'
import { openBinanceSpot } from '../../src/venue/binance/spot.ts'
import { bybitDialect } from '../../src/venue/bybit/endpoint.ts'
import { openBybitLinear } from '../../src/venue/bybit/linear.ts'
import { endpointAt } from '../../src/venue/endpoint.ts'
import type { Venue, VenueOptions } from '../../src/venue/venue.ts'
import { heldForEver } from '../held.ts'
import { newId, planOf, refOf } from './binance-rig.ts'
import { type RecordedConnections, recordedConnections } from './recorded-connections.ts'

const symbol = 'BTCUSDT'

let paper: TestPaper
let recorded: RecordedConnections
let stops: ((() => void) | undefined)[]
beforeAll(async () => {
  paper = await paperExchange()
  await paper.pinPrices(symbol, { bid: '60000', ask: '60000', last: '60000', mark: '60000' })
})
beforeEach(() => {
  recorded = recordedConnections()
  stops = []
})
afterEach(async () => {
  for (const stop of stops) stop?.()
  await recorded.connections.close()
  await paper.clearFaults()
})
afterAll(async () => await paper.stop())

/** Returns options for a client of a new account. */
async function optionsAt(base: string): Promise<VenueOptions> {
  return {
    baseUrl: paper.url + base,
    streamUrl: paper.url.replace('http', 'ws') + base,
    credentials: await paper.openAccount({ USDT: '100000', BTC: '1' }),
    connections: recorded.connections,
    parent: undefined,
    tenure: heldForEver,
    log: testLog('venue'),
  }
}

const resting = () =>
  planOf({ clientOrderId: newId(), type: 'limit', price: '59000', timeInForce: 'gtc', quantity: '0.010' })

/** Asks and cancels all there is, as whoever has to get out would. */
async function tryAll(venue: Venue, plan: ReturnType<typeof resting>): Promise<string[]> {
  stops.push(venue.follow?.(() => undefined))
  const answers = [
    await venue.cancel(refOf(plan)),
    await venue.lookUp(refOf(plan)),
    await venue.read(symbol, { isUrgent: true }),
    await venue.openOrders(symbol, true),
    await venue.place(planOf({ side: 'sell', reduceOnly: true }), () => undefined),
  ]
  // Requests on their way leave before this.
  await new Promise((resolve) => setImmediate(resolve))
  return answers.map(({ outcome }) => outcome)
}

test.each([
  ['spot', openBinanceSpot, '/binance', spotDialect],
  ['USDⓈ-M', openBinanceFutures, '/binance-futures', futuresDialect],
] as const)(
  'row 14: Binance %s receives nothing from an address that it has banned',
  async (_name, open, base, dialect) => {
    const options = await optionsAt(base)
    const { client: parent } = await open(options)
    const { venue, stop } = await open({ ...options, parent })
    stops.push(stop)
    const plan = resting()
    expect(await venue.place(plan, () => undefined)).toMatchObject({ outcome: 'done' })
    const match = { apiKey: options.credentials.apiKey, method: 'POST' }
    await paper.addFault({ match, action: 'status', status: 418, retryAfterS: 600, count: 1 })
    expect(await venue.place(resting(), () => undefined)).toMatchObject({ outcome: 'refused', code: 'E603' })
    recorded.sent.length = 0
    expect(await tryAll(venue, plan)).toEqual([
      'heldBack',
      'unreachable',
      'unreachable',
      'unreachable',
      'refused',
    ])
    await (await endpointAt(options.connections, options.baseUrl, dialect)).measureClock()
    expect(recorded.sent).toEqual([])
  },
)

test('row 14: Bybit receives nothing from an address that it has banned', async () => {
  const options = await optionsAt('/bybit')
  const { venue, stop } = await openBybitLinear(options)
  stops.push(stop)
  const plan = resting()
  expect(await venue.place(plan, () => undefined)).toMatchObject({ outcome: 'done' })
  await paper.addFault({ match: { path: '/v5/order/create' }, action: 'status', status: 403, count: 1 })
  expect(await venue.place(resting(), () => undefined)).toMatchObject({ outcome: 'refused', code: 'E603' })
  recorded.sent.length = 0
  expect(await tryAll(venue, plan)).toEqual(['refused', 'unreachable', 'refused', 'refused', 'refused'])
  await (await endpointAt(options.connections, options.baseUrl, bybitDialect)).measureClock()
  expect(recorded.sent).toEqual([])
})

test.each([
  ['Binance', openBinanceFutures, '/binance-futures', '/fapi/v1/time', 418],
  ['Bybit', openBybitLinear, '/bybit', '/v5/market/time', 403],
] as const)(
  'row 14: %s that has banned us before a client is open is left alone',
  async (_name, open, base, path, status) => {
    const options = await optionsAt(base)
    await paper.addFault({ match: { path }, action: 'status', status, retryAfterS: 600, count: 1 })
    await expect(open(options)).rejects.toThrow()
    recorded.sent.length = 0
    await expect(open(options)).rejects.toThrow()
    expect(recorded.sent).toEqual([])
  },
)
