import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { add, isLess } from '@tripline/proto/decimal'
import { waitFor } from '@tripline/testkit/wait-for'
import type { AccountReading } from '../../src/domain/account/account.ts'
import { openBybitLinear } from '../../src/venue/bybit/linear.ts'
import { openBybitSpot } from '../../src/venue/bybit/spot.ts'
import type { OpenedVenue, VenueOptions } from '../../src/venue/venue.ts'
import { type BybitRig, buildBybitRig, openOrders, place, planOf, refOf } from './bybit-rig.ts'
import { readingsOf } from './readings.ts'
import { recordedConnections } from './recorded-connections.ts'

const symbol = 'BTCUSDT'

let rig: BybitRig
let account: Account
beforeAll(async () => {
  rig = await buildBybitRig()
})
beforeEach(async () => {
  await rig.pin(60_000)
  account = await openAccount()
})
afterEach(async () => {
  await rig.paper.clearFaults()
  await account.close()
})
afterAll(async () => await rig.stop())

/** A client of a new account, and what was asked over its connections. */
interface Account {
  venue: OpenedVenue['venue']
  options: VenueOptions
  asked: readonly string[]
  /** Another client of it, in linear markets or on spot, on these connections or on others. */
  another: (open: typeof openBybitLinear, on?: Partial<VenueOptions>) => Promise<OpenedVenue['venue']>
  end: () => void
  close: () => Promise<void>
}

async function openAccount(): Promise<Account> {
  const { connections, sent } = recordedConnections()
  const credentials = await rig.paper.openAccount({ USDT: '100000', BTC: '1' })
  const options = { ...rig.options, connections, credentials }
  const opened = [await openBybitLinear(options)]
  const end = (): void => {
    for (const { stop } of opened) stop?.()
  }
  return {
    venue: opened[0]?.venue ?? rig.linear,
    options,
    asked: sent,
    another: async (open, on = {}) => {
      const other = await open({ ...options, ...on })
      opened.push(other)
      return other.venue
    },
    end,
    close: async () => {
      end()
      await connections.close()
    },
  }
}

/** A client of the same account as if it was somebody else's: its orders are reported by the stream alone. */
async function byHand(): Promise<OpenedVenue['venue']> {
  return await account.another(openBybitLinear, { connections: rig.connections })
}

const { read, timesAsked, known, position } = readingsOf(() => account, ['wallet-balance', 'position/list'])

/** Returns the account by memory and by the exchange's answer, once both are of the same prices. */
async function knownAndAsked(): Promise<[viewed: AccountReading, asked: AccountReading]> {
  return await waitFor(async () => {
    const [viewed, asked] = [await known('equity'), await read()]
    return viewed.equity === asked.equity && [viewed, asked]
  })
}

