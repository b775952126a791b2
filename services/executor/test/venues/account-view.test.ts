import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { add } from '@tripline/proto/decimal'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { waitFor } from '@tripline/testkit/wait-for'
import type { AccountReading } from '../../src/domain/account/account.ts'
import { newId, openTrader, refOf, type Trader } from './binance-rig.ts'
import { readingsOf } from './readings.ts'

const symbol = 'BTCUSDT'
const at = (price: string) => ({ bid: price, ask: price, last: price, mark: price, index: price })

let paper: TestPaper
let trader: Trader
beforeAll(async () => {
  paper = await paperExchange()
})
beforeEach(async () => {
  await paper.pinPrices(symbol, at('60000'))
  trader = await openTrader(paper, 'futures', { hasRoom: true })
})
afterEach(async () => {
  await paper.clearFaults()
  await trader.close()
})
afterAll(async () => await paper.stop())

const { read, timesAsked, known, position } = readingsOf(
  () => ({ venue: trader.venue, asked: trader.asked() }),
  ['/fapi/v3/'],
)

describe('an account that was read once', () => {
  test('is known from then on: position, entry, and its value', async () => {
    await trader.placed({ quantity: '0.05' })
    await read('position')
    expect(await known()).toMatchObject({ position: '0.05', equity: null, available: null })
    await paper.pinPrices(symbol, at('61000'))
    const worth = ({ entryPrice, equity, unrealizedPnl, mark }: AccountReading) => ({
      entryPrice,
      equity,
      unrealizedPnl,
      mark,
    })
    // A mark is reported a moment after it changed.
    await waitFor(async () => {
      const [viewed, asked] = [await known('equity'), await read()]
      expect(worth(viewed)).toEqual(worth(asked))
      return asked.mark === '61000'
    })
  })

  test('is never older than our last order, whether it was asked for or not', async () => {
    await known()
    let held = '0'
    for (let order = 1; order <= 30; order++) {
      const side = order % 3 === 0 ? 'sell' : 'buy'
      await trader.placed({ side, quantity: '0.010' })
      held = add(held, side === 'buy' ? '0.01' : '-0.01')
      expect((await read('position')).position).toBe(held)
    }
    expect((await known()).position).toBe(held)
  })

  test('lists its open orders as its last order and cancel left them', async () => {
    const listed = async (): Promise<number> => {
      const open = await trader.venue.openOrders(symbol)
      return open.outcome === 'read' ? open.orders.length : -1
    }
    for (let turn = 1; turn <= 5; turn++) {
      const plan = { clientOrderId: newId(), type: 'limit', price: '59000' } as const
      await trader.placed(plan)
      expect(await listed()).toBe(1)
      await trader.venue.cancel(refOf(plan))
      expect(await listed()).toBe(0)
    }
  })

  test('is never older than an order of another client of the same account', async () => {
    const other = await trader.another('same')
    await known()
    for (let held = '0.01'; held !== '0.11'; held = add(held, '0.01')) {
      await other.placed({ quantity: '0.010' })
      expect((await read('position')).position).toBe(held)
    }
  })

  test('shows trades by hand', async () => {
    const hand = await trader.another('own')
    await known()
    await hand.placed({ quantity: '0.020' })
    await position('0.02')
    expect((await known()).position).toBe('0.02')
  })

  test('is read where everything is asked for', async () => {
    await known()
    const before = timesAsked()
    expect(await read('all')).toMatchObject({ available: expect.any(String) })
    expect(timesAsked()).toBeGreaterThan(before)
  })

  test('reports both sides of a position in hedge mode', async () => {
    await trader.venue.changeSettings(symbol, { positionMode: 'hedge' })
    await trader.placed({ positionSide: 'long', quantity: '0.030' })
    await trader.placed({ positionSide: 'short', side: 'sell', quantity: '0.010' })
    await read('position')
    expect(await known()).toMatchObject({
      position: '0.02',
      hedged: { long: { quantity: '0.03' }, short: { quantity: '-0.01' } },
    })
  })

  test('follows settings that were changed by hand while nothing is held', async () => {
    const hand = await trader.another('own')
    expect(await known()).toMatchObject({ settings: { leverage: '20' } })
    await hand.venue.changeSettings(symbol, { leverage: '7' })
    await waitFor(async () => (await read('position')).settings?.leverage === '7')
  })

  test('has the right equity with positions elsewhere', async () => {
    await paper.pinPrices('ETHUSDT', at('3000'))
    await trader.placed({ symbol: 'ETHUSDT', quantity: '1.000' })
    await read('equity')
    await paper.pinPrices('ETHUSDT', at('2900'))
    await waitFor(async () => {
      const [viewed, asked] = [await known('equity'), await read()]
      return viewed.equity === asked.equity
    })
  })
})

describe('an account is read again', () => {
  test('where its stream looks alive and does not report our order', async () => {
    await known()
    await paper.addFault({ match: { apiKey: trader.apiKey }, action: 'silent-stream' })
    // The order's own answer may wait for the stream for as long as it takes to read the account.
    const before = timesAsked()
    await trader.placed({ quantity: '0.020' })
    expect((await read('position')).position).toBe('0.02')
    expect(timesAsked()).toBeGreaterThan(before)
  })

  test('where its stream was cut', async () => {
    const hand = await trader.another('own')
    await known()
    const before = timesAsked()
    await paper.addFault({ match: { apiKey: trader.apiKey }, action: 'disconnect', count: 1 })
    await waitFor(() => timesAsked() > before)
    await hand.placed({ quantity: '0.020' })
    await position('0.02')
    expect((await known()).position).toBe('0.02')
  })

  test('where a new client of it begins', async () => {
    await trader.placed({ quantity: '0.020' })
    await known()
    const other = await trader.another('own')
    expect(await other.venue.read(symbol, { scope: 'position' })).toMatchObject({
      outcome: 'read',
      account: { position: '0.02' },
    })
    expect(other.asked().some((path) => path.includes('/fapi/v3/account'))).toBe(true)
  })
})

test('an account is known of no more once its client has ended', async () => {
  await known()
  await trader.close()
  trader = await openTrader(paper, 'futures', { hasRoom: true })
  expect((await read('position')).position).toBe('0')
})
