import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { ClientOrderId } from '@tripline/proto/id'
import { testLog } from '@tripline/testkit/log'
import type { PinnedPrices } from '@tripline/testkit/paper-control'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { waitFor } from '@tripline/testkit/wait-for'
import type { OrderPlan, OrderRef } from '../../src/domain/order/order.ts'
import { isConditional } from '../../src/domain/order/order.ts'
import { openCcxtVenue } from '../../src/venue/ccxt/open-venue.ts'
import { openConnections, type VenueConnections } from '../../src/venue/connections.ts'
import { okxDialect } from '../../src/venue/okx/dialect.ts'
import type { OpenedVenue, Venue, VenueOptions } from '../../src/venue/venue.ts'
import { heldForEver } from '../held.ts'

let paper: TestPaper
let connections: VenueConnections
let options: VenueOptions
let linear: Venue
let spot: Venue

const open = async (kind: 'linear' | 'spot', more: Partial<VenueOptions> = {}): Promise<OpenedVenue> =>
  await openCcxtVenue({ ...options, ...more }, okxDialect(kind))

beforeAll(async () => {
  paper = await paperExchange()
  connections = openConnections()
  const credentials = { ...(await paper.openAccount({ USDT: '100000', BTC: '1' })), passphrase: 'paper' }
  options = {
    baseUrl: `${paper.url}/okx`,
    streamUrl: '',
    network: 'testnet',
    ...{ credentials, connections, parent: undefined, tenure: heldForEver, log: testLog('executor') },
  }
  linear = (await open('linear')).venue
  spot = (await open('spot')).venue
})
afterAll(async () => {
  await connections.close()
  await paper.stop()
})
const pin = async (price: number): Promise<void> => {
  const prices: PinnedPrices = {
    bid: `${price - 0.5}`,
    ask: `${price + 0.5}`,
    last: `${price}`,
    mark: `${price}`,
  }
  await paper.pinPrices('BTCUSDT', { ...prices, index: `${price}` })
}
beforeEach(async () => {
  await paper.clearFaults()
  await pin(60_000)
})

let planned = 0

function planOf(differing: Partial<OrderPlan> = {}): OrderPlan {
  planned++
  return {
    // As long as the name of an order with a tag.
    clientOrderId: `t01ARZ3NDEKTSV4RRFFQ69G5FAV${`${planned}`.padStart(5, '0')}0ABC` as ClientOrderId,
    ...{ symbol: 'BTCUSDT', type: 'market', side: 'buy', quantity: '0.01', reduceOnly: false },
    ...{ positionSide: 'both', sizing: '' },
    ...differing,
  } as OrderPlan
}

const refOf = (plan: OrderPlan): OrderRef => ({
  ...{ symbol: plan.symbol, clientOrderId: plan.clientOrderId, isConditional: isConditional(plan) },
})

async function place(venue: Venue, plan: OrderPlan) {
  return await venue.place(plan, () => undefined)
}

const placements = async (plan: OrderPlan): Promise<number> =>
  (await paper.journal()).filter(
    ({ op, clientOrderId }) => op === 'place' && clientOrderId === plan.clientOrderId.slice(0, 32),
  ).length

test('a market is in coins, whatever its contracts are', () => {
  expect(linear.market('BTCUSDT')).toMatchObject({
    ...{ kind: 'linear', base: 'BTC', quote: 'USDT', quantityStep: '0.0001', minQuantity: '0.0001' },
    ...{ priceTick: '0.1', maxQuantity: '120', limitLot: { maxQuantity: '1000' }, maxLeverage: '100' },
  })
  expect(spot.market('BTCUSDT')).toMatchObject({
    kind: 'spot',
    quantityStep: '0.000001',
    minQuantity: '0.00001',
  })
  expect(spot.market('BTC-USDT')).toBeUndefined()
})

