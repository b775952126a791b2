import { describe, expect, test } from '@jest/globals'
import type { OrderPlan, OrderRef, VenueOrder } from '../../src/domain/order/order.ts'
import { newId, planOf, type Trader } from './binance-rig.ts'
import { type TradersOfFile, tradersOfFile } from './traders-of-file.ts'

const on = tradersOfFile()
const symbol = 'BTCUSDT'
const kinds = ['futures', 'spot'] as const

const resting = { type: 'limit', price: '59000', timeInForce: 'gtc' } as const
const stop = { type: 'stop', side: 'sell', triggerPrice: '58000', trigger: 'last' } as const
// Triggered it rests, above the market.
const stopLimit = { ...stop, type: 'stopLimit', price: '59000', timeInForce: 'gtc' } as const

/** Places an order, and settles once the stream has reported it. */
async function placedAndReported(
  { trader, received }: Awaited<ReturnType<TradersOfFile['open']>>,
  plan: Partial<OrderPlan>,
) {
  const { venueOrderId, clientOrderId, isConditional } = await trader.placed(plan)
  await received.order((order) => order.venueOrderId === venueOrderId)
  return { symbol, venueOrderId, clientOrderId, isConditional } satisfies OrderRef
}

/** Has the answers to requests of this kind begin, and never end. */
async function loseAnswers({ apiKey }: Trader, method: string, path: string): Promise<void> {
  await on.paper.addFault({ match: { apiKey, method, path }, action: 'stall-body', ms: 60_000 })
}

const orderPaths = { futures: '/fapi/v1/order', spot: '/api/v3/order' }
const stopPaths = { futures: '/fapi/v1/algoOrder', spot: '/api/v3/order' }

describe.each(kinds)('where the answer is lost, the private stream of %s proves', (kind) => {
  test('that an order was canceled', async () => {
    const { trader, received } = await on.open(kind)
    const ref = await placedAndReported({ trader, received }, resting)
    const other = await placedAndReported({ trader, received }, resting)
    await loseAnswers(trader, 'DELETE', orderPaths[kind])
    const { venueOrderId } = ref
    expect(await trader.venue.cancel(ref)).toMatchObject({
      outcome: 'canceled',
      order: { venueOrderId, status: 'canceled' },
    })
    expect(await trader.venue.openOrders(symbol)).toMatchObject({
      orders: [{ venueOrderId: other.venueOrderId }],
    })
  })

  test('that an order was canceled which is known by its name alone', async () => {
    const { trader, received } = await on.open(kind)
    const { venueOrderId, ...ref } = await placedAndReported({ trader, received }, resting)
    await loseAnswers(trader, 'DELETE', orderPaths[kind])
    expect(await trader.venue.cancel(ref)).toMatchObject({
      outcome: 'canceled',
      order: { venueOrderId, status: 'canceled' },
    })
  })

  test('how much of a canceled order was filled, and at what price', async () => {
    const { trader, received } = await on.open(kind)
    await on.paper.addFault({
      match: { apiKey: trader.apiKey },
      action: 'partial-fill',
      ratio: '0.5',
      count: 1,
    })
    const ref = await placedAndReported(
      { trader, received },
      { ...resting, price: '60000', quantity: '0.010' },
    )
    await loseAnswers(trader, 'DELETE', orderPaths[kind])
    const canceled = await trader.venue.cancel(ref)
    expect(canceled).toMatchObject({ outcome: 'canceled', order: { status: 'canceled' } })
    const { filled, averagePrice, fee } = (canceled as { order: VenueOrder }).order
    expect([filled, averagePrice]).toEqual(['0.005', '60000'])
    expect(fee).toMatchObject({ coin: kind === 'spot' ? 'BTC' : 'USDT' })
  })

  test('that an order was filled instead of canceled', async () => {
    const { trader, received } = await on.open(kind)
    const ref = await placedAndReported({ trader, received }, resting)
    const match = { apiKey: trader.apiKey, method: 'DELETE' }
    await on.paper.addFault({ match, action: 'delay', ms: 60_000 })
    const canceling = trader.venue.cancel(ref)
    await on.pin('58900')
    const { venueOrderId } = ref
    expect(await canceling).toMatchObject({ outcome: 'gone', order: { venueOrderId, status: 'filled' } })
  })

  test('that an order had ended before it was to be canceled', async () => {
    const { trader, received } = await on.open(kind)
    const ref = await placedAndReported({ trader, received }, resting)
    const { venueOrderId } = ref
    await on.pin('58900')
    await received.order((order) => order.venueOrderId === venueOrderId && order.status === 'filled')
    await loseAnswers(trader, 'DELETE', orderPaths[kind])
    expect(await trader.venue.cancel(ref)).toMatchObject({
      outcome: 'gone',
      order: { venueOrderId, status: 'filled' },
    })
  })

  test('that a conditional order was placed, and canceled', async () => {
    const { trader, received } = await on.open(kind)
    await loseAnswers(trader, 'POST', stopPaths[kind])
    const placement = await trader.place(stop)
    expect(placement).toMatchObject({
      outcome: 'done',
      source: 'stream',
      order: { status: 'untriggered', type: 'stop', isConditional: true },
    })
    await on.paper.clearFaults()
    const ref = await placedAndReported({ trader, received }, stop)
    await loseAnswers(trader, 'DELETE', stopPaths[kind])
    const { venueOrderId } = ref
    expect(await trader.venue.cancel(ref)).toMatchObject({
      outcome: 'canceled',
      order: { venueOrderId, status: 'canceled', isConditional: true },
    })
  })

  test('that a conditional order was canceled once it had been triggered', async () => {
    const { trader, received } = await on.open(kind)
    await trader.placed({ quantity: '0.05' })
    const ref = await placedAndReported({ trader, received }, stopLimit)
    await on.pin('57900')
    const { venueOrderId, clientOrderId } = ref
    await received.order((order) => order.venueOrderId === venueOrderId && order.status === 'open')
    await loseAnswers(trader, 'DELETE', orderPaths[kind])
    expect(await trader.venue.cancel(ref)).toMatchObject({
      outcome: 'canceled',
      order: { venueOrderId, clientOrderId, status: 'canceled', isConditional: true },
    })
  })
})

