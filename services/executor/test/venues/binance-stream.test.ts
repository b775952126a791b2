import { describe, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import type { OrderPlan } from '../../src/domain/order/order.ts'
import { newId, type Received, refOf, type Trader } from './binance-rig.ts'
import { tradersOfFile } from './traders-of-file.ts'

const on = tradersOfFile()
const symbol = 'BTCUSDT'
const kinds = ['futures', 'spot'] as const

const stop = (): Partial<OrderPlan> & Pick<OrderPlan, 'clientOrderId' | 'type'> => ({
  clientOrderId: newId(),
  type: 'stop',
  side: 'sell',
  triggerPrice: '58000',
  trigger: 'last',
})

/** Trades until something is received of it: a stream need not report what happened in its first moments. */
async function tradeUntil(trader: Trader, isOver: () => boolean): Promise<void> {
  await waitFor(async () => {
    await trader.place({ quantity: '0.002' })
    return isOver()
  })
}

/** Lets the stream's own timers run out: what does not happen shows in nothing else. */
async function elapse(ms: number): Promise<void> {
  const until = performance.now() + ms
  await waitFor(() => performance.now() >= until)
}

const gapsOf = ({ events }: Received): number => events.filter(({ kind }) => kind === 'gap').length

describe.each(kinds)('the private stream of %s', (kind) => {
  test('reports a fill with its fee, once', async () => {
    const { trader, received } = await on.open(kind)
    await on.paper.addFault({ match: { apiKey: trader.apiKey }, action: 'duplicate-events' })
    const clientOrderId = newId()
    const placed = await trader.placed({ clientOrderId })
    const order = await received.order(({ status }) => status === 'filled')
    expect(order).toMatchObject({
      clientOrderId,
      venueOrderId: placed.venueOrderId,
      type: 'market',
      side: 'buy',
      filled: placed.filled,
      isConditional: false,
      fee: { coin: kind === 'spot' ? 'BTC' : 'USDT' },
    })
    expect(order.averagePrice).toBe('60000')
    const other = await trader.placed({})
    await received.order(({ venueOrderId }) => venueOrderId === other.venueOrderId)
    const fills = received.events.filter(
      (event) => event.kind === 'order' && event.order.clientOrderId === clientOrderId,
    )
    expect(fills.filter((event) => event.kind === 'order' && event.order.status === 'filled')).toHaveLength(1)
  })

  test('reports a fill even where events come in another order', async () => {
    const { trader, received } = await on.open(kind)
    await on.paper.addFault({ match: { apiKey: trader.apiKey }, action: 'reorder-events' })
    const clientOrderId = newId()
    await trader.placed({ clientOrderId })
    await trader.placed({})
    await received.order(
      (order) => order.clientOrderId === clientOrderId && order.status === 'filled' && order.fee !== null,
    )
  })

  test('reports a conditional order under its id: placed, triggered, filled', async () => {
    const { trader, received } = await on.open(kind)
    await trader.placed({ quantity: '0.05' })
    const plan = stop()
    const { venueOrderId } = await trader.placed(plan)
    await on.pin('57900')
    const isOurs = { clientOrderId: plan.clientOrderId, venueOrderId, type: 'stop', isConditional: true }
    expect(
      await received.order(
        (order) =>
          order.clientOrderId === plan.clientOrderId && order.status === 'filled' && order.isConditional,
      ),
    ).toMatchObject(isOurs)
    expect(await received.order(({ status }) => status === 'untriggered')).toMatchObject(isOurs)
    // A look-up may be behind the stream; as long as it shows what the order became alone, it has another id and type.
    const found = await waitFor(async () => {
      const lookUp = await trader.venue.lookUp(refOf(plan))
      if (lookUp.outcome !== 'found' || lookUp.order.venueOrderId !== venueOrderId) return undefined
      return lookUp.order.status === 'filled' && lookUp.order
    })
    expect(found).toMatchObject(isOurs)
  })

  test('reports a cancel, also by hand', async () => {
    const { trader, received } = await on.open(kind)
    const plan = { clientOrderId: newId(), type: 'limit', price: '59000', timeInForce: 'gtc' } as const
    await trader.placed(plan)
    const { venue } = trader
    await venue.cancel(refOf(plan))
    expect(await received.order(({ status }) => status === 'canceled')).toMatchObject({
      clientOrderId: plan.clientOrderId,
    })
  })

  test('reports an order whose answer is lost before that is missed', async () => {
    const { trader } = await on.open(kind)
    const path = kind === 'futures' ? '/fapi/v1/order' : '/api/v3/order'
    const match = { apiKey: trader.apiKey, method: 'POST', path }
    await on.paper.addFault({ match, action: 'stall-body', ms: 30_000, count: 2 })
    expect(await trader.place({})).toMatchObject({
      outcome: 'done',
      source: 'stream',
      order: { status: 'filled' },
    })
    const resting = { type: 'limit', price: '59000', timeInForce: 'gtc' } as const
    expect(await trader.place(resting)).toMatchObject({
      outcome: 'done',
      source: 'stream',
      order: { status: 'open' },
    })
  })

  test('is made anew where it is cut, and says that something may have been missed', async () => {
    const { trader, received } = await on.open(kind)
    await on.paper.addFault({ match: { apiKey: trader.apiKey }, action: 'disconnect', count: 1 })
    await received.gaps(2)
    const { venueOrderId } = await trader.placed({})
    await received.order((order) => order.venueOrderId === venueOrderId && order.status === 'filled')
  })

  test('has reported an order until something may have been missed', async () => {
    const { trader, received } = await on.open(kind)
    const plan = { clientOrderId: newId(), type: 'limit', price: '59000', timeInForce: 'gtc' } as const
    const currentStatus = () => trader.venue.currentUpdateOf?.(refOf(plan))?.status
    await trader.placed(plan)
    await waitFor(() => currentStatus() === 'open')
    await on.paper.addFault({ match: { apiKey: trader.apiKey }, action: 'disconnect', count: 1 })
    await received.gaps(2)
    expect(currentStatus()).toBeUndefined()
  })

  test('is made anew where it looks alive and does not report an order', async () => {
    const { trader, received } = await on.open(kind, { timing: { expectMs: 200 } })
    const fault = await on.paper.armFault({ match: { apiKey: trader.apiKey }, action: 'silent-stream' })
    await tradeUntil(trader, () => gapsOf(received) > 1)
    await on.paper.removeFault(fault)
    const { venueOrderId } = await trader.placed({})
    await waitFor(async () => {
      const other = await trader.placed({})
      return received.events.some(
        (event) =>
          event.kind === 'order' && [venueOrderId, other.venueOrderId].includes(event.order.venueOrderId),
      )
    })
  })

  test('is made anew where it does not report that an open order ended', async () => {
    const { trader, received } = await on.open(kind, { timing: { expectMs: 100, checkMs: 100 } })
    const plan = { clientOrderId: newId(), type: 'limit', price: '59000', timeInForce: 'gtc' } as const
    const { venueOrderId } = await trader.placed(plan)
    await received.order((order) => order.venueOrderId === venueOrderId)
    const fault = await on.paper.armFault({ match: { apiKey: trader.apiKey }, action: 'silent-stream' })
    await waitFor(async () => (await trader.venue.lookUp(refOf(plan))).outcome === 'found')
    await elapse(600)
    await on.pin('58900')
    await received.gaps(2)
    await on.paper.removeFault(fault)
  })

  test('stays as it is while it reports everything', async () => {
    // So long that an exchange which stands still for seconds is not taken for one that does not report.
    const expectMs = 8000
    const { trader, received } = await on.open(kind, { timing: { expectMs, checkMs: 50 } })
    await trader.placed({ quantity: '0.05' })
    const plan = stop()
    await trader.placed(plan)
    await trader.placed({ type: 'limit', price: '59000', timeInForce: 'gtc' })
    for (let round = 0; round < 5; round++) {
      await trader.placed({})
      await trader.venue.lookUp(refOf(plan))
      await trader.venue.openOrders(symbol)
      await elapse(200)
    }
    await on.pin('57900')
    await received.order((order) => order.clientOrderId === plan.clientOrderId && order.status === 'filled')
    await trader.venue.lookUp(refOf(plan))
    await elapse(expectMs + 500)
    expect(gapsOf(received)).toBe(1)
  })

  test('serves several, and ends with the last of them', async () => {
    const { trader, received } = await on.open(kind)
    const other = await trader.follow()
    received.stop()
    const { venueOrderId } = await trader.placed({})
    await other.order((order) => order.venueOrderId === venueOrderId)
    expect(received.events.filter(({ kind }) => kind === 'order')).toEqual([])
  })
})

describe('the private stream of futures', () => {
  test('is made anew where its key is over', async () => {
    const { trader, received } = await on.open('futures')
    await on.paper.addFault({ match: { apiKey: trader.apiKey }, action: 'expire-listen-key', count: 1 })
    await received.gaps(2)
    const { venueOrderId } = await trader.placed({})
    await received.order((order) => order.venueOrderId === venueOrderId)
  })

  test('has its key prolonged, and is made anew where that fails', async () => {
    const { trader, received } = await on.open('futures', { timing: { keepAliveMs: 100 } })
    await elapse(500)
    expect(gapsOf(received)).toBe(1)
    const match = { apiKey: trader.apiKey, method: 'PUT', path: '/fapi/v1/listenKey' }
    await on.paper.addFault({ match, action: 'reject', code: -1125, count: 1 })
    await received.gaps(2)
  })
})
