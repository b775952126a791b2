import { beforeEach, describe, expect, test } from '@jest/globals'
import { openBucket, readBucket } from '@tripline/kit/bus/bucket'
import { connectBus, subscribe } from '@tripline/kit/bus/bus'
import type { HttpService } from '@tripline/kit/lifecycle'
import { AlertResult } from '@tripline/proto/alert'
import type { AlertId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { storedEvents } from '@tripline/testkit/stored-events'
import { waitFor } from '@tripline/testkit/wait-for'
import { unbegunAfter } from '../src/domain/sharing/lease.ts'
import { buildCuttableRig, cuttableRigOfTest } from './cuttable-rig.ts'
import { withStoring } from './with-storing.ts'
import { behindOrders, overLookUps, reachesNone, withVenues } from './with-venues.ts'
import { withoutReading } from './without-reading.ts'

const on = cuttableRigOfTest()

/** Cuts the way to the bus in a while: time enough for an executor to do what it stores nothing of first. */
function cutLater(onCut: () => void): void {
  setTimeout(() => {
    on.way.cut()
    onCut()
  }, 500)
}

/** Lets no event be stored until the function that this returns is called. */
async function closeEvents(): Promise<() => Promise<void>> {
  const { streams } = on.rig.ops.manager
  const { config } = await streams.info('EVENTS')
  await streams.update('EVENTS', { ...config, max_msg_size: 1 })
  return async () => void (await streams.update('EVENTS', config))
}
/** Reads the number of running alerts. */
async function runningIn({ port }: HttpService): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^tripline_alerts_running\{.*\} (\d+)$/m.exec(text)?.[1])
}

