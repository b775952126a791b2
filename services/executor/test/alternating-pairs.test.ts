import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { HttpService } from '@tripline/kit/lifecycle'
import type { CommandResult } from '@tripline/proto/command-result'
import { absolute, isZero, subtract } from '@tripline/proto/decimal'
import type { ExecutionEvent } from '@tripline/proto/event'
import type { AlertId } from '@tripline/proto/id'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import type { LegsRecord } from '../src/domain/group/legs-record.ts'
import { openBybitSpot } from '../src/venue/bybit/spot.ts'
import { openConnections } from '../src/venue/connections.ts'
import { heldForEver } from './held.ts'
import { buildRig, type Rig } from './rig.ts'
import { provesSoon } from './with-venues.ts'

let rig: Rig
let executor: HttpService
let coinsBefore: string
beforeAll(async () => {
  const bot = { exchange: 'bybit', marketType: 'spot' } as const
  rig = await buildRig({ bot, balances: { USDT: '1000000', BTC: '100' } })
  executor = await rig.startExecutor()
})
afterAll(async () => await rig.stop())
beforeEach(async () => {
  await rig.paper.clearFaults()
  await rig.paper.pinPrices('BTCUSDT', usual)
  await run('cancel')
  coinsBefore = await coins()
})

const usual = { bid: '59999.9', ask: '60000.1', last: '60000' }
const atProfit = { bid: '62000.2', ask: '62000.3', last: '62000.2' }
const atLoss = { bid: '57999', ask: '57999.1', last: '57999' }
const cancelPath = '/v5/order/cancel'
const createPath = '/v5/order/create'

async function run(commands: string): Promise<{ alertId: AlertId; results: CommandResult[] }> {
  const alertId = await rig.send(`MyBot(BTCUSDT) { ${commands} }`)
  const result = await rig.resultOf(alertId)
  if (result.outcome !== 'executed') throw new Error(JSON.stringify(result))
  return { alertId, results: result.executions[0]?.commands ?? [] }
}

/** Begins a pair that sells, the stop at 58000 and the profit at 62000. */
async function begin(quantity = '0.02'): Promise<AlertId> {
  const pair = `oco { limit(sell, ${quantity}, 62000); stop(sell, ${quantity}, 58000) }`
  const { alertId, results } = await run(pair)
  expect(results).toMatchObject([{ status: 'success' }])
  return alertId
}

async function coins(): Promise<string> {
  return (await rig.account()).balances['BTC'] ?? '0'
}

async function sold(): Promise<string> {
  return subtract(coinsBefore, await coins())
}

async function open(): Promise<string[]> {
  const { openOrders } = await rig.account()
  return openOrders.map(({ side, quantity, triggerPrice, price }) =>
    `${side} ${absolute(quantity)} ${absolute(triggerPrice ?? price)}`.toLowerCase(),
  )
}

async function expectOpen(...orders: string[]): Promise<void> {
  await waitFor(async () => JSON.stringify(await open()) === JSON.stringify(orders))
}

const groupKinds: ReadonlySet<string> = new Set(['group.changed', 'command.alarm'])

/** Returns the alert's events once a text on its group matches. */
async function eventsOfGroup(alertId: AlertId, text: RegExp): Promise<ExecutionEvent[]> {
  return await waitFor(async () => {
    const events = await rig.eventsOf(alertId, 'execution.finished')
    return (
      events.some((event) => groupKinds.has(event.kind) && 'text' in event && text.test(event.text)) && events
    )
  })
}

/** Returns an alert's requests in order: leg and revision. */
async function sent(alertId: AlertId): Promise<string[]> {
  return (await rig.paper.journal())
    .filter(({ clientOrderId, outcome }) => clientOrderId?.includes(alertId) && outcome === 'accepted')
    .map(({ op, clientOrderId }) => `${op} ${clientOrderId?.slice(-2)}`)
}

