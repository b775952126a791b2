import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { waitFor } from '@tripline/testkit/wait-for'
import type { OrderPlan, OrderRef } from '../../src/domain/order/order.ts'
import { newId, openTrader, refOf, type Trader } from './binance-rig.ts'

let paper: TestPaper
let trader: Trader
beforeAll(async () => {
  // A look-up right after a change is compared with it: reads show it at once.
  paper = await paperExchange({ PAPER_READ_LAG_MS: '0' })
  await paper.pinPrices('BTCUSDT', { bid: '60000', ask: '60000', last: '60000', mark: '60000' })
  await paper.pinPrices(eth, { bid: '3000', ask: '3000', last: '3000', mark: '3000' })
  trader = await openTrader(paper, 'futures')
})
afterEach(async () => await paper.clearFaults())
afterAll(async () => {
  await trader.close()
  await paper.stop()
})

const symbol = 'BTCUSDT'
const eth = 'ETHUSDT'

/** Returns the requests during an act, by their paths alone. */
async function asking(by: Trader, act: () => Promise<unknown>): Promise<string[]> {
  const before = by.asked().length
  await act()
  return by
    .asked()
    .slice(before)
    .map((path) => path.replace(/^\/binance-futures|\?.*/g, ''))
}

describe('the mean price, which POST and DELETE do not report,', () => {
  test('is asked for once where there is no stream', async () => {
    const asked = await asking(trader, async () => {
      expect(await trader.placed({})).toMatchObject({ status: 'filled', averagePrice: '60000' })
    })
    expect(asked).toEqual(['/fapi/v1/order', '/fapi/v1/order'])
  })

  test('is taken from the stream, and not asked for, where there is one', async () => {
    const own = await openTrader(paper, 'futures')
    await own.follow()
    const asked = await asking(own, async () => {
      expect(await own.placed({})).toMatchObject({ status: 'filled', averagePrice: '60000' })
      expect(await own.placed({ symbol: eth })).toMatchObject({
        status: 'filled',
        averagePrice: '3000',
      })
    })
    expect(asked).toEqual(['/fapi/v1/order', '/fapi/v1/order'])
    await own.close()
  })

  test('is asked for no more once the account has placed an order, which opens its stream', async () => {
    const own = await openTrader(paper, 'futures', { hasRoom: true })
    await waitFor(async () => {
      const asked = await asking(own, async () => {
        expect(await own.placed({})).toMatchObject({ averagePrice: expect.stringMatching(/^60000/) })
      })
      return asked.length === 1
    })
    await own.close()
  })

  test('is asked for by nobody where nothing is filled', async () => {
    const plan = { clientOrderId: newId(), type: 'limit', price: '59000', timeInForce: 'gtc' } as const
    const asked = await asking(trader, async () => {
      await trader.placed(plan)
      expect(await trader.venue.cancel(refOf(plan))).toMatchObject({ outcome: 'canceled' })
    })
    expect(asked).toEqual(['/fapi/v1/order', '/fapi/v1/order'])
  })

  test('is missing where it cannot be asked for, and the order is done all the same', async () => {
    await paper.addFault({ match: { method: 'GET', path: '/fapi/v1/order' }, action: 'status', status: 500 })
    expect(await trader.place({})).toMatchObject({
      outcome: 'done',
      order: { status: 'filled', filled: '0.01', averagePrice: null },
    })
  })
})

