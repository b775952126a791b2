import { beforeEach, describe, expect, test } from '@jest/globals'
import { connectBus } from '@tripline/kit/bus/bus'
import { now } from '@tripline/kit/time/clock'
import type { AlertMessage, AlertResult } from '@tripline/proto/alert'
import type { AlertId } from '@tripline/proto/id'
import { link } from '@tripline/testkit/link'
import type { JournalEntry } from '@tripline/testkit/paper-control'
import { waitFor } from '@tripline/testkit/wait-for'
import { usualTerm } from '../src/domain/sharing/lease.ts'
import { rigOfTest } from './rig-of-test.ts'
import { withVenues } from './with-venues.ts'

const rig = rigOfTest({ balances: { USDT: '1000000' } })

const orders = { path: '/fapi/v1/order', method: 'POST' }

async function send(commands: string, more?: Partial<AlertMessage>): Promise<AlertId> {
  return await rig.send(`MyBot(BTCUSDT) { ${commands} }`, more)
}

async function run(commands: string): Promise<AlertResult> {
  return await rig.resultOf(await send(commands))
}

/** The orders of an alert that came to the exchange, by place, with what became of each request. */
async function requested(alertId: AlertId): Promise<string[]> {
  return (await ordersOf(alertId)).map(
    ({ clientOrderId, outcome }) => `${clientOrderId?.slice(27)} ${outcome}`,
  )
}

async function ordersOf(alertId: AlertId): Promise<JournalEntry[]> {
  const journal = await rig.paper.journal()
  return journal.filter(({ op, clientOrderId }) => op === 'place' && clientOrderId?.slice(1, 27) === alertId)
}

test('row 9: cut off from the bus, it finishes no later than its lease, and its successor does the rest once', async () => {
  const way = await link(rig.config.NATS_URL)
  await rig.startExecutor({ connect: async (options) => await connectBus({ ...options, url: way.url }) })
  await run('market(buy, 0.01)')
  await rig.paper.addFault({ match: orders, action: 'delay', ms: 1000, count: 1 })
  const alertIds = [
    await send('market(buy, 0.01)'),
    await send('market(sell, 0.01)'),
    await send('market(buy, 0.02)'),
  ]
  await rig.eventsOf(alertIds[0] as AlertId, 'execution.received')
  way.cut()
  await rig.startExecutor()
  for (const alertId of alertIds) expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
  const placed = (await rig.paper.journal()).slice(1)
  expect(placed.map(({ clientOrderId }) => clientOrderId?.slice(1, 27))).toEqual(alertIds)
  expect(placed.map(({ outcome }) => outcome)).toEqual(alertIds.map(() => 'accepted'))
  way.mend()
  await waitFor(async () => (await rig.account()).positions[0]?.quantity === '0.03')
  await way.stop()
})

test('row 9: cut off while an order is answered and back before anybody took over, it reports the result', async () => {
  const way = await link(rig.config.NATS_URL)
  const answered = Promise.withResolvers<void>()
  const { port } = await rig.startExecutor({
    connect: async (options) => await connectBus({ ...options, url: way.url }),
    ...withVenues((venue) => ({
      place: async (...order) => {
        const placement = await venue.place(...order)
        await answered.promise
        return placement
      },
    })),
  })
  const alertId = await send('market(buy, 0.01)')
  await rig.eventsOf(alertId, 'order.sent')
  way.cut()
  const cutAt = now()
  await waitFor(() => now() - cutAt > usualTerm.leaseMs)
  answered.resolve()
  const succeeded = /_commands_total{[^}]*status="success"[^}]*} 1\b/
  await waitFor(async () => succeeded.test(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()))
  way.mend()
  expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
  await rig.noAlertsWait()
  await way.stop()
})

test('row 10: two that start at once on a stored alert place its order once', async () => {
  const alertId = await send('market(buy, 0.01)')
  await Promise.all([rig.startExecutor(), rig.startExecutor(), rig.startExecutor()])
  expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
  expect(await requested(alertId)).toEqual(['00000 accepted'])
})

