import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { isTerminal, type OrderPlan } from '../../src/domain/order/order.ts'
import type { Venue } from '../../src/venue/venue.ts'
import {
  type BybitRig,
  buildBybitRig,
  find,
  follow,
  openOrders,
  place,
  planOf,
  refOf,
  untilLive,
} from './bybit-rig.ts'

let rig: BybitRig
beforeAll(async () => {
  rig = await buildBybitRig()
})
afterAll(async () => await rig.stop())

const markets = ['linear', 'spot'] as const
type Kind = Partial<OrderPlan>

/** Orders that rest at a price of 60000, and the price at which each of them is filled. */
const resting: readonly (readonly [name: string, plan: Kind, fillsAt: number])[] = [
  ['a limit purchase', { type: 'limit', price: '59000' }, 58_900],
  ['a limit sale', { type: 'limit', side: 'sell', price: '61000' }, 61_100],
  ['a post-only purchase', { type: 'limit', price: '59000', timeInForce: 'postOnly' }, 58_900],
  ['a stop purchase', { type: 'stop', triggerPrice: '61000' }, 61_100],
  ['a stop sale', { type: 'stop', side: 'sell', triggerPrice: '59000' }, 58_900],
  ['a take-profit purchase', { type: 'takeProfit', triggerPrice: '59000' }, 58_900],
  ['a take-profit sale', { type: 'takeProfit', side: 'sell', triggerPrice: '61000' }, 61_100],
  ['a stop-limit purchase', { type: 'stopLimit', triggerPrice: '61000', price: '61500' }, 61_100],
  ['a stop-limit sale', { type: 'stopLimit', side: 'sell', triggerPrice: '59000', price: '58500' }, 58_900],
  [
    'a take-profit-limit sale',
    { type: 'takeProfitLimit', side: 'sell', triggerPrice: '61000', price: '60500' },
    61_100,
  ],
]