describe('an order whose id has 19 digits', () => {
  const longId = /^8389766\d{12}$/

  test('is placed, found, listed and canceled by that id', async () => {
    const { venue } = trader
    const limit = { symbol: eth, type: 'limit', price: '2900', timeInForce: 'gtc' } as const
    const { venueOrderId, clientOrderId } = await trader.placed(limit)
    expect(venueOrderId).toMatch(longId)
    const ref: OrderRef = { symbol: eth, clientOrderId, venueOrderId, isConditional: false }
    const seen = { venueOrderId, clientOrderId, type: 'limit', status: 'open', quantity: '0.01' }
    expect(await venue.lookUp(ref)).toMatchObject({
      outcome: 'found',
      order: { ...seen, updatedAt: expect.any(Number) },
    })
    expect(await venue.openOrders(eth)).toMatchObject({ outcome: 'read', orders: [seen] })
    expect(await venue.cancel(ref)).toMatchObject({ outcome: 'canceled', order: { venueOrderId } })
    expect(await venue.lookUp(ref)).toMatchObject({ order: { status: 'canceled' } })
  })

  test('reports its cost', async () => {
    const { clientOrderId } = await trader.placed({ symbol: eth })
    const ref = { symbol: eth, clientOrderId, isConditional: false }
    expect(await trader.venue.lookUp(ref)).toMatchObject({ order: { fee: { coin: 'USDT' } } })
  })

  test('comes over the socket for orders as it is', async () => {
    const own = await openTrader(paper, 'futures', { ordersUrl: `${paper.url.replace('http', 'ws')}` })
    await own.place({})
    await own.untilOrderSocket()
    const { venueOrderId, clientOrderId } = await own.placed({
      symbol: eth,
      type: 'limit',
      price: '2900',
      timeInForce: 'gtc',
    })
    expect(venueOrderId).toMatch(longId)
    const ref = { symbol: eth, clientOrderId, venueOrderId, isConditional: false }
    expect(await own.venue.cancel(ref)).toMatchObject({ outcome: 'canceled' })
    await own.close()
  })
})

describe('a conditional order that the venue denies when it is asked for', () => {
  const stop = { type: 'stop', side: 'sell', triggerPrice: '58000', trigger: 'last' } as const
  const placed = async (plan: Partial<OrderPlan> = stop): Promise<OrderRef> => {
    const { clientOrderId, venueOrderId } = await trader.placed(plan)
    return { symbol, clientOrderId, venueOrderId, isConditional: true }
  }
  const deny = async (path: string) =>
    await paper.addFault({ match: { method: 'GET', path }, action: 'reject', code: -2013 })

  test('is found among the open ones', async () => {
    const ref = await placed()
    await deny('/fapi/v1/algoOrder')
    const { venueOrderId } = ref
    expect(await trader.venue.lookUp(ref)).toMatchObject({
      outcome: 'found',
      order: { venueOrderId, status: 'untriggered', type: 'stop' },
    })
    expect(await trader.venue.lookUp({ ...ref, clientOrderId: newId(), venueOrderId: '1' })).toEqual({
      outcome: 'absent',
    })
    await trader.venue.cancel(ref)
  })

  test('is canceled where its DELETE says so, and found among all that ended', async () => {
    const ref = await placed()
    await deny('/fapi/v1/algoOrder')
    expect(await trader.venue.cancel(ref)).toMatchObject({
      outcome: 'canceled',
      order: { venueOrderId: ref.venueOrderId, status: 'canceled' },
    })
    expect(await trader.venue.lookUp(ref)).toMatchObject({ order: { status: 'canceled', type: 'stop' } })
  })

  test('is canceled where its DELETE says so and nothing shows it since', async () => {
    const ref = await placed()
    for (const path of ['/fapi/v1/algoOrder', '/fapi/v1/openAlgoOrders', '/fapi/v1/allAlgoOrders'])
      await deny(path)
    expect(await trader.venue.cancel(ref)).toEqual({ outcome: 'canceled', order: undefined })
  })

  test('is found as the order it became, by its own name', async () => {
    await trader.placed({ quantity: '0.020' })
    const ref = await placed({ ...stop, triggerPrice: '59000', quantity: '0.010' })
    await paper.pinPrices(symbol, { bid: '58900', ask: '58900', last: '58900', mark: '58900' })
    for (const path of ['/fapi/v1/algoOrder', '/fapi/v1/openAlgoOrders', '/fapi/v1/allAlgoOrders'])
      await deny(path)
    expect(await trader.venue.lookUp(ref)).toMatchObject({
      outcome: 'found',
      order: {
        venueOrderId: ref.venueOrderId,
        clientOrderId: ref.clientOrderId,
        isConditional: true,
        status: 'filled',
        filled: '0.01',
      },
    })
  })
})