async function cancelByHand(clientOrderId: string): Promise<void> {
  const connections = openConnections()
  try {
    const { venue, stop } = await openBybitSpot({
      baseUrl: `${rig.paper.url}/bybit`,
      streamUrl: `${rig.paper.url.replace('http', 'ws')}/bybit`,
      credentials: rig.credentials,
      connections,
      parent: undefined,
      tenure: heldForEver,
      log: testLog('venue'),
    })
    const { outcome } = await venue.cancel({ symbol: 'BTCUSDT', clientOrderId, isConditional: true })
    expect(outcome).toBe('canceled')
    stop?.()
  } finally {
    await connections.close()
  }
}

describe('a pair of which the exchange can have one order at a time', () => {
  test('has its stop there, and the other order is held', async () => {
    const { alertId, results } = await run('oco { limit(sell, 0.02, 62000); stop(sell, 0.02, 58000) }')
    expect(results[0]).toMatchObject({
      result: {
        orders_count: 2,
        kept_by: 'executor',
        orders: [
          { type: 'stop', status: 'untriggered' },
          { type: 'limit', status: 'held', price: '62000' },
        ],
      },
    })
    await expectOpen('sell 0.02 58000')
    expect(await sent(alertId)).toEqual(['place 00'])
  })

  test('sells at the profit, once the stop is taken back', async () => {
    const alertId = await begin()
    await rig.paper.pinPrices('BTCUSDT', atProfit)
    const events = await eventsOfGroup(alertId, /limit sell 0.02\d* is filled/)
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'order.filled', clientOrderId: `t${alertId}00011` }),
    )
    expect(await sent(alertId)).toEqual(['place 00', 'cancel 00', 'place 11'])
    expect([await open(), await sold()]).toEqual([[], '0.02'])
  })

  test('sells at the loss, and nothing else is sent', async () => {
    const alertId = await begin()
    await rig.paper.pinPrices('BTCUSDT', atLoss)
    await eventsOfGroup(alertId, /stop sell 0.02\d* is filled/)
    await rig.paper.pinPrices('BTCUSDT', atProfit)
    await waitFor(async () => (await rig.watched()).length === 0)
    expect(await sent(alertId)).toEqual(['place 00'])
    expect([await open(), await sold()]).toEqual([[], '0.02'])
  })

  test('has its stop again for coins that could not be sold', async () => {
    // The exchange's best bid buys less than that.
    const alertId = await begin('6')
    await rig.paper.pinPrices('BTCUSDT', { bid: '62000', ask: '62000.1', last: '62000' })
    await eventsOfGroup(alertId, /filled in part/)
    await rig.paper.pinPrices('BTCUSDT', usual)
    await waitFor(async () => {
      const { openOrders } = await rig.account()
      const [stop] = openOrders
      const isStop = openOrders.length === 1 && stop !== undefined && stop.triggerPrice !== null
      return isStop && isZero(subtract(subtract('6', await sold()), stop.quantity))
    })
    expect(isZero(await sold())).toBe(false)
  })

  test('is a stop loss with a take profit too', async () => {
    const { results } = await run('sltp(sell, 0.02, sl=58000, tp=62000)')
    expect(results[0]).toMatchObject({
      result: { stopLoss: { status: 'untriggered' }, takeProfit: { status: 'held' } },
    })
    await rig.paper.pinPrices('BTCUSDT', atProfit)
    await expectOpen()
    await waitFor(async () => (await sold()) === '0.02')
  })

  test('keeps the other order where a person cancels the stop, and reports it', async () => {
    const alertId = await begin()
    await cancelByHand(`t${alertId}00000`)
    await expectOpen('sell 0.02 62000')
    const events = await rig.eventsOf(alertId, 'command.alarm')
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'command.alarm', text: expect.stringContaining('not by its group') }),
    )
    await rig.paper.pinPrices('BTCUSDT', atProfit)
    await waitFor(async () => (await sold()) === '0.02')
    await rig.eventsOf(alertId, 'order.filled')
  })

  test('is ended by a cancel, including the order that is held', async () => {
    const alertId = await begin()
    expect((await run('cancel')).results).toMatchObject([
      { result: { cancelled_count: 2, cancelled: [{ price: '58000' }, { price: '62000' }] } },
    ])
    await eventsOfGroup(alertId, /ended by a cancel/)
    await waitFor(async () => (await rig.watched()).length === 0)
    expect([await open(), await sent(alertId)]).toEqual([[], ['place 00', 'cancel 00']])
  })

  test('leaves its stop where a cancel is about the order that is held', async () => {
    const alertId = await begin()
    expect((await run('cancel(limit)')).results).toMatchObject([
      { status: 'success', result: { cancelled_count: 1, cancelled: [{ price: '62000' }] } },
    ])
    await eventsOfGroup(alertId, /ended by a cancel/)
    expect(await rig.watched()).toMatchObject([{ isLone: true, legs: [{}] }])
    await expectOpen('sell 0.02 58000')
  })

  test('has its stop again where the other order is refused, and a person is notified', async () => {
    const alertId = await begin()
    const match = { path: createPath, method: 'POST' }
    await rig.paper.addFault({ match, action: 'reject', code: 170131, count: 1 })
    await rig.paper.pinPrices('BTCUSDT', atProfit)
    const events = await eventsOfGroup(alertId, /was refused and is given up/)
    expect(events.some(({ kind }) => kind === 'command.alarm')).toBe(true)
    await expectOpen('sell 0.02 58000')
    expect((await sent(alertId)).at(-1)).toBe('place 01')
  })

  test.each([
    ['the cancel of the stop', cancelPath],
    ['the order that takes the profit', createPath],
  ])('sells once where the answer to %s is lost', async (_name, path) => {
    const alertId = await begin()
    await rig.paper.addFault({ match: { path, method: 'POST' }, action: 'accept-then-drop', count: 1 })
    await rig.paper.pinPrices('BTCUSDT', atProfit)
    await eventsOfGroup(alertId, /limit sell 0.02\d* is filled/)
    expect([await open(), await sold()]).toEqual([[], '0.02'])
  })

  test('sells once where the loss is reached while the stop is being taken back', async () => {
    const alertId = await begin()
    await whileStuck('taking', cancelPath, async () => {
      await rig.paper.pinPrices('BTCUSDT', atLoss)
      await waitFor(async () => (await sold()) === '0.02')
    })
    await eventsOfGroup(alertId, /stop sell 0.02\d* is filled/)
    expect([await sent(alertId), await sold()]).toEqual([['place 00'], '0.02'])
  })

  test('row 16: sells at the profit that was reached while nobody was there', async () => {
    const alertId = await begin()
    await executor.stop()
    await rig.paper.pinPrices('BTCUSDT', atProfit)
    executor = await rig.startExecutor()
    await eventsOfGroup(alertId, /limit sell 0.02\d* is filled/)
    expect([await open(), await sold()]).toEqual([[], '0.02'])
  })

  test.each([
    ['the stop half taken back', 'taking', cancelPath],
    ['the stop taken back and nothing sent', 'profit', createPath],
  ] as const)(
    'row 16: has its stop again at a successor that finds %s, and the price gone',
    async (_name, turn, path) => {
      const alertId = await begin()
      await whileStuck(turn, path, async () => {
        await executor.stop()
        await rig.paper.pinPrices('BTCUSDT', usual)
      })
      executor = await rig.startExecutor(provesSoon)
      await waitFor(async () => (await sent(alertId)).at(-1) === 'place 01')
      await expectOpen('sell 0.02 58000')
      expect(await sent(alertId)).toEqual(['place 00', 'cancel 00', 'place 11', 'place 01'])
      await rig.paper.pinPrices('BTCUSDT', atProfit)
      await eventsOfGroup(alertId, /limit sell 0.02\d* is filled/)
      expect(await sold()).toBe('0.02')
    },
  )
})

/** Does something while the exchange receives no requests of this path, which a pair needs for its next step. */
async function whileStuck(turn: LegsRecord['turn'], path: string, act: () => Promise<void>): Promise<void> {
  await rig.paper.addFault({ match: { path, method: 'POST' }, action: 'drop' })
  await rig.paper.pinPrices('BTCUSDT', atProfit)
  await waitFor(async () => (await rig.watched()).some((record) => record.turn === turn))
  await act()
  await rig.paper.clearFaults()
}