describe.each(markets)('on %s', (market) => {
  const venueOf = (venues: { linear: Venue; spot: Venue }): Venue => venues[market]

  test.each(['buy', 'sell'] as const)('a market order (%s) is placed and shown filled', async (side) => {
    const venue = venueOf(await rig.another())
    const plan = planOf({ side })
    const filled = await place(venue, plan)
    expect(filled).toMatchObject({
      clientOrderId: plan.clientOrderId,
      type: 'market',
      side,
      status: 'filled',
      quantity: '0.01',
      filled: '0.01',
      averagePrice: side === 'buy' ? '60000.5' : '59999.5',
      isConditional: false,
    })
    expect(filled.fee).not.toBeNull()
    expect(await find(venue, plan)).toEqual(filled)
  })

  test.each(resting)('%s rests, is listed, and is canceled once', async (_name, kind) => {
    const venue = venueOf(await rig.another())
    const plan = planOf(kind)
    const isConditional = kind.triggerPrice !== undefined
    const placed = await place(venue, plan)
    expect(placed).toMatchObject({
      type: kind.type,
      status: isConditional ? 'untriggered' : 'open',
      price: kind.price === undefined ? null : kind.price,
      triggerPrice: kind.triggerPrice === undefined ? null : kind.triggerPrice,
      isConditional,
      filled: '0',
    })
    expect(await openOrders(venue)).toEqual([await find(venue, plan)])
    expect(await venue.cancel(refOf(plan))).toMatchObject({
      outcome: 'canceled',
      order: { clientOrderId: plan.clientOrderId, status: 'canceled' },
    })
    expect(await openOrders(venue)).toEqual([])
    expect(await venue.cancel(refOf(plan))).toMatchObject({ outcome: 'gone', order: { status: 'canceled' } })
  })

  test.each(resting)('%s is filled when the market reaches it', async (_name, kind, fillsAt) => {
    const venue = venueOf(await rig.another())
    const plan = planOf(kind)
    await place(venue, plan)
    await rig.pin(fillsAt)
    const filled = await waitFor(async () => {
      const order = await find(venue, plan)
      return order.status === 'filled' && order
    })
    await rig.pin(60_000)
    expect(filled).toMatchObject({ type: kind.type, isConditional: kind.triggerPrice !== undefined })
    expect(await venue.cancel(refOf(plan))).toMatchObject({ outcome: 'gone', order: { status: 'filled' } })
  })

  test.each(['ioc', 'fok'] as const)(
    'an order that cannot be filled at once (%s) expires',
    async (timeInForce) => {
      const venue = venueOf(await rig.another())
      const order = await place(venue, planOf({ type: 'limit', price: '59000', timeInForce }))
      expect(order).toMatchObject({ status: 'expired' })
    },
  )

  test('a limit order that takes is filled at once', async () => {
    const venue = venueOf(await rig.another())
    const plan = planOf({ type: 'limit', price: '60100', timeInForce: 'ioc' })
    expect(await place(venue, plan)).toMatchObject({ status: 'filled', averagePrice: '60000.5' })
  })

  test('a post-only order that would take is refused', async () => {
    const venue = venueOf(await rig.another())
    const plan = planOf({ type: 'limit', price: '60100', timeInForce: 'postOnly' })
    expect(await venue.place(plan, () => undefined)).toMatchObject({ outcome: 'refused', code: 'E509' })
    expect(await openOrders(venue)).toEqual([])
  })

  test('a triggered order whose limit rests is canceled as the order it became', async () => {
    const venue = venueOf(await rig.another())
    const plan = planOf({ type: 'stopLimit', triggerPrice: '61000', price: '60500' })
    await place(venue, plan)
    await rig.pin(61_100)
    await waitFor(async () => (await find(venue, plan)).status === 'open')
    expect(await venue.cancel(refOf(plan))).toMatchObject({ outcome: 'canceled' })
    await rig.pin(60_000)
  })

  test('an order that never was is absent, and gone when canceled', async () => {
    const venue = venueOf(rig)
    expect(await venue.lookUp(refOf(planOf()))).toEqual({ outcome: 'absent' })
    expect(await venue.cancel(refOf(planOf()))).toEqual({ outcome: 'gone', order: undefined })
    expect(await venue.cancel(refOf(planOf({ type: 'stop' })))).toEqual({ outcome: 'gone', order: undefined })
  })

  test('an order without our id is canceled by the id the venue gave it', async () => {
    const venue = venueOf(await rig.another())
    const plan = planOf({ type: 'limit', price: '59000' })
    const { venueOrderId } = await place(venue, plan)
    const byHand = { symbol: 'BTCUSDT', clientOrderId: '', venueOrderId, isConditional: false }
    expect(await venue.cancel(byHand)).toMatchObject({ outcome: 'canceled' })
  })

  test('nothing is sent for an order that is withheld where it is signed', async () => {
    const venue = await rig.open(market, { tenure: () => undefined })
    const plan = planOf()
    expect(await venue.place(plan, () => undefined)).toEqual({ outcome: 'withheld' })
    expect(await venue.lookUp(refOf(plan))).toEqual({ outcome: 'absent' })
  })

  test('an order that the venue does not show yet is done as taken', async () => {
    const { apiKey, ...venues } = await rig.another()
    const venue = venueOf(venues)
    const fault = { match: { path: '/v5/order/', method: 'GET', apiKey }, action: 'read-lag', ms: 600_000 }
    const id = await rig.paper.armFault(fault)
    const plan = planOf({ type: 'stop', triggerPrice: '61000' })
    expect(await place(venue, plan)).toMatchObject({ status: 'untriggered', filled: '0', updatedAt: null })
    expect(await venue.cancel(refOf(plan))).toMatchObject({ outcome: 'unknown' })
    await rig.paper.removeFault(id)
    expect(await find(venue, plan)).toMatchObject({ status: 'canceled' })
  })

  test('a market order that is filled in part ends so', async () => {
    const { apiKey, ...venues } = await rig.another()
    const fault = { match: { apiKey }, action: 'partial-fill', ratio: '0.5', count: 1 }
    await rig.paper.addFault(fault)
    const order = await place(venueOf(venues), planOf())
    expect(order).toMatchObject({ status: 'expired', filled: '0.005' })
  })

  test('an order that is rejected after it was filled in part has ended in part, by answer and by stream', async () => {
    const { apiKey, ...venues } = await rig.another()
    const venue = venueOf(venues)
    const fault = { match: { apiKey }, action: 'partial-fill', ratio: '0.4', rest: 'rejected' }
    await rig.paper.addFault(fault)
    const asked = planOf({ type: 'limit', price: '60010' })
    const ended = { status: 'expired', filled: '0.004' }
    expect(await place(venue, asked)).toMatchObject(ended)
    expect(await find(venue, asked)).toMatchObject(ended)
    const { events, stop } = follow(venue)
    await untilLive(events)
    const plan = planOf()
    expect(await place(venue, plan)).toMatchObject(ended)
    await waitFor(() => events.some((event) => event.kind === 'order' && isTerminal(event.order)))
    expect(events.at(-1)).toMatchObject({ kind: 'order', order: ended })
    stop()
    await rig.paper.clearFaults()
  })

  test('a conditional order that fails at its trigger is rejected', async () => {
    const { apiKey, ...venues } = await rig.another()
    const venue = venueOf(venues)
    const plan = planOf({ type: 'stop', triggerPrice: '61000' })
    await place(venue, plan)
    await rig.paper.addFault({ match: { apiKey }, action: 'reject-at-trigger', count: 1 })
    await rig.pin(61_100)
    const order = await waitFor(async () => {
      const found = await find(venue, plan)
      return isTerminal(found) && found
    })
    await rig.pin(60_000)
    expect(order).toMatchObject({ status: 'rejected', filled: '0' })
  })

  test('it is reported when the order is on the wire', async () => {
    const venue = venueOf(await rig.another())
    let sent = 0
    await venue.place(planOf(), () => sent++)
    expect(sent).toBe(1)
  })

  test('more open orders than one page holds are all listed', async () => {
    const venue = venueOf(await rig.another())
    const plans = Array.from({ length: 55 }, () =>
      planOf({ type: 'limit', price: '57000', quantity: '0.001' }),
    )
    for (const plan of plans) await place(venue, plan)
    const listed = (await openOrders(venue)).map(({ clientOrderId }) => clientOrderId)
    expect(new Set(listed)).toEqual(new Set(plans.map(({ clientOrderId }) => clientOrderId)))
  })
})

