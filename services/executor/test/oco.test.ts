import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { connectBus } from '@tripline/kit/bus/bus'
import type { HttpService } from '@tripline/kit/lifecycle'
import type { CommandResult } from '@tripline/proto/command-result'
import { absolute, add, isZero, subtract } from '@tripline/proto/decimal'
import { type Link, link } from '@tripline/testkit/link'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig, type Rig } from './rig.ts'

let rig: Rig
let executor: HttpService
let way: Link
beforeAll(async () => {
  rig = await buildRig({ balances: { USDT: '1000000' } })
  way = await link(rig.config.NATS_URL)
  executor = await rig.startExecutor()
})
afterAll(async () => {
  way.mend()
  await rig.stop()
  await way.stop()
})
beforeEach(async () => {
  await rig.paper.clearFaults()
  await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000.1', mark: '60000' })
  await run('cancel; market(position=0)')
})

const protectedEntry = 'market(buy, 0.02); oco { limit(sell, 100%, 62000); stop(sell, 100%, 58000) }'

async function run(commands: string): Promise<{ alertId: string; results: CommandResult[] }> {
  const alertId = await rig.send(`MyBot(BTCUSDT) { ${commands} }`)
  const result = await rig.resultOf(alertId)
  if (result.outcome !== 'executed') throw new Error(JSON.stringify(result))
  return { alertId, results: result.executions[0]?.commands ?? [] }
}

async function refuseNextOrder(code: number): Promise<void> {
  const match = { path: '/fapi/v1/order', method: 'POST' }
  await rig.paper.addFault({ match, action: 'reject', code, count: 1 })
}

async function open(): Promise<string[]> {
  const { openOrders } = await rig.account()
  return openOrders
    .map(({ side, quantity, triggerPrice, price }) =>
      `${side} ${absolute(quantity)} ${absolute(triggerPrice ?? price)}`.toLowerCase(),
    )
    .toSorted()
}

async function expectOpen(orders: string[]): Promise<void> {
  await waitFor(async () => JSON.stringify(await open()) === JSON.stringify(orders))
}

const atProfit = { bid: '62000.2', ask: '62000.3', mark: '62000' }
const atLoss = { bid: '57999', ask: '57999.1', mark: '57999' }

