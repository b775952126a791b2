import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { JournalEntry } from '@tripline/testkit/paper-control'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { waitFor } from '@tripline/testkit/wait-for'
import type { OrderPlan, Placement } from '../../src/domain/order/order.ts'
import { newId, openTrader, planOf, refOf, type Trader } from './binance-rig.ts'

const kinds = {
  futures: { base: '/binance-futures', wire: 'binance-futures', path: '/fapi/v1/order' },
  spot: { base: '/binance', wire: 'binance-spot', path: '/api/v3/order' },
} as const

let paper: TestPaper
beforeAll(async () => {
  // A look-up right after a change is compared with it: reads show it at once.
  paper = await paperExchange({ PAPER_READ_LAG_MS: '0' })
  await paper.pinPrices('BTCUSDT', { bid: '60000', ask: '60000', last: '60000', mark: '60000' })
})
afterAll(async () => await paper.stop())

describe.each(['futures', 'spot'] as const)('an order of %s over a socket', (kind) => {
  const { base, wire, path } = kinds[kind]
  const quantity = kind === 'futures' ? '0.010' : '0.01000'
  const match = { wire, path, transport: 'ws' }
  let trader: Trader
  beforeAll(async () => {
    trader = await openTrader(paper, kind, { ordersUrl: paper.url.replace('http', 'ws') + base })
    await trader.untilOrderSocket()
  })
  afterEach(async () => {
    await paper.clearFaults()
    await trader.untilOrderSocket()
  })
  afterAll(async () => await trader.close())

  /** Places an order, and reports what became of it, what the exchange received of it, and whether it is there. */
  async function placeOne(differing: Partial<OrderPlan> = {}) {
    const order = planOf({ quantity, clientOrderId: newId(), ...differing })
    const placement = await trader.place(order)
    return {
      order,
      placement,
      received: await requestsOf(order),
      found: await trader.venue.lookUp(refOf(order)),
    }
  }

  async function requestsOf({ clientOrderId }: OrderPlan): Promise<JournalEntry[]> {
    return (await paper.journal()).filter((entry) => entry.clientOrderId === clientOrderId)
  }

  test('is placed once, and read as one over HTTP is', async () => {
    const { placement, received } = await placeOne()
    expect(placement).toMatchObject({
      outcome: 'done',
      order: { status: 'filled', averagePrice: expect.stringMatching(/^60000/) },
    })
    expect(received).toMatchObject([{ transport: 'ws', outcome: 'accepted' }])
  })

  test('many at once go out, each once', async () => {
    const orders = Array.from({ length: 20 }, () =>
      planOf({ quantity: kind === 'futures' ? '0.002' : '0.00200' }),
    )
    const placements = await Promise.all(orders.map(async (order) => await trader.place(order)))
    expect(placements.map(({ outcome }) => outcome)).toEqual(orders.map(() => 'done'))
    const received = await Promise.all(orders.map(requestsOf))
    expect(received.map((entries) => entries.length)).toEqual(orders.map(() => 1))
    // Those that come when the oldest answer has been out for a second go over HTTP.
    expect(received.flat().some(({ transport }) => transport === 'ws')).toBe(true)
  })

  test('that is refused is refused by the same table', async () => {
    await paper.addFault({ match, action: 'reject', code: -1121, message: 'Invalid symbol.', count: 1 })
    const { placement, received } = await placeOne()
    expect(placement).toEqual({
      outcome: 'refused',
      code: 'E401',
      error: 'The exchange refused: Invalid symbol. (-1121)',
    })
    expect(received).toHaveLength(1)
  })

  test('that was signed by a wrong clock is signed anew', async () => {
    const message = 'Timestamp for this request is outside of the recvWindow.'
    await paper.addFault({ match, action: 'reject', code: -1021, message, count: 1 })
    const { placement, received } = await placeOne()
    expect(placement.outcome).toBe('done')
    expect(received.map(({ outcome }) => outcome)).toEqual(['rejected', 'accepted'])
  })

  test('that is withheld does not go out', async () => {
    const own = await openTrader(paper, kind, { ordersUrl: paper.url.replace('http', 'ws') + base })
    await own.untilOrderSocket()
    own.withhold()
    const order = planOf({ quantity })
    expect(await own.place(order)).toEqual({ outcome: 'withheld' })
    expect(await requestsOf(order)).toEqual([])
    await own.close()
  })

  test('that the exchange loses is unknown, and not sent again', async () => {
    await paper.addFault({ match, action: 'drop', count: 1 })
    const { placement, received, found } = await placeOne()
    expect(placement).toEqual({ outcome: 'unknown', cause: 'no answer within 4000 ms' })
    expect(received).toMatchObject([{ transport: 'ws', outcome: 'dropped' }])
    expect(found).toEqual({ outcome: 'absent' })
  }, 20_000)

  test('is unknown after a lost answer, and there once', async () => {
    await paper.addFault({ match, action: 'accept-then-drop', count: 1 })
    const { placement, received, found } = await placeOne()
    expect(placement.outcome).toBe('unknown')
    expect(received).toMatchObject([{ transport: 'ws', outcome: 'accepted' }])
    expect(found).toMatchObject({ outcome: 'found', order: { status: 'filled' } })
  }, 20_000)

  test('is done after a late answer, and there once', async () => {
    await paper.addFault({ match, action: 'accept-then-delay', ms: 700, count: 1 })
    const { placement, received } = await placeOne()
    expect(placement.outcome).toBe('done')
    expect(received).toMatchObject([{ transport: 'ws', outcome: 'accepted' }])
  })

  test('is unknown where the exchange hangs up instead, and the next one goes another way', async () => {
    await paper.addFault({ match, action: 'disconnect', count: 1 })
    const { placement, received, found } = await placeOne()
    expect(placement).toEqual({ outcome: 'unknown', cause: 'ConnectionLostError' })
    expect(received).toMatchObject([{ transport: 'ws', outcome: 'dropped' }])
    expect(found).toEqual({ outcome: 'absent' })
    const next = await placeOne()
    expect(next.placement.outcome).toBe('done')
    expect(next.received).toMatchObject([{ outcome: 'accepted' }])
  })

  test('that was taken before the connection broke is unknown, and there once', async () => {
    await paper.addFault({ match, action: 'accept-then-drop', count: 1 })
    const order = planOf({ quantity })
    const placing: Promise<Placement> = trader.place(order)
    await waitFor(async () => (await requestsOf(order)).length > 0)
    await paper.addFault({ match: { wire }, action: 'disconnect', count: 1 })
    expect((await placing).outcome).toBe('unknown')
    expect(await requestsOf(order)).toMatchObject([{ transport: 'ws', outcome: 'accepted' }])
    expect(await trader.venue.lookUp(refOf(order))).toMatchObject({ outcome: 'found' })
  }, 20_000)

  test('holds back the next entries when it is reported that they are too many', async () => {
    const own = await openTrader(paper, kind, { ordersUrl: paper.url.replace('http', 'ws') + base })
    await own.untilOrderSocket()
    const message = 'Too many new orders.'
    await paper.addFault({ match, action: 'reject', code: -1015, message, count: 1 })
    expect(await own.place(planOf({ quantity }))).toMatchObject({ outcome: 'refused', code: 'E603' })
    expect(await own.place(planOf({ quantity }))).toMatchObject({
      outcome: 'refused',
      error: expect.stringMatching(/^Not sent/),
    })
    await own.close()
  })

  test('goes over HTTP where there is no socket', async () => {
    const own = await openTrader(paper, kind, { ordersUrl: `${paper.url.replace('http', 'ws')}/nowhere` })
    const order = planOf({ quantity })
    expect(await own.place(order)).toMatchObject({ outcome: 'done' })
    expect(await requestsOf(order)).toMatchObject([{ transport: 'rest', outcome: 'accepted' }])
    await own.close()
  })
})

test('a conditional order goes over the socket too', async () => {
  const ordersUrl = `${paper.url.replace('http', 'ws')}/binance-futures`
  const trader = await openTrader(paper, 'futures', { ordersUrl })
  await trader.untilOrderSocket()
  const order = planOf({ type: 'stop', triggerPrice: '61000' })
  expect(await trader.place(order)).toMatchObject({ outcome: 'done', order: { status: 'untriggered' } })
  const received = (await paper.journal()).filter(
    ({ clientOrderId }) => clientOrderId === order.clientOrderId,
  )
  expect(received).toMatchObject([{ transport: 'ws', outcome: 'accepted' }])
  await trader.close()
})