describe('a successor', () => {
  test('runs nothing again behind a command that had nothing to do', async () => {
    await on.rig.startExecutor({
      ...on.byLink(),
      ...behindOrders(on.way.cut),
    })
    const alertId = await on.rig.send('MyBot(BTCUSDT) { market(position=0); market(buy, 0.01) }')
    await waitFor(async () => (await on.accepted()).length > 0)
    await on.rig.startExecutor()
    await on.rig.resultOf(alertId)
    expect(await on.accepted()).toEqual(['BUY 00100'])
  })

  test('emits no event again that its predecessor stored, whatever it stored that with', async () => {
    const hasStored = async (): Promise<boolean> =>
      (await storedEvents(on.rig.ops)).some(({ kind }) => kind === 'order.sent')
    await on.rig.startExecutor({
      ...on.byLink(),
      ...behindOrders(async () => {
        await waitFor(hasStored)
        on.way.cut()
      }),
    })
    const alertId = await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    await waitFor(async () => (await on.accepted()).length > 0)
    await on.rig.startExecutor()
    await on.rig.resultOf(alertId)
    const kinds = (await on.rig.eventsOf(alertId, 'execution.finished')).map(({ kind }) => kind)
    expect(kinds).toEqual([
      'execution.received',
      'command.started',
      'order.sent',
      'order.acknowledged',
      'command.finished',
      'execution.finished',
    ])
  })

  test('runs nothing again of an alert that had nothing to do, before one behind it', async () => {
    const isCut = Promise.withResolvers<void>()
    await on.rig.startExecutor({
      ...on.byLink(),
      ...withVenues((venue) => ({
        read: async (symbol, need) => {
          cutLater(isCut.resolve)
          return await venue.read(symbol, need)
        },
      })),
    })
    const openEvents = await closeEvents()
    await on.rig.send('MyBot(BTCUSDT) { market(position=0) }')
    await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    await isCut.promise
    await openEvents()
    await on.rig.startExecutor()
    await on.rig.noAlertsWait()
    expect(await on.accepted()).toEqual(['BUY 00000'])
  })

  test('sends no order that its caller knows as refused by the exchange', async () => {
    const isCut = Promise.withResolvers<void>()
    const outcomes: string[] = []
    subscribe(
      on.rig.ops,
      'result.*',
      (text) => void outcomes.push(AlertResult.parse(JSON.parse(text)).outcome),
    )
    await on.rig.startExecutor({
      ...on.byLink(),
      ...behindOrders(() => cutLater(isCut.resolve)),
    })
    const openEvents = await closeEvents()
    await on.rig.paper.addFault({
      match: { path: '/fapi/v1/order', method: 'POST' },
      action: 'reject',
      code: -2019,
      message: 'Margin is insufficient.',
      count: 1,
    })
    const alertId = await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    await isCut.promise
    await openEvents()
    await on.rig.startExecutor()
    expect(await on.rig.resultOf(alertId)).toMatchObject({ status: 'success' })
    await waitFor(() => outcomes.length > 0)
    expect(outcomes).toHaveLength(1)
    expect(await on.accepted()).toEqual(['BUY 00000'])
  })

  test('refuses an alert that its predecessor refused, though it could run it', async () => {
    const unsubscribe = subscribe(on.rig.ops, 'result.*', on.way.cut)
    await on.rig.startExecutor({ ...on.byLink(), ...reachesNone })
    const alertId = await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    expect(await on.rig.resultOf(alertId)).toMatchObject({
      outcome: 'refused',
      diagnostics: [{ code: 'E404' }],
    })
    unsubscribe()
    await on.rig.startExecutor()
    await on.rig.noAlertsWait()
    expect(await on.rig.resultOf(alertId)).toMatchObject({
      outcome: 'refused',
      diagnostics: [{ code: 'E404' }],
    })
    expect(await on.accepted()).toEqual([])
  })

  test('refuses nothing for want of a client that it has not tried to open yet', async () => {
    const waiting = Promise.withResolvers<void>()
    const tried = Promise.withResolvers<void>()
    let isTried = false
    await on.rig.startExecutor({
      decoratePool: (pool) => ({
        ...pool,
        client: (botId) => (isTried ? pool.client(botId) : undefined),
        // Its turn comes later than an alert waits for an exchange.
        whenOpen: async (botId, timeoutMs) => (isTried ? await pool.whenOpen(botId, timeoutMs) : undefined),
        whenTried: async (_botId, timeoutMs) => {
          if (timeoutMs <= 10_000) return
          waiting.resolve()
          await tried.promise
        },
      }),
    })
    const alertId = await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    await Promise.race([waiting.promise, on.rig.resultOf(alertId)])
    isTried = true
    tried.resolve()
    expect(await on.rig.resultOf(alertId)).toMatchObject({ outcome: 'executed', status: 'success' })
    expect(await on.accepted()).toEqual(['BUY 00000'])
  })

  test('asks again for the events of its predecessor, where the bus does not answer', async () => {
    const alertId = await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    await on.rig.startExecutor({
      connect: async (options) => withoutReading(await connectBus(options), 'EVENTS', 3),
    })
    expect(await on.rig.resultOf(alertId)).toMatchObject({ status: 'success' })
    expect(await on.accepted()).toEqual(['BUY 00000'])
  })

  describe('of one whose connection ended', () => {
    const buy = 'MyBot(BTCUSDT) { market(buy, 600$) }'
    let looked: number

    beforeEach(async () => {
      await on.stop()
      Object.assign(on, await buildCuttableRig({ bot: { exchange: 'binance', marketType: 'spot' } }))
      looked = 0
      await on.rig.startExecutor(on.byLink())
      const alertId = await on.rig.send('MyBot(BTCUSDT) { balance }')
      expect(await on.rig.resultOf(alertId)).toMatchObject({ status: 'success' })
    })

    /** Cuts the executor off; settles once the bus knows that nobody is there. */
    async function cutOff(): Promise<void> {
      on.way.cut()
      await waitFor(async () => {
        const readers = await on.rig.ops.manager.consumers.list('ALERTS').next()
        return readers.every(({ push_bound: isBound }) => isBound !== true)
      })
    }

    /** Starts a successor that counts what it looks up at the exchange. */
    async function succeed(): Promise<void> {
      await on.rig.startExecutor(overLookUps(() => looked++))
    }

    /** Sends an alert and expects a successor to run it as new. */
    async function expectNew(): Promise<void> {
      const alertId = await on.rig.send(buy)
      await succeed()
      // This market gives no proof that an order which never rests did not arrive.
      expect(await on.rig.resultOf(alertId)).toMatchObject({ status: 'success' })
      expect(looked).toBe(0)
      expect(await on.accepted()).toEqual(['BUY 00000'])
    }

    test('runs as new the alerts that came behind that', async () => {
      await cutOff()
      await expectNew()
    })

    test('runs as new the alerts that were stored once that one could begin them no more', async () => {
      on.way.cut()
      const key = `${partitionOf(on.rig.userId)}`
      const isOver = async (): Promise<boolean> => {
        const lease = (await readBucket(on.rig.ops, 'leases')).find((each) => each.key === key)
        return lease !== undefined && Date.now() > unbegunAfter(lease.storedAt)
      }
      await waitFor(isOver, { deadlineMs: 30_000 })
      await expectNew()
    }, 90_000)

    test('looks up the alerts that were sent to that one, and runs later ones as new', async () => {
      await on.rig.paper.addFault({
        match: { method: 'POST', path: '/api/v3/order' },
        action: 'accept-then-delay',
        ms: 30_000,
      })
      await on.rig.paper.addFault({ match: {}, action: 'silent-stream', count: 1000 })
      const first = await on.rig.send(buy)
      await waitFor(async () => (await on.accepted()).length === 1)
      await cutOff()
      const second = await on.rig.send(buy)
      await on.rig.paper.clearFaults()
      await succeed()
      expect(await on.rig.resultOf(first)).toMatchObject({ status: 'success' })
      expect(looked).toBeGreaterThan(0)
      expect(await on.rig.resultOf(second)).toMatchObject({ status: 'success' })
      expect(await on.accepted()).toEqual(['BUY 00000', 'BUY 00000'])
    })
  })

  describe('of several alerts of one lane', () => {
    const texts = ['buy', 'buy', 'sell', 'buy'].map((side) => `MyBot(BTCUSDT) { market(${side}, 0.01) }`)

    /** Starts an executor that reports which orders it looks up, by the last characters of their alerts. */
    async function startAsking(alertIds: readonly AlertId[]): Promise<() => number[]> {
      const asked = new Set<string>()
      await on.rig.startExecutor(overLookUps((clientOrderId) => asked.add(clientOrderId.slice(1, 27))))
      return () => alertIds.flatMap((id, index) => (asked.has(id) ? [index] : []))
    }

    async function expectEachOnce(alertIds: readonly AlertId[]): Promise<void> {
      for (const alertId of alertIds)
        expect(await on.rig.resultOf(alertId)).toMatchObject({ status: 'success' })
      const placed = (await on.rig.paper.journal()).filter(({ outcome }) => outcome === 'accepted')
      expect(placed.map(({ clientOrderId }) => clientOrderId?.slice(1, 27))).toEqual(alertIds)
    }

    /** Sends all of them to an executor that is lost with its order of this place: before that is sent, or behind it. */
    async function loseAt(place: number, isSent: boolean): Promise<AlertId[]> {
      let count = 0
      const isLost = Promise.withResolvers<void>()
      await on.rig.startExecutor({
        ...on.byLink(),
        ...withVenues((venue) => ({
          place: async (order, onSent) => {
            const isLast = count++ === place
            const placement = isSent || !isLast ? await venue.place(order, onSent) : undefined
            if (placement !== undefined && !isLast) return placement
            on.way.cut()
            isLost.resolve()
            return await new Promise(() => undefined)
          },
        })),
      })
      const alertIds: AlertId[] = []
      for (const text of texts) alertIds.push(await on.rig.send(text))
      await isLost.promise
      return alertIds
    }

    test('asks for the first one only, where that never arrived', async () => {
      const alertIds = await loseAt(0, false)
      const asked = await startAsking(alertIds)
      await expectEachOnce(alertIds)
      expect(asked()).toEqual([0])
    })

    test('asks for those that were sent, and for the one behind them', async () => {
      const alertIds = await loseAt(1, true)
      const asked = await startAsking(alertIds)
      await expectEachOnce(alertIds)
      expect(asked().filter((index) => index > 0)).toEqual([1, 2])
    })

    test('at Bybit sends all that may have been sent, and asks for those whose name is taken', async () => {
      await on.stop()
      Object.assign(on, await buildCuttableRig({ bot: { exchange: 'bybit', marketType: 'futures' } }))
      const alertIds = await loseAt(1, true)
      const asked = await startAsking(alertIds)
      await expectEachOnce(alertIds)
      expect(asked().filter((index) => index > 0)).toEqual([1])
    })

    test('asks for all of them where its predecessor does not say that it withheld the order', async () => {
      const alertIds: AlertId[] = []
      for (const text of texts) alertIds.push(await on.rig.send(text))
      const leases = await openBucket(on.rig.ops, 'leases')
      const older = JSON.stringify({ owner: 'older', released: false })
      await leases.put(`${partitionOf(on.rig.userId)}`, older)
      const asked = await startAsking(alertIds)
      await expectEachOnce(alertIds)
      expect(asked()).toEqual([0, 1, 2, 3])
    })
  })

  test('can count on it that a refusal is stored before the command behind it begins', async () => {
    const happened: string[] = []
    const executor = await on.rig.startExecutor({
      ...withStoring(async (publication, publish) => {
        const isRefusal = publication.payload.includes('"alert.refused"')
        // The alert behind it is there too, and would have been placed.
        if (isRefusal) {
          await waitFor(async () => (await runningIn(executor)) === 2)
          await on.rig.account()
        }
        const stored = await publish(publication)
        if (isRefusal) happened.push('stored')
        return stored
      }),
      ...withVenues((venue) => ({
        place: async (order, onSent) => {
          happened.push('placed')
          return await venue.place(order, onSent)
        },
      })),
    })
    await on.rig.resultOf(await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))
    happened.length = 0
    await on.rig.send('MyBot(NOSUCHCOIN) { market(buy, 0.01) }')
    await on.rig.resultOf(await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))
    expect(happened).toEqual(['stored', 'placed'])
  })
})