describe.each(['linear', 'spot'] as const)('%s', (kind) => {
  const venue = (): Venue => (kind === 'linear' ? linear : spot)

  test('a market order is filled, in coins and under our whole name', async () => {
    const plan = planOf()
    const placed = await place(venue(), plan)
    expect(placed).toMatchObject({
      outcome: 'done',
      order: {
        ...{ clientOrderId: plan.clientOrderId, status: 'filled', quantity: '0.01', filled: '0.01' },
        ...{ averagePrice: '60000.5', price: null, type: 'market' },
      },
    })
    expect(placed).toHaveProperty('order.fee.coin', kind === 'linear' ? 'USDT' : 'BTC')
  })

  test('a limit order rests, is listed and canceled', async () => {
    const plan = planOf({ type: 'limit', price: '59000' })
    expect(await place(venue(), plan)).toMatchObject({
      outcome: 'done',
      order: { status: 'open', price: '59000' },
    })
    await waitFor(async () => {
      const read = await venue().openOrders('BTCUSDT')
      return (
        read.outcome === 'read' && read.orders.some((order) => order.clientOrderId === plan.clientOrderId)
      )
    })
    expect(await venue().cancel(refOf(plan))).toMatchObject({
      outcome: 'canceled',
      order: { status: 'canceled' },
    })
    expect(await venue().cancel(refOf(plan))).toMatchObject({
      outcome: 'gone',
      order: { status: 'canceled' },
    })
  })

  test('a stop waits, and becomes an order under its name', async () => {
    const plan = planOf({
      type: 'stop',
      side: 'sell',
      triggerPrice: '59000',
      trigger: kind === 'spot' ? 'last' : 'mark',
    })
    expect(await place(venue(), plan)).toMatchObject({
      outcome: 'done',
      order: {
        status: 'untriggered',
        type: 'stop',
        triggerPrice: '59000',
        quantity: '0.01',
        isConditional: true,
      },
    })
    await pin(58_999)
    const found = await waitFor(async () => {
      const looked = await venue().lookUp(refOf(plan))
      return looked.outcome === 'found' && looked.order.status === 'filled' && looked
    })
    expect(found.order).toMatchObject({ clientOrderId: plan.clientOrderId, type: 'stop', filled: '0.01' })
  })

  test('a limit that a stop became is canceled', async () => {
    const plan = planOf({ type: 'stopLimit', side: 'sell', triggerPrice: '59000', price: '59500' })
    await place(venue(), plan)
    await pin(58_999)
    await waitFor(async () => {
      const looked = await venue().lookUp(refOf(plan))
      return looked.outcome === 'found' && looked.order.status === 'open'
    })
    expect(await venue().cancel(refOf(plan))).toMatchObject({ outcome: 'canceled' })
  })

  test('more orders than a list holds are all listed', async () => {
    const credentials = { ...(await paper.openAccount({ USDT: '100000' })), passphrase: 'paper' }
    const { venue: crowded } = await open(kind, { credentials })
    const plans = Array.from({ length: 101 }, () =>
      planOf({ type: 'limit', price: '59000', quantity: '0.001' }),
    )
    await Promise.all(plans.map(async (plan) => await place(crowded, plan)))
    const listed = await crowded.openOrders('BTCUSDT')
    expect(listed).toMatchObject({ outcome: 'read', orders: { length: 101 } })
  })

  test('a post-only order that would take is refused', async () => {
    const plan = planOf({ type: 'limit', price: '61000', timeInForce: 'postOnly' })
    expect(await place(venue(), plan)).toMatchObject({ outcome: 'refused', code: 'E509' })
  })

  test('the rest of an IOC expires', async () => {
    const plan = planOf({ type: 'limit', price: '59000', timeInForce: 'ioc' })
    expect(await place(venue(), plan)).toMatchObject({
      outcome: 'done',
      order: { status: 'expired', filled: '0' },
    })
  })

  test('a lost answer leaves the outcome open, and the order is found by its name', async () => {
    const plan = planOf()
    await paper.addFault({
      action: 'accept-then-drop',
      match: { wire: 'okx', path: '/api/v5/trade/order', method: 'POST' },
    })
    expect(await place(venue(), plan)).toMatchObject({ outcome: 'unknown' })
    await paper.clearFaults()
    const found = await waitFor(async () => {
      const looked = await venue().lookUp(refOf(plan))
      return looked.outcome === 'found' && looked
    })
    expect(found.order).toMatchObject({ status: 'filled', clientOrderId: plan.clientOrderId })
    expect(await placements(plan)).toBe(1)
  })

  test('a name is taken while its order is open', async () => {
    const plan = planOf({ type: 'limit', price: '59000' })
    await place(venue(), plan)
    expect(await place(venue(), plan)).toMatchObject({ outcome: 'unknown', isThere: true })
    const stop = planOf({ type: 'stop', side: 'sell', triggerPrice: '58000' })
    await place(venue(), stop)
    expect(await place(venue(), stop)).toMatchObject({ outcome: 'unknown', isThere: true })
    for (const one of [plan, stop]) await venue().cancel(refOf(one))
  })

  test('an order that never was is absent everywhere', async () => {
    for (const type of ['limit', 'stop'] as const) {
      const ref = refOf(planOf({ type }))
      expect(await venue().lookUp(ref, 'everywhere')).toEqual({ outcome: 'absent', depth: 'everywhere' })
    }
  })

  test('an ended order is found in the lists where its name shows nothing', async () => {
    const plan = planOf()
    await place(venue(), plan)
    // Lists show it some ms later than its answer; each time its name alone shows nothing.
    await waitFor(async () => {
      await paper.addFault({
        ...{ action: 'reject', code: 51603, message: 'Order does not exist.', count: 1 },
        match: { wire: 'okx', path: '/api/v5/trade/order', method: 'GET' },
      })
      return (await venue().lookUp(refOf(plan), 'everywhere')).outcome === 'found'
    })
  })

  test.each([
    [500, 'unknown'],
    [429, 'unknown'],
  ])('with status %s the outcome is %s', async (status, outcome) => {
    await paper.addFault({ action: 'status', status, match: { wire: 'okx', method: 'POST' } })
    expect(await place(venue(), planOf())).toMatchObject({ outcome })
  })

  test('nothing is sent without the lease', async () => {
    const { venue: without } = await open(kind, { tenure: () => undefined })
    const plan = planOf()
    expect(await place(without, plan)).toEqual({ outcome: 'withheld' })
    expect(await placements(plan)).toBe(0)
  })

  test.each([
    ['passphrase', { passphrase: 'wrong' }],
    ['secret', { secret: 'wrong' }],
    ['key', { apiKey: 'wrong' }],
  ])('a wrong %s is refused, and suspected', async (_name, wrong) => {
    let suspicions = 0
    const { venue: refused } = await open(kind, {
      credentials: { ...options.credentials, ...wrong },
      onKeyRefused: () => void suspicions++,
    })
    expect(await place(refused, planOf())).toMatchObject({ outcome: 'refused', code: 'E406' })
    expect(await refused.read('BTCUSDT')).toMatchObject({ outcome: 'refused', code: 'E406' })
    expect(suspicions).toBeGreaterThan(1)
  })
})