describe('orders of which one ends the others', () => {
  test('rest side by side, the protective one sent first', async () => {
    const before = (await rig.paper.journal()).length
    const { results } = await run(protectedEntry)
    expect(results[1]).toMatchObject({
      status: 'success',
      result: { orders_count: 2, kept_by: 'executor', orders: [{ type: 'stop' }, { type: 'limit' }] },
    })
    await expectOpen(['sell 0.02 58000', 'sell 0.02 62000'])
    const sides = (await rig.paper.journal())
      .slice(before)
      .map(({ clientOrderId }) => clientOrderId?.slice(-5))
    expect(sides).toEqual(['00000', '00100', '00110'])
  })

  test.each([
    ['the profit', atProfit],
    ['the loss', atLoss],
  ])('end each other when %s is taken', async (_name, prices) => {
    await run(protectedEntry)
    await rig.paper.pinPrices('BTCUSDT', prices)
    await expectOpen([])
    expect((await rig.account()).positions).toEqual([])
  })

  test('are reduced by a fill in part', async () => {
    await run('market(buy, 6); oco { limit(sell, 100%, 62000); stop(sell, 100%, 58000) }')
    // The exchange's best level is worth less than that.
    await rig.paper.pinPrices('BTCUSDT', { bid: '62000', ask: '62000.1', mark: '62000' })
    await waitFor(async () => {
      const { openOrders } = await rig.account()
      const limit = openOrders.find(({ triggerPrice }) => triggerPrice === null)
      const stops = openOrders.filter(({ triggerPrice }) => triggerPrice !== null)
      const guarded = stops.reduce((sum, { quantity }) => add(sum, quantity), limit?.filled ?? '0')
      return limit !== undefined && !isZero(limit.filled) && isZero(subtract(guarded, '6'))
    })
    const { results } = await run('cancel')
    expect(results[0]).toMatchObject({ result: { cancelled_count: 2 } })
  })

  test('a stop loss with a take profit are such orders too', async () => {
    await run('market(buy, 0.02); sltp(amount=100%, sl=58000, tp=62000)')
    await expectOpen(['sell 0.02 58000', 'sell 0.02 62000'])
    await rig.paper.pinPrices('BTCUSDT', atProfit)
    await expectOpen([])
  })

  test('stay without the one that is refused, as long as a stop stands, and the alert is partial', async () => {
    await run('market(buy, 0.02)')
    await refuseNextOrder(-2019)
    const { alertId, results } = await run('oco { limit(sell, 100%, 62000); stop(sell, 100%, 58000) }')
    expect(results[0]).toMatchObject({
      status: 'failed',
      errorCode: 'E604',
      error: expect.stringContaining('the rest stays'),
      result: { orders_count: 1, orders: [{ type: 'stop' }] },
    })
    expect(await rig.resultOf(alertId as never)).toMatchObject({ status: 'partial' })
    await expectOpen(['sell 0.02 58000'])
    await rig.paper.pinPrices('BTCUSDT', atLoss)
    await expectOpen([])
    expect((await rig.account()).positions).toEqual([])
  })

  test('that only enter are undone together where one is refused', async () => {
    await refuseNextOrder(-2019)
    const { results } = await run('oco { limit(buy, 0.02, 58000); stop(buy, 0.02, 62000) }')
    expect(results[0]).toMatchObject({ errorCode: 'E604', error: expect.stringContaining('undone') })
    await expectOpen([])
  })

  test('open no position where one fills while nobody ends the other', async () => {
    await run('market(buy, 0.02); oco { limit(sell, 0.02, 62000); stop(sell, 0.02, 58000) }')
    await executor.stop()
    await rig.paper.pinPrices('BTCUSDT', atLoss)
    await expectOpen(['sell 0.02 62000'])
    await rig.paper.pinPrices('BTCUSDT', atProfit)
    await expectOpen([])
    expect((await rig.account()).positions).toEqual([])
    executor = await rig.startExecutor()
  })

  test('of a take profit that the market has reached, it is taken at once and the stop ends', async () => {
    await run('market(buy, 0.02)')
    const { results } = await run('sltp(amount=100%, sl=58000, tp=59000)')
    expect(results[0]).toMatchObject({ status: 'success', result: { takeProfit: { type: 'market' } } })
    await expectOpen([])
    expect((await rig.account()).positions).toEqual([])
  })

  test('alone, such a take profit is taken at once, also where the exchange finds it reached', async () => {
    await run('market(buy, 0.04); sltp(amount=50%, tp=59000)')
    await rig.paper.addFault({
      match: { path: '/fapi/v1/algoOrder', method: 'POST' },
      action: 'reject',
      code: -2021,
      count: 1,
    })
    const { results } = await run('sltp(amount=100%p, tp=62000)')
    expect(results[0]).toMatchObject({ status: 'success', result: { takeProfit: { type: 'market' } } })
    await expectOpen([])
    expect((await rig.account()).positions).toEqual([])
  })

  test('an entry whose protection is refused is reported with high priority', async () => {
    await rig.paper.addFault({
      match: { path: '/fapi/v1/algoOrder', method: 'POST' },
      action: 'reject',
      code: -2021,
      count: 1,
    })
    const { alertId, results } = await run('market(buy, 0.02); stop(sell, 100%, 58000)')
    expect(results[1]).toMatchObject({ status: 'failed' })
    const events = await rig.eventsOf(alertId as never, 'execution.finished')
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'command.alarm', text: expect.stringContaining('entry is filled') }),
    )
  })

  test('are ended by a cancel, watch and all', async () => {
    const { alertId } = await run(protectedEntry)
    const { results } = await run('cancel')
    expect(results[0]).toMatchObject({ status: 'success', result: { cancelled_count: 2 } })
    const ends = await waitFor(async () => {
      const events = await rig.eventsOf(alertId as never, 'group.changed')
      return events.filter(({ kind }) => kind === 'order.canceled').length === 2 && events.slice(-3)
    })
    expect(ends).toMatchObject([
      { kind: 'group.changed', text: 'ended by a cancel' },
      { kind: 'order.canceled', command: 1 },
      { kind: 'order.canceled', command: 1 },
    ])
  })

  test('row 16: go on at a successor, also when one was filled while nobody was there', async () => {
    await run(protectedEntry)
    await executor.stop()
    await rig.paper.pinPrices('BTCUSDT', atProfit)
    await expectOpen(['sell 0.02 58000'])
    executor = await rig.startExecutor()
    await expectOpen([])
  })

  test('row 16: go on at a successor of one that was cut off', async () => {
    await executor.stop()
    await rig.startExecutor({ connect: async (options) => await connectBus({ ...options, url: way.url }) })
    await run(protectedEntry)
    way.cut()
    await rig.startExecutor()
    await rig.paper.pinPrices('BTCUSDT', atLoss)
    await expectOpen([])
  })
})
