import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { steadyNow } from '@tripline/kit/time/clock'
import { testLog } from '@tripline/testkit/log'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { waitFor } from '@tripline/testkit/wait-for'
import { Agent } from 'undici'
import type { SettingsChange } from '../../src/domain/account/account.ts'
import type { Tenure } from '../../src/domain/sharing/lease.ts'
import { openBinanceFutures } from '../../src/venue/binance/futures.ts'
import { openBinanceSpot } from '../../src/venue/binance/spot.ts'
import { openBybitLinear } from '../../src/venue/bybit/linear.ts'
import { openBybitSpot } from '../../src/venue/bybit/spot.ts'
import { openConnections, type VenueConnections } from '../../src/venue/connections.ts'
import type { OpenedVenue, VenueOptions } from '../../src/venue/venue.ts'
import { planOf, refOf } from './binance-rig.ts'

const symbol = 'BTCUSDT'
const markets = {
  'Binance futures': { open: openBinanceFutures, base: '/binance-futures', ordersPath: '/fapi/v1/order' },
  'Binance spot': { open: openBinanceSpot, base: '/binance', ordersPath: '/api/v3/order' },
  'Bybit linear': { open: openBybitLinear, base: '/bybit', ordersPath: '/v5/order/create' },
  'Bybit spot': { open: openBybitSpot, base: '/bybit', ordersPath: '/v5/order/create' },
} as const
const listPaths = {
  'Binance futures': '/fapi/v1/openAlgoOrders',
  'Binance spot': '/api/v3/openOrders',
  'Bybit linear': '/v5/order/realtime',
  'Bybit spot': '/v5/order/realtime',
}
const names = Object.keys(markets) as (keyof typeof markets)[]
// The number by which each venue blames a clock.
const clockRefusals = {
  'Binance futures': -1021,
  'Binance spot': -1021,
  'Bybit linear': 10002,
  'Bybit spot': -1,
}

let paper: TestPaper
let connections: VenueConnections
let tenure: () => Tenure | undefined
const opened: OpenedVenue[] = []

beforeAll(async () => {
  paper = await paperExchange()
  connections = openConnections()
  await paper.pinPrices(symbol, { bid: '60000', ask: '60000', last: '60000', mark: '60000' })
})
afterEach(async () => {
  for (const { stop } of opened.splice(0)) stop?.()
  await paper.clearFaults()
})
afterAll(async () => {
  await connections.close()
  await paper.stop()
})

const held = (provenAt = Number.POSITIVE_INFINITY, since = 0) => {
  tenure = () => ({ since, provenAt })
}

/** A client of a new account, whose lease is as the test has it. */
async function openAt(name: keyof typeof markets, on = connections) {
  const { open, base } = markets[name]
  const credentials = await paper.openAccount({ USDT: '100000', BTC: '1' })
  const options: VenueOptions = {
    baseUrl: paper.url + base,
    streamUrl: paper.url.replace('http', 'ws') + base,
    credentials,
    connections: on,
    parent: undefined,
    tenure: () => tenure(),
    log: testLog('venue'),
  }
  const one = await open(options)
  opened.push(one)
  const before = (await paper.journal()).length
  const changes = async () => (await paper.journal()).slice(before).map(({ outcome }) => outcome)
  return { venue: one.venue, changes }
}

const resting = () => planOf({ type: 'limit', price: '59000', timeInForce: 'gtc' })
describe('a client whose lease is not held', () => {
  test.each(names)('changes nothing at %s', async (name) => {
    held()
    const { venue, changes } = await openAt(name)
    const limit = resting()
    const stop = planOf({ type: 'stop', side: 'sell', triggerPrice: '58000', trigger: 'last' })
    for (const plan of [limit, stop])
      expect(await venue.place(plan, () => undefined)).toMatchObject({ outcome: 'done' })
    const before = await changes()
    tenure = () => undefined
    expect(await venue.place(planOf({}), () => undefined)).toEqual({ outcome: 'withheld' })
    for (const plan of [limit, stop]) expect(await venue.cancel(refOf(plan))).toEqual({ outcome: 'withheld' })
    const pair = [planOf({ ...limit, side: 'sell', price: '62000' }), planOf(stop)] as const
    const placed = await venue.placeOco?.(pair, () => undefined)
    expect(placed ?? []).toEqual(
      placed === undefined ? [] : [{ outcome: 'withheld' }, { outcome: 'withheld' }],
    )
    if (venue.market(symbol)?.kind === 'linear') {
      const all: SettingsChange[] = [{ leverage: '7' }, { marginMode: 'isolated' }, { positionMode: 'hedge' }]
      for (const change of all)
        expect(await venue.changeSettings(symbol, change)).toEqual({ outcome: 'withheld' })
    }
    expect(await changes()).toEqual(before)
    expect(await venue.openOrders(symbol)).toMatchObject({ outcome: 'read', orders: [{}, {}] })
  })
})

/** The only connection to the exchange, and what was asked over it. */
function oneConnection(): VenueConnections & { asked: readonly string[] } {
  const { dispatcher: _many, close, ...rest } = openConnections()
  const agent = new Agent({ connections: 1, pipelining: 1 })
  const asked: string[] = []
  const dispatcher = agent.compose((dispatch) => (options, handler) => {
    asked.push(options.path)
    return dispatch(options, handler)
  })
  return {
    ...rest,
    dispatcher,
    asked,
    close: async () => {
      await agent.destroy()
      await close()
    },
  }
}