describe('the account is of both markets', () => {
  test('orders and positions of one are not stated of the other', async () => {
    const credentials = { ...(await paper.openAccount({ USDT: '100000', BTC: '1' })), passphrase: 'paper' }
    const [onSwaps, onSpot] = await Promise.all([
      open('linear', { credentials }),
      open('spot', { credentials }),
    ])
    for (const { venue } of [onSwaps, onSpot]) {
      await place(venue, planOf({ type: 'limit', price: '59000' }))
      await place(venue, planOf({ type: 'stop', side: 'sell', triggerPrice: '58000', trigger: 'last' }))
    }
    for (const { venue } of [onSwaps, onSpot])
      expect(await venue.statement()).toMatchObject({ outcome: 'read', statement: { orders: { length: 2 } } })
  })

  test('a request too many pauses its own account alone', async () => {
    const credentials = { ...(await paper.openAccount({ USDT: '100000' })), passphrase: 'paper' }
    const { venue: other } = await open('linear', { credentials })
    await paper.addFault({
      ...{ action: 'reject', code: 50011, message: 'Rate limit reached.', count: 1 },
      match: { wire: 'okx', method: 'POST', apiKey: credentials.apiKey },
    })
    expect(await place(other, planOf())).toMatchObject({ outcome: 'refused', code: 'E603' })
    expect(await place(other, planOf())).toMatchObject({ outcome: 'refused', code: 'E603' })
    expect(await place(linear, planOf())).toMatchObject({ outcome: 'done' })
  })
})

test('an order by value spends the quote coin', async () => {
  const placed = await place(spot, planOf({ quantity: '0', quoteQuantity: '600' }))
  expect(placed).toMatchObject({ outcome: 'done', order: { status: 'filled', filled: '0.009999' } })
})

describe('a position', () => {
  test('is read in coins, and by its sign', async () => {
    const credentials = { ...(await paper.openAccount({ USDT: '10000' })), passphrase: 'paper' }
    const { venue } = await open('linear', { credentials })
    await place(venue, planOf({ side: 'sell', quantity: '0.02' }))
    const read = await venue.read('BTCUSDT')
    expect(read).toMatchObject({
      outcome: 'read',
      account: {
        ...{
          position: '-0.02',
          entryPrice: '59999.5',
          coin: 'USDT',
          bid: '59999.5',
          ask: '60000.5',
          mark: '60000',
        },
        settings: { leverage: '10', marginMode: 'cross', positionMode: 'oneWay' },
      },
    })
    const stated = await venue.statement()
    expect(stated).toMatchObject({
      outcome: 'read',
      statement: { positions: [{ symbol: 'BTCUSDT', quantity: '-0.02' }] },
    })
    expect(await place(venue, planOf({ quantity: '0.03', reduceOnly: true }))).toMatchObject({
      outcome: 'refused',
      code: 'E510',
    })
  })

  test('of an account with both sides apart is not traded', async () => {
    const credentials = { ...(await paper.openAccount({ USDT: '10000' })), passphrase: 'paper' }
    await paper.setTerms(credentials.apiKey, { positionMode: 'hedge' })
    const { venue } = await open('linear', { credentials })
    expect(await venue.read('BTCUSDT')).toMatchObject({ outcome: 'refused', code: 'E405' })
    expect(await place(venue, planOf())).toMatchObject({ outcome: 'refused', code: 'E405' })
  })

  test('has its leverage changed once', async () => {
    const change = async (leverage: string) => await linear.changeSettings('BTCUSDT', { leverage })
    expect(await change('7')).toMatchObject({ outcome: 'changed' })
    expect(await change('7')).toMatchObject({ outcome: 'unchanged' })
    expect(await change('101')).toMatchObject({ outcome: 'refused', code: 'E310' })
    expect(await linear.changeSettings('BTCUSDT', { marginMode: 'isolated' })).toMatchObject({ code: 'E404' })
  })
})