test('a margin mode that is so already is not sent, since the venue says that something is in the way', async () => {
  const own = await openTrader(paper, 'futures')
  await paper.addFault({ match: { path: '/fapi/v1/marginType' }, action: 'reject', code: -4067 })
  const asked = await asking(own, async () => {
    expect(await own.venue.changeSettings(symbol, { marginMode: 'cross', leverage: '20' })).toMatchObject({
      outcome: 'unchanged',
    })
  })
  expect(asked.sort()).toEqual(['/fapi/v1/accountConfig', '/fapi/v1/symbolConfig'])
  expect(await own.venue.changeSettings(symbol, { marginMode: 'isolated' })).toMatchObject({
    outcome: 'refused',
    code: 'E405',
  })
  await own.close()
})

test('an order that the matching engine found too late is signed anew, once', async () => {
  await paper.addFault({
    match: { method: 'POST', path: '/fapi/v1/order' },
    action: 'reject',
    code: -5028,
    count: 1,
  })
  expect(await trader.place({})).toMatchObject({ outcome: 'done' })
})

describe.each(['futures', 'spot'] as const)(
  'an order of %s that the venue denies when it is asked for by its name',
  (market) => {
    const path = market === 'futures' ? '/fapi/v1/order' : '/api/v3/order'

    test.each([
      ['that rests', { type: 'limit', price: '30000', timeInForce: 'gtc' }, 'open'],
      ['that is filled', {}, 'filled'],
    ] as const)('%s is found elsewhere, where it is looked for there', async (_name, plan, status) => {
      const own = await openTrader(paper, market)
      const { clientOrderId } = await own.placed(plan)
      const ref = { symbol, clientOrderId, isConditional: false }
      await paper.addFault({ match: { method: 'GET', path }, action: 'reject', code: -2013 })
      expect(await own.venue.lookUp(ref)).toMatchObject({ outcome: 'absent' })
      await waitFor(async () => {
        const looked = await own.venue.lookUp(ref, 'everywhere')
        return looked.outcome === 'found' && looked.order.status === status
      })
      const none = { ...ref, clientOrderId: newId() }
      // A trade may show before its order is listed: then nothing is said to be absent.
      await waitFor(async () => {
        const looked = await own.venue.lookUp(none, 'everywhere')
        return looked.outcome === 'absent' && looked.depth === 'everywhere'
      })
      await own.close()
    })
  },
)

test('an absence is reported with how long the private stream has reported everything, and an order that it reported is found', async () => {
  const own = await openTrader(paper, 'futures')
  const ref = { symbol, clientOrderId: newId(), isConditional: false }
  expect((await own.venue.lookUp(ref, 'everywhere')) as object).not.toHaveProperty('stream.liveSince')
  await own.follow()
  await waitFor(async () => {
    const absence = await own.venue.lookUp(ref, 'everywhere')
    return absence.outcome === 'absent' && absence.stream?.verifiedUntil !== undefined
  })
  const { clientOrderId } = await own.placed({})
  await waitFor(async () => (await own.venue.lookUp({ ...ref, clientOrderId })).outcome === 'found')
  await paper.addFault({
    match: { method: 'GET', path: '/fapi/v1/order' },
    action: 'reject',
    code: -2013,
  })
  await waitFor(async () => {
    const looked = await own.venue.lookUp({ ...ref, clientOrderId })
    return looked.outcome === 'found' && looked.order.status === 'filled'
  })
  await own.close()
})