describe('an order that waits for a connection', () => {
  test.each(names)('is withheld at %s once the lease is over', async (name) => {
    held()
    const one = oneConnection()
    const { venue, changes } = await openAt(name, one)
    const { ordersPath, base } = markets[name]
    const listPath = listPaths[name]
    const fault = await paper.armFault({
      match: { method: 'GET', path: listPath },
      action: 'delay',
      ms: 60_000,
    })
    const listing = venue.openOrders(symbol)
    await waitFor(() => one.asked.some((path) => path.startsWith(base + listPath)))
    const placing = venue.place(planOf({}), () => undefined)
    await waitFor(() => one.asked.some((path) => path.startsWith(base + ordersPath)))
    tenure = () => undefined
    await paper.removeFault(fault)
    expect(await placing).toEqual({ outcome: 'withheld' })
    await listing
    expect(await changes()).toEqual([])
    await one.close()
  })

  test.each(names)('is not sent at %s where none becomes free in time, and known not to be', async (name) => {
    held()
    const one = oneConnection()
    const { venue, changes } = await openAt(name, one)
    const { base } = markets[name]
    const listPath = listPaths[name]
    const match = { method: 'GET', path: listPath }
    const fault = await paper.armFault({ match, action: 'delay', ms: 60_000 })
    const listing = venue.openOrders(symbol)
    await waitFor(() => one.asked.some((path) => path.startsWith(base + listPath)))
    const reason = 'Not sent: no connection to the exchange became free within 4000 ms'
    const placement = await venue.place(planOf({}), () => undefined)
    expect(placement).toEqual({ outcome: 'refused', code: 'E603', error: reason })
    await paper.removeFault(fault)
    await listing
    expect(await changes()).toEqual([])
    await one.close()
  })
})

test.each(names)('an order at %s is not canceled by a list from before the lease', async (name) => {
  held(Number.POSITIVE_INFINITY, 1000)
  const { venue } = await openAt(name)
  const plan = resting()
  await venue.place(plan, () => undefined)
  expect(await venue.cancel(refOf(plan), 999)).toEqual({ outcome: 'withheld' })
  expect(await venue.cancel(refOf(plan), 1000)).toMatchObject({ outcome: 'canceled' })
})

describe('after a refusal for its clock', () => {
  test.each(names)('an order at %s is signed anew by a lease that was renewed since', async (name) => {
    const { venue, changes } = await openAt(name)
    const match = { method: 'POST', path: markets[name].ordersPath }
    await paper.addFault({ match, action: 'reject', code: clockRefusals[name], message: 'outside', count: 1 })
    const claimedAt = steadyNow()
    let asked = 0
    // Asked when the order is signed and when it is written, once more behind the refusal, and then it is renewed.
    tenure = () => ({ since: 0, provenAt: ++asked > 3 ? steadyNow() : claimedAt })
    expect(await venue.place(planOf({}), () => undefined)).toMatchObject({ outcome: 'done' })
    expect(asked).toBeGreaterThan(3)
    expect(await changes()).toEqual(['rejected', 'accepted'])
  })

  test.each(names)('an order at %s is withheld as long as there is no renewal', async (name) => {
    held(steadyNow())
    const { venue, changes } = await openAt(name)
    const match = { method: 'POST', path: markets[name].ordersPath }
    await paper.addFault({ match, action: 'reject', code: clockRefusals[name], message: 'outside', count: 1 })
    expect(await venue.place(planOf({}), () => undefined)).toEqual({ outcome: 'withheld' })
    expect(await changes()).toEqual(['rejected'])
    held(steadyNow())
    expect(await venue.place(planOf({}), () => undefined)).toMatchObject({ outcome: 'done' })
  })
})

test.each(['Binance futures', 'Bybit linear'] as const)(
  'a request that stands still between its moment and the lease is signed anew for %s, and the lease asked anew',
  async (name) => {
    const { venue, changes } = await openAt(name)
    let asked = 0
    tenure = () => {
      asked++
      // The second time it is asked right before the order is written.
      if (asked === 2) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3100)
      return { since: 0, provenAt: steadyNow() }
    }
    expect(await venue.place(planOf({}), () => undefined)).toMatchObject({ outcome: 'done' })
    expect(asked).toBeGreaterThan(2)
    expect(await changes()).toEqual(['accepted'])
  },
)

test.each(['Binance futures', 'Bybit linear'] as const)(
  'nothing is signed for %s once its clock leapt beside ours, until a renewal',
  async (name) => {
    const own = openConnections()
    held(steadyNow())
    const { venue, changes } = await openAt(name, own)
    await paper.addFault({
      match: { path: markets[name].base === '/bybit' ? '/v5/' : '/fapi/' },
      action: 'clock-skew',
      ms: 60_000,
    })
    // A read that is refused for its clock has it measured, and is asked anew.
    expect(await venue.read(symbol)).toMatchObject({ outcome: 'read' })
    expect(await venue.place(planOf({}), () => undefined)).toEqual({ outcome: 'withheld' })
    expect(await changes()).toEqual([])
    held(steadyNow())
    expect(await venue.place(planOf({}), () => undefined)).toMatchObject({ outcome: 'done' })
    await own.close()
  },
)