describe('on linear only', () => {
  test.each(['last', 'mark', 'index'] as const)('a stop watches the %s price', async (trigger) => {
    const { linear } = await rig.another()
    const plan = planOf({ type: 'stop', triggerPrice: '61000', trigger })
    await place(linear, plan)
    const still = { bid: '59999.5', ask: '60000.5', last: '60000', mark: '60000', index: '60000' }
    await rig.paper.pinPrices('BTCUSDT', { ...still, [trigger]: '61100' })
    await waitFor(async () => (await find(linear, plan)).status === 'filled')
    await rig.pin(60_000)
  })

  test('a reduce-only order closes the position, and no more', async () => {
    const { linear } = await rig.another()
    await place(linear, planOf())
    const close = planOf({ side: 'sell', quantity: '0.02', reduceOnly: true })
    expect(await place(linear, close)).toMatchObject({ filled: '0.01' })
    expect(await linear.read('BTCUSDT')).toMatchObject({ account: { position: '0' } })
  })
})

describe('on spot only', () => {
  test('a purchase by value spends the amount it names', async () => {
    const { spot } = await rig.another({ USDT: '1000' })
    const order = await place(spot, planOf({ quantity: '0', quoteQuantity: '600' }))
    expect(order.status).toBe('filled')
    expect(order.quantity).toBe(order.filled)
    expect(order).toMatchObject({ filled: '0.009999', averagePrice: '60000.5' })
  })
})