test('a triggered order that was listed as the order it became is canceled by the stream’s word', async () => {
  const { trader, received } = await on.open('futures')
  await trader.placed({ quantity: '0.05' })
  const { venueOrderId, clientOrderId } = await placedAndReported({ trader, received }, stopLimit)
  await on.pin('57900')
  await received.order((order) => order.venueOrderId === venueOrderId && order.status === 'open')
  const listed = await trader.venue.openOrders(symbol)
  const [child] = listed.outcome === 'read' ? listed.orders : []
  expect(child).toMatchObject({ clientOrderId, isConditional: false })
  expect(child?.venueOrderId).not.toBe(venueOrderId)
  await loseAnswers(trader, 'DELETE', orderPaths.futures)
  const ref = { symbol, clientOrderId, venueOrderId: child?.venueOrderId ?? '', isConditional: false }
  expect(await trader.venue.cancel(ref)).toMatchObject({
    outcome: 'canceled',
    order: { clientOrderId, status: 'canceled' },
  })
})

describe('where the answer is lost, the private stream of spot proves', () => {
  const pair = (): readonly [OrderPlan, OrderPlan] => [
    planOf({ clientOrderId: newId(), side: 'sell', type: 'limit', price: '62000', quantity: '0.01000' }),
    planOf({ ...stop, clientOrderId: newId(), quantity: '0.01000' }),
  ]

  test('that both orders of a pair were placed', async () => {
    const { trader } = await on.open('spot')
    await loseAnswers(trader, 'POST', '/api/v3/orderList/oco')
    const [limit, stopLoss] = pair()
    expect(await trader.venue.placeOco?.([limit, stopLoss], () => undefined)).toMatchObject([
      { outcome: 'done', source: 'stream', order: { clientOrderId: limit.clientOrderId, status: 'open' } },
      {
        outcome: 'done',
        source: 'stream',
        order: { clientOrderId: stopLoss.clientOrderId, status: 'untriggered' },
      },
    ])
  })

  test('that the order of a pair which was to be canceled was', async () => {
    const { trader, received } = await on.open('spot')
    const placed = (await trader.venue.placeOco?.(pair(), () => undefined)) ?? []
    const orders = placed.flatMap((one) => (one.outcome === 'done' ? [one.order] : []))
    for (const { venueOrderId } of orders)
      await received.order((order) => order.venueOrderId === venueOrderId)
    await loseAnswers(trader, 'DELETE', orderPaths.spot)
    const [one, other] = orders.map(({ venueOrderId, clientOrderId, isConditional }) => ({
      symbol,
      venueOrderId,
      clientOrderId,
      isConditional,
    }))
    if (one === undefined || other === undefined) throw new Error('no pair was placed')
    expect(await trader.venue.cancel(one)).toMatchObject({
      outcome: 'canceled',
      order: { venueOrderId: one.venueOrderId, status: 'canceled' },
    })
    // The venue ended it along with the other.
    expect(await trader.venue.cancel(other)).toMatchObject({
      order: { venueOrderId: other.venueOrderId, status: 'canceled' },
    })
  })
})
