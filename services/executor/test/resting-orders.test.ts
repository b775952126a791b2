import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { connectBus } from '@tripline/kit/bus/bus'
import type { HttpService } from '@tripline/kit/lifecycle'
import { isZero } from '@tripline/proto/decimal'
import type { ExecutionEvent } from '@tripline/proto/event'
import type { AlertId } from '@tripline/proto/id'
import { type Link, link } from '@tripline/testkit/link'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import { openBinanceFutures } from '../src/venue/binance/futures.ts'
import { openConnections } from '../src/venue/connections.ts'
import { heldForEver } from './held.ts'
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
  await rig.paper.pinPrices('BTCUSDT', usual)
  await rig.resultOf(await rig.send('MyBot(BTCUSDT) { cancel; market(position=0) }'))
})

const usual = { bid: '59999.9', ask: '60000.1', mark: '60000' }
const low = { bid: '57989.9', ask: '57990.1', mark: '57990' }

/** Runs a command that leaves an order resting. */
async function rest(command: string): Promise<AlertId> {
  const alertId = await rig.send(`MyBot(BTCUSDT) { ${command} }`)
  expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
  return alertId
}

async function isAtVenue(alertId: AlertId): Promise<boolean> {
  const { openOrders } = await rig.account()
  return openOrders.some(({ clientOrderId }) => clientOrderId?.startsWith(`t${alertId}`))
}

async function cancelByHand(clientOrderId: string): Promise<void> {
  const connections = openConnections()
  try {
    const { venue, stop } = await openBinanceFutures({
      baseUrl: `${rig.paper.url}/binance-futures`,
      streamUrl: '',
      credentials: rig.credentials,
      connections,
      parent: undefined,
      tenure: heldForEver,
      log: testLog('venue'),
    })
    const { outcome } = await venue.cancel({ symbol: 'BTCUSDT', clientOrderId, isConditional: false })
    expect(outcome).toBe('canceled')
    stop?.()
  } finally {
    await connections.close()
  }
}

/** The events that report how orders of an alert ended, once there is one. */
async function endsOf(alertId: AlertId, kind: 'order.filled' | 'order.canceled'): Promise<ExecutionEvent[]> {
  return (await rig.eventsOf(alertId, kind)).filter((event) => event.kind === kind)
}