describe('an account that was read once', () => {
  test('lists its open orders as its last order and cancel left them', async () => {
    for (let turn = 1; turn <= 5; turn++) {
      const plan = planOf({ type: 'limit', price: '59000' })
      await place(account.venue, plan)
      expect(await openOrders(account.venue)).toHaveLength(1)
      await account.venue.cancel(refOf(plan))
      expect(await openOrders(account.venue)).toHaveLength(0)
    }
  })

  test('is known from then on: position, entry, and its value', async () => {
    await place(account.venue, planOf({ quantity: '0.05' }))
    await read('position')
    expect(await known()).toMatchObject({ position: '0.05', equity: null, available: null })
    await rig.pin(61_000)
    const [viewed, asked] = await waitFor(async () => {
      const both = await knownAndAsked()
      return both[0].mark === '61000' && both
    })
    expect(viewed.entryPrice).toBe(asked.entryPrice)
    expect(viewed.unrealizedPnl).toBe(asked.unrealizedPnl)
  })

  test('is never older than our last order, whether it was asked for or not', async () => {
    await known()
    let held = '0'
    for (let order = 1; order <= 20; order++) {
      const side = order % 3 === 0 ? 'sell' : 'buy'
      await place(account.venue, planOf({ side }))
      held = add(held, side === 'buy' ? '0.01' : '-0.01')
      expect((await read('position')).position).toBe(held)
    }
    expect((await known()).position).toBe(held)
  })

  test('is never older than an order of another client of the same account', async () => {
    const other = await account.another(openBybitLinear)
    await known()
    for (let held = '0.01'; held !== '0.11'; held = add(held, '0.01')) {
      await place(other, planOf())
      expect((await read('position')).position).toBe(held)
    }
  })

  test('shows trades by hand, and closed positions', async () => {
    const hand = await byHand()
    await known()
    await place(hand, planOf({ quantity: '0.02' }))
    await position('0.02')
    expect(await known()).toMatchObject({ position: '0.02' })
    await place(hand, planOf({ side: 'sell', quantity: '0.02', reduceOnly: true }))
    await position('0')
    expect(await known()).toMatchObject({ position: '0', entryPrice: null })
  })

  test('is known while orders are placed and canceled that take nothing', async () => {
    await known()
    await waitFor(async () => {
      const plan = planOf({ type: 'limit', price: '50000' })
      await place(account.venue, plan)
      const { clientOrderId } = plan
      await account.venue.cancel({ symbol, clientOrderId, isConditional: false })
      const before = timesAsked()
      expect(await read('position')).toMatchObject({ position: '0' })
      return timesAsked() === before
    })
  })

  test('is read where everything is asked for', async () => {
    await known()
    const before = timesAsked()
    expect(await read('all')).toMatchObject({ available: expect.any(String) })
    expect(timesAsked()).toBeGreaterThan(before)
  })

  test('reports both sides of a position in hedge mode', async () => {
    await account.venue.changeSettings(symbol, { positionMode: 'hedge' })
    await place(account.venue, planOf({ positionSide: 'long', quantity: '0.03' }))
    await place(account.venue, planOf({ positionSide: 'short', side: 'sell', quantity: '0.02' }))
    await known()
    await place(account.venue, planOf({ positionSide: 'long', quantity: '0.01' }))
    const closing = { positionSide: 'short', side: 'buy', quantity: '0.01', reduceOnly: true } as const
    await place(account.venue, planOf(closing))
    expect(await known()).toMatchObject({
      position: '0.03',
      hedged: { long: { quantity: '0.04' }, short: { quantity: '-0.01' } },
    })
  })

  test('follows settings that were changed by hand while nothing is held', async () => {
    const hand = await byHand()
    expect(await known()).toMatchObject({ settings: { leverage: '10' } })
    expect(await hand.changeSettings(symbol, { leverage: '7' })).toMatchObject({ outcome: 'changed' })
    await waitFor(async () => (await read('position')).settings?.leverage === '7')
    expect(await hand.changeSettings(symbol, { positionMode: 'hedge' })).toMatchObject({ outcome: 'changed' })
    const isHedge = async () => (await read('position')).settings?.positionMode === 'hedge'
    // The stream does not report it while nothing is held: settings are read anew within a minute.
    await waitFor(isHedge, { deadlineMs: 90_000 })
  })

  test('has the right equity with positions elsewhere', async () => {
    const at = { bid: '3000', ask: '3000.2', last: '3000', index: '3000' }
    await rig.paper.pinPrices('ETHUSDT', { ...at, mark: '3000' })
    await place(account.venue, planOf({ symbol: 'ETHUSDT', quantity: '1' }))
    await read('equity')
    // Somebody's prices move all the time, and show that the connection reports them.
    await account.venue.read('SOLUSDT', { scope: 'position' })
    await rig.paper.pinPrices('ETHUSDT', { ...at, mark: '2900' })
    await waitFor(async () => isLess((await knownAndAsked())[0].equity ?? '', '99900'))
  })

  test('has the right equity after it traded on spot', async () => {
    const spot = await account.another(openBybitSpot)
    for (let order = 0; order < 3; order++) {
      await known('equity')
      await place(spot, planOf({ quantity: '0.01' }))
      const [viewed, asked] = [await read('equity'), await read()]
      expect(viewed.equity).toBe(asked.equity)
    }
  })
})

describe('an account is read again', () => {
  test('where its stream looks alive and does not report our order', async () => {
    await known()
    const { apiKey } = account.options.credentials
    await rig.paper.addFault({ match: { path: '/v5/private', apiKey }, action: 'silent-stream' })
    await place(account.venue, planOf({ quantity: '0.02' }))
    const before = timesAsked()
    expect(await read('position')).toMatchObject({ position: '0.02' })
    expect(timesAsked()).toBeGreaterThan(before)
  })

  test('where its stream was cut', async () => {
    const hand = await byHand()
    await known()
    const before = timesAsked()
    const { apiKey } = account.options.credentials
    await rig.paper.addFault({ match: { path: '/v5/private', apiKey }, action: 'disconnect', count: 1 })
    await waitFor(() => timesAsked() > before)
    await place(hand, planOf({ quantity: '0.02' }))
    await position('0.02')
    expect(await known()).toMatchObject({ position: '0.02' })
  })

  test('where its stream reports everything twice, or in another order, until it was reported', async () => {
    await known()
    const { apiKey } = account.options.credentials
    for (const action of ['duplicate-events', 'reorder-events'] as const) {
      await rig.paper.addFault({ match: { transport: 'ws', apiKey }, action })
      const held = add((await read()).position, '0.01')
      await place(account.venue, planOf())
      expect((await read('position')).position).toBe(held)
      expect((await known()).position).toBe(held)
    }
  })

  test('where a new client of it begins', async () => {
    await place(account.venue, planOf({ quantity: '0.02' }))
    await known()
    const before = timesAsked()
    const other = await account.another(openBybitLinear)
    expect(await other.read(symbol, { scope: 'position' })).toMatchObject({
      outcome: 'read',
      account: { position: '0.02' },
    })
    expect(timesAsked()).toBeGreaterThan(before)
  })
})

test('prices are asked for where their stream is not there', async () => {
  const venue = await account.another(openBybitLinear, { pricesUrl: undefined })
  const tickers = (): number => account.asked.filter((path) => path.includes('market/tickers')).length
  for (let times = 1; times <= 3; times++) {
    await venue.read(symbol, { scope: 'position' })
    expect(tickers()).toBe(times)
  }
})

test('an account is known of no more once its client has ended', async () => {
  await known()
  account.end()
  const before = timesAsked()
  await read('position')
  expect(timesAsked()).toBeGreaterThan(before)
})