describe('one executor', () => {
  beforeEach(async () => void (await rig.startExecutor()))

  test.each([
    ['a lost answer', { action: 'accept-then-drop' }, ['00000 accepted']],
    ['an answer that comes too late', { action: 'accept-then-delay', ms: 30_000 }, ['00000 accepted']],
    ['an answer that breaks off', { action: 'stall-body', ms: 30_000 }, ['00000 accepted']],
    ['a 502 for an order that was taken', { action: 'accept-then-status', status: 502 }, ['00000 accepted']],
    ['a request that is lost', { action: 'drop' }, ['00000 dropped', '00000 accepted']],
  ])('row 11: %s is asked after, and the order is there once', async (_name, fault, expected) => {
    await rig.paper.addFault({ match: orders, count: 1, ...fault })
    const alertId = await send('market(buy, 0.01)')
    expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
    expect(await requested(alertId)).toEqual(expected)
  })

  test('row 12: an order that the exchange does not show for seconds is found and not sent again', async () => {
    await rig.paper.addFault({ match: { path: '/fapi/v1', method: 'GET' }, action: 'read-lag', ms: 2000 })
    await rig.paper.addFault({ match: {}, action: 'silent-stream' })
    await rig.paper.addFault({ match: orders, action: 'accept-then-drop', count: 1 })
    const alertId = await send('market(buy, 0.01)')
    expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
    expect(await requested(alertId)).toEqual(['00000 accepted'])
  })

  test('row 13: an order that the exchange refuses as a duplicate is the one that is there', async () => {
    await rig.paper.addFault({ match: { path: '/fapi/v1', method: 'GET' }, action: 'read-lag', ms: 9000 })
    await rig.paper.addFault({ match: {}, action: 'silent-stream' })
    await rig.paper.addFault({ match: orders, action: 'accept-then-drop', count: 1 })
    const alertId = await send('limit(buy, 0.01, 50000)')
    expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
    const [taken, ...again] = await requested(alertId)
    expect(taken).toBe('00000 accepted')
    expect(new Set(again)).toEqual(new Set(['00000 rejected']))
    expect((await rig.account()).openOrders).toHaveLength(1)
  })

  test('row 14: asked by the exchange to wait, it refuses entries with that reason, lets exits pass, and goes on later', async () => {
    await run('market(buy, 0.02)')
    await rig.paper.addFault({ match: orders, action: 'status', status: 429, count: 1 })
    const result = await run('market(buy, 0.01)')
    const failed = { status: 'failed', errorCode: 'E603' }
    expect(result).toMatchObject({ status: 'failed', executions: [{ commands: [failed] }] })
    expect(await run('market(sell, 0.01, reduceOnly=true)')).toMatchObject({ status: 'success' })
    const isPlaced = async (): Promise<boolean> => {
      const result = await run('market(buy, 0.01)')
      return result.outcome === 'executed' && result.status === 'success'
    }
    await waitFor(isPlaced, { deadlineMs: 60_000 })
  })

  test('row 15: a leg that fills while the stream is cut again and again ends its sibling', async () => {
    await run('market(buy, 0.02); oco { limit(sell, 100%, 62000); stop(sell, 100%, 58000) }')
    await rig.paper.addFault({ match: {}, action: 'disconnect', count: 5 })
    await rig.paper.pinPrices('BTCUSDT', { bid: '62000.2', ask: '62000.3', mark: '62000' })
    await waitFor(async () => (await rig.account()).openOrders.length === 0, { deadlineMs: 60_000 })
    expect((await rig.account()).positions).toEqual([])
  })

  test.each([5000, -5000])(
    'row 21: a clock that jumps by %i ms is measured anew, and no order is doubled',
    async (ms) => {
      await run('market(buy, 0.01)')
      await rig.paper.addFault({ match: {}, action: 'clock-skew', ms })
      const alertId = await send('market(buy, 0.01)')
      expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
      // The first request was refused as too early or too late, so nothing came of it.
      expect(await requested(alertId)).toEqual(['00000 rejected', '00000 accepted'])
    },
  )

  test('row 23: a message that is no alert is removed, and the lane goes on', async () => {
    await send('market(buy, 0.01)', { blocks: 'none' as never })
    expect(await run('market(buy, 0.01)')).toMatchObject({ status: 'success' })
    await rig.noAlertsWait()
  })
})

test('row 23: an alert whose handler throws fails with its code, is not run again, and the lane goes on', async () => {
  const faulty = { isFaulty: true }
  await rig.startExecutor(
    withVenues((venue) => ({
      place: async (...order) => {
        if (faulty.isFaulty) throw new Error('a fault of ours')
        return await venue.place(...order)
      },
    })),
  )
  const failed = { status: 'failed', errorCode: 'E605' }
  expect(await run('market(buy, 0.01)')).toMatchObject({ executions: [{ commands: [failed] }] })
  faulty.isFaulty = false
  expect(await run('market(sell, 0.01)')).toMatchObject({ status: 'success' })
  await rig.noAlertsWait()
  expect((await rig.paper.journal()).map(({ side }) => side)).toEqual(['SELL'])
})

test.each([
  ['halted', async () => await rig.configure({ tradingState: 'halted' })],
  ['unlinked', async () => await rig.unlink()],
])('row 26: of a bot that is %s with alerts queued none runs any more', async (_name, stop) => {
  const going = { isHeld: false, on: Promise.withResolvers<void>() }
  await rig.startExecutor(
    withVenues((venue) => ({
      place: async (...order) => {
        const placement = await venue.place(...order)
        if (going.isHeld && order[0].symbol === 'BTCUSDT') await going.on.promise
        return placement
      },
    })),
  )
  await run('market(buy, 0.01)')
  going.isHeld = true
  const running = await send('market(buy, 0.01)')
  const queued = [await send('market(buy, 0.01)'), await send('market(sell, 0.01)')]
  await rig.eventsOf(running, 'order.sent')
  await stop()
  // Another symbol shows when the executor knows.
  await waitFor(async () => {
    const other = await rig.resultOf(await rig.send('MyBot(ETHUSDT) { market(buy, 0.1) }'))
    return other.outcome === 'refused' || other.status === 'failed'
  })
  going.on.resolve()
  expect(await rig.resultOf(running)).toMatchObject({ status: 'success' })
  const refused = { status: 'failed', errorCode: 'E516' }
  for (const alertId of queued) {
    expect(await rig.resultOf(alertId)).toMatchObject({ executions: [{ commands: [refused] }] })
    expect(await requested(alertId)).toEqual([])
  }
})