describe('an order that rests when its alert is answered', () => {
  test('is reported once it is filled, with its cost, behind the end of its execution', async () => {
    const alertId = await rest('limit(buy, 0.01, 58000)')
    await rig.paper.pinPrices('BTCUSDT', low)
    const events = await rig.eventsOf(alertId, 'order.filled')
    expect(events.slice(-2)).toMatchObject([
      { kind: 'execution.finished', status: 'success' },
      {
        kind: 'order.filled',
        eventId: `${alertId}-0.0.filled`,
        clientOrderId: `t${alertId}00000`,
        filled: '0.01',
        fee: { coin: 'USDT' },
      },
    ])
  })

  test('is reported once it is canceled, by an alert or by hand', async () => {
    const byAlert = await rest('limit(buy, 0.01, 58000)')
    const other = await rest('limit(buy, 0.01, 57000)')
    const cancel = await rig.send('MyBot(BTCUSDT) { cancel }')
    await rig.eventsOf(cancel, 'execution.finished')
    expect(await endsOf(cancel, 'order.canceled')).toHaveLength(2)
    expect(await endsOf(byAlert, 'order.canceled')).toHaveLength(1)
    expect(await endsOf(other, 'order.canceled')).toHaveLength(1)
    const byHand = await rest('limit(buy, 0.01, 58000)')
    await cancelByHand(`t${byHand}00000`)
    expect(await endsOf(byHand, 'order.canceled')).toHaveLength(1)
  })

  test('reports its fills before it was canceled, to the user who placed it and to the one who canceled it', async () => {
    const placed = await rest('limit(buy, 6, 58000)')
    // The exchange's best ask sells less than that.
    await rig.paper.pinPrices('BTCUSDT', { bid: '57999.9', ask: '58000', mark: '58000' })
    const filled = await waitFor(async () => {
      const { openOrders } = await rig.account()
      return openOrders.find((order) => !isZero(order.filled))?.filled
    })
    const cancel = await rig.send('MyBot(BTCUSDT) { cancel }')
    const [toWhomPlaced] = await endsOf(placed, 'order.canceled')
    expect(toWhomPlaced).toMatchObject({ type: 'limit', filled, averagePrice: expect.any(String) })
    const [toWhomCanceled] = await endsOf(cancel, 'order.canceled')
    expect(toWhomCanceled).toMatchObject({ type: 'cancel', filled })
    expect(await rig.resultOf(cancel)).toMatchObject({
      executions: [{ commands: [{ result: { cancelled_count: 1, cancelled: [{ filled }] } }] }],
    })
  })

  test('is reported also where it was one of a group whose other order is gone', async () => {
    const alertId = await rest('market(buy, 0.02); oco { stop(sell, 100%, 58000); limit(sell, 100%, 63000) }')
    await cancelByHand(`t${alertId}00110`)
    await rig.eventsOf(alertId, 'command.alarm')
    await rig.paper.pinPrices('BTCUSDT', low)
    expect(await endsOf(alertId, 'order.filled')).toMatchObject([
      { command: 1, side: 'sell', clientOrderId: `t${alertId}00100` },
    ])
  })

  test('is reported under the command and block that placed it', async () => {
    const alertId = await rest('market(buy, 0.02); stop(sell, 100%, 58000); limit(sell, 100%, 63000)')
    await rig.paper.pinPrices('BTCUSDT', low)
    expect(await endsOf(alertId, 'order.filled')).toMatchObject([
      { command: 1, type: 'stopOrder', side: 'sell', clientOrderId: `t${alertId}00100` },
    ])
  })

  test('that the exchange rejects when it is triggered is reported with high priority', async () => {
    await rig.paper.addFault({ match: {}, action: 'reject-at-trigger' })
    const alertId = await rest('market(buy, 0.02); stop(sell, 100%, 58000)')
    await rig.paper.pinPrices('BTCUSDT', low)
    const events = await rig.eventsOf(alertId, 'command.alarm')
    const [alarm] = events.filter(({ kind }) => kind === 'command.alarm')
    expect(alarm).toMatchObject({ command: 1, text: expect.stringContaining('ended as') })
    expect(alarm).not.toHaveProperty('code')
  })

  test('is reported also where the stream was gone when it was filled', async () => {
    const alertId = await rest('limit(buy, 0.01, 58000)')
    // A stream that came back from a cut is known to be live.
    await waitFor(async () => {
      await rig.paper.addFault({ match: {}, action: 'disconnect' })
      await rig.paper.clearFaults()
      return (await rig.clientStates()).includes('reconnecting')
    })
    await waitFor(async () => (await rig.clientStates()).at(-1) === 'live')
    await rig.paper.addFault({ match: {}, action: 'disconnect' })
    await waitFor(async () => (await rig.clientStates()).at(-1) === 'reconnecting')
    await rig.paper.pinPrices('BTCUSDT', low)
    await waitFor(async () => !(await isAtVenue(alertId)))
    await rig.paper.clearFaults()
    expect(await endsOf(alertId, 'order.filled')).toHaveLength(1)
  })

  test('row 16: is reported by a successor where it was filled while nobody was there', async () => {
    const filled = await rest('limit(buy, 0.01, 58000)')
    const rests = await rest('limit(buy, 0.01, 57000)')
    await executor.stop()
    await rig.paper.pinPrices('BTCUSDT', low)
    await waitFor(async () => !(await isAtVenue(filled)))
    executor = await rig.startExecutor()
    expect(await endsOf(filled, 'order.filled')).toHaveLength(1)
    await rig.resultOf(await rig.send('MyBot(BTCUSDT) { cancel }'))
    expect(await endsOf(rests, 'order.canceled')).toHaveLength(1)
  })

  test('row 16: is reported by the successor of one that was cut off, and once', async () => {
    await executor.stop()
    await rig.startExecutor({ connect: async (options) => await connectBus({ ...options, url: way.url }) })
    const alertId = await rest('limit(buy, 0.01, 58000)')
    await rig.eventsOf(alertId, 'execution.finished')
    way.cut()
    await rig.paper.pinPrices('BTCUSDT', low)
    await rig.startExecutor()
    expect(await endsOf(alertId, 'order.filled')).toHaveLength(1)
  })
})

describe('where the exchange ends one order of a pair by the other', () => {
  let spot: Rig
  beforeAll(async () => {
    spot = await buildRig({ bot: { marketType: 'spot' }, balances: { USDT: '10000', BTC: '1' } })
    await spot.startExecutor()
  })
  afterAll(async () => await spot.stop())

  test('the one that is filled is reported', async () => {
    await spot.paper.pinPrices('BTCUSDT', usual)
    const pair = 'oco { stop(sell, 0.01, 58000); limit(sell, 0.01, 62000) }'
    const alertId = await spot.send(`MyBot(BTCUSDT) { ${pair} }`)
    expect(await spot.resultOf(alertId)).toMatchObject({ status: 'success' })
    await spot.paper.pinPrices('BTCUSDT', { bid: '62000.1', ask: '62000.2' })
    const events = await spot.eventsOf(alertId, 'order.filled')
    expect(events.find(({ kind }) => kind === 'order.filled')).toMatchObject({ type: 'oneCancelsOther' })
    expect(events.some(({ kind }) => kind === 'command.alarm')).toBe(false)
  })
})

describe('when a bot is unlinked', () => {
  test('nothing is stored of its orders any more', async () => {
    const own = await buildRig({ balances: { USDT: '1000000' } })
    try {
      await own.startExecutor()
      await own.paper.pinPrices('BTCUSDT', usual)
      const group = 'oco { stop(sell, 100%, 58000); limit(sell, 100%, 63000) }'
      const alertId = await own.send(
        `MyBot(BTCUSDT) { limit(buy, 0.01, 57000); market(buy, 0.02); ${group} }`,
      )
      await own.resultOf(alertId)
      await waitFor(async () => (await own.watched()).length === 2)
      await own.unlink()
      await waitFor(async () => (await own.watched()).length === 0)
      expect(await own.eventsOf(alertId, 'group.changed')).toContainEqual(
        expect.objectContaining({ kind: 'group.changed', text: expect.stringContaining('unlinked') }),
      )
    } finally {
      await own.stop()
    }
  })
})
