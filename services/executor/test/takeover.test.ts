import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { openBucket, readBucket } from '@tripline/kit/bucket'
import { connectBus, hear } from '@tripline/kit/bus'
import { AlertResult } from '@tripline/proto/alert'
import type { AlertId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { type Link, link } from '@tripline/testkit/link'
import { waitFor } from '@tripline/testkit/wait-for'
import type { Overrides } from '../src/app.ts'
import { buildRig, type Rig } from './rig.ts'
import { withVenues } from './with-venues.ts'
import { withoutReading } from './without-reading.ts'

let rig: Rig
let way: Link

beforeEach(async () => {
  rig = await buildRig()
  way = await link(rig.config.NATS_URL)
})
afterEach(async () => {
  way.mend()
  await rig.stop()
  await way.stop()
})

const byLink = (): Partial<Overrides> => ({
  connect: async (options) => await connectBus({ ...options, url: way.url }),
})

/** The orders the exchange accepted, by the last characters of our id, in order. */
async function accepted(): Promise<string[]> {
  const journal = await rig.paper.journal()
  return journal
    .filter(({ outcome }) => outcome === 'accepted')
    .map(({ clientOrderId, side }) => `${side} ${clientOrderId?.slice(-5)}`)
}

/** Cuts the way to the bus in a while: time enough for an executor to do what it stores nothing of first. */
function cutLater(onCut: () => void): void {
  setTimeout(() => {
    way.cut()
    onCut()
  }, 500)
}

/** Lets no event be stored until the function that this returns is called. */
async function closeEvents(): Promise<() => Promise<void>> {
  const { streams } = rig.ops.manager
  const { config } = await streams.info('EVENTS')
  await streams.update('EVENTS', { ...config, max_msg_size: 1 })
  return async () => void (await streams.update('EVENTS', config))
}

describe('a successor', () => {
  test('runs nothing again behind a command that had nothing to do', async () => {
    await rig.startExecutor({
      ...byLink(),
      decoratePool: (pool) =>
        withVenues(pool, (venue) => ({
          ...venue,
          place: async (order, onSent) => {
            const placement = await venue.place(order, onSent)
            way.cut()
            return placement
          },
        })),
    })
    const alertId = await rig.send('MyBot(BTCUSDT) { market(position=0); market(buy, 0.01) }')
    await waitFor(async () => (await accepted()).length > 0)
    await rig.startExecutor()
    await rig.resultOf(alertId)
    expect(await accepted()).toEqual(['BUY 00100'])
  })

  test('runs nothing again of an alert that had nothing to do, before one behind it', async () => {
    const isCut = Promise.withResolvers<void>()
    await rig.startExecutor({
      ...byLink(),
      decoratePool: (pool) =>
        withVenues(pool, (venue) => ({
          ...venue,
          read: async (symbol, need) => {
            cutLater(isCut.resolve)
            return await venue.read(symbol, need)
          },
        })),
    })
    const openEvents = await closeEvents()
    await rig.send('MyBot(BTCUSDT) { market(position=0) }')
    await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    await isCut.promise
    await openEvents()
    await rig.startExecutor()
    await rig.noAlertsWait()
    expect(await accepted()).toEqual(['BUY 00000'])
  })

  test('sends nothing of which a caller was told that the exchange refused it', async () => {
    const isCut = Promise.withResolvers<void>()
    const told: string[] = []
    hear(rig.ops, 'result.*', (text) => void told.push(AlertResult.parse(JSON.parse(text)).outcome))
    await rig.startExecutor({
      ...byLink(),
      decoratePool: (pool) =>
        withVenues(pool, (venue) => ({
          ...venue,
          place: async (order, onSent) => {
            const placement = await venue.place(order, onSent)
            cutLater(isCut.resolve)
            return placement
          },
        })),
    })
    const openEvents = await closeEvents()
    await rig.paper.addFault({
      match: { path: '/fapi/v1/order', method: 'POST' },
      action: 'reject',
      code: -2019,
      message: 'Margin is insufficient.',
      count: 1,
    })
    const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    await isCut.promise
    await openEvents()
    await rig.startExecutor()
    expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
    expect(told).toHaveLength(1)
    expect(await accepted()).toEqual(['BUY 00000'])
  })

  test('refuses what its predecessor refused, though it could run it', async () => {
    const stopHearing = hear(rig.ops, 'result.*', way.cut)
    await rig.startExecutor({
      ...byLink(),
      decoratePool: (pool) => ({ ...pool, client: () => undefined, whenOpen: async () => undefined }),
    })
    const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    expect(await rig.resultOf(alertId)).toMatchObject({ outcome: 'refused', diagnostics: [{ code: 'E404' }] })
    stopHearing()
    await rig.startExecutor()
    await rig.noAlertsWait()
    expect(await rig.resultOf(alertId)).toMatchObject({ outcome: 'refused', diagnostics: [{ code: 'E404' }] })
    expect(await accepted()).toEqual([])
  })

  test('refuses nothing for want of a client that it has not tried to open yet', async () => {
    const waiting = Promise.withResolvers<void>()
    const tried = Promise.withResolvers<void>()
    let isTried = false
    await rig.startExecutor({
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
    const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    await Promise.race([waiting.promise, rig.resultOf(alertId)])
    isTried = true
    tried.resolve()
    expect(await rig.resultOf(alertId)).toMatchObject({ outcome: 'executed', status: 'success' })
    expect(await accepted()).toEqual(['BUY 00000'])
  })

  test('asks again what its predecessor told, where the bus does not answer', async () => {
    const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    await rig.startExecutor({
      connect: async (options) => withoutReading(await connectBus(options), 'EVENTS', 3),
    })
    expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
    expect(await accepted()).toEqual(['BUY 00000'])
  })

  test('warns of an entry whose protection it cannot place, since its exchange cannot be reached', async () => {
    const permitted = Promise.withResolvers<void>()
    const first = await rig.startExecutor({
      decoratePool: (pool) =>
        withVenues(pool, (venue) => ({
          ...venue,
          place: async (order, onSent) => {
            const placement = await venue.place(order, onSent)
            await permitted.promise
            return placement
          },
        })),
    })
    const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01); stop(sell, 100%, 58000) }')
    await waitFor(async () => (await accepted()).length > 0)
    const left = first.stop()
    // Only once it has begun to hand over does it end between two commands.
    await waitFor(async () => (await readBucket(rig.ops, 'members')).every(({ text }) => text === undefined))
    permitted.resolve()
    await left
    await rig.startExecutor({
      decoratePool: (pool) => ({ ...pool, client: () => undefined, whenOpen: async () => undefined }),
    })
    const commands = [{ status: 'success' }, { status: 'failed', errorCode: 'E404' }]
    expect(await rig.resultOf(alertId)).toMatchObject({ executions: [{ commands }] })
    const events = await rig.eventsOf(alertId, 'execution.finished')
    expect(events.filter(({ kind }) => kind === 'command.alarm')).toMatchObject([
      { command: 1, code: 'E404', text: expect.stringContaining('the entry is filled') },
    ])
  })

  describe('of several alerts of one lane', () => {
    const texts = ['buy', 'buy', 'sell', 'buy'].map((side) => `MyBot(BTCUSDT) { market(${side}, 0.01) }`)

    /** Starts an executor that tells which of the orders it asks the exchange for, by the last characters of their alerts. */
    async function startAsking(alertIds: readonly AlertId[]): Promise<() => number[]> {
      const asked = new Set<string>()
      await rig.startExecutor({
        decoratePool: (pool) =>
          withVenues(pool, (venue) => ({
            ...venue,
            lookUp: async (ref) => {
              asked.add(ref.clientOrderId.slice(1, 27))
              return await venue.lookUp(ref)
            },
          })),
      })
      return () => alertIds.flatMap((id, index) => (asked.has(id) ? [index] : []))
    }

    async function expectEachOnce(alertIds: readonly AlertId[]): Promise<void> {
      for (const alertId of alertIds) expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
      const placed = (await rig.paper.journal()).filter(({ outcome }) => outcome === 'accepted')
      expect(placed.map(({ clientOrderId }) => clientOrderId?.slice(1, 27))).toEqual(alertIds)
    }

    /** Sends all of them to an executor that is lost with its order of this place: before that is sent, or behind it. */
    async function loseAt(place: number, isSent: boolean): Promise<AlertId[]> {
      let count = 0
      const isLost = Promise.withResolvers<void>()
      await rig.startExecutor({
        ...byLink(),
        decoratePool: (pool) =>
          withVenues(pool, (venue) => ({
            ...venue,
            place: async (order, onSent) => {
              const isLast = count++ === place
              if (isSent || !isLast) await venue.place(order, onSent)
              if (isLast) {
                way.cut()
                isLost.resolve()
                return await new Promise(() => undefined)
              }
              return await venue.lookUp({ ...order, isConditional: false }).then((found) => {
                if (found.outcome !== 'found') throw new Error('the order is not there')
                return { outcome: 'done', order: found.order }
              })
            },
          })),
      })
      const alertIds: AlertId[] = []
      for (const text of texts) alertIds.push(await rig.send(text))
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

    test('asks for all of them where its predecessor does not say that it kept the order', async () => {
      const alertIds: AlertId[] = []
      for (const text of texts) alertIds.push(await rig.send(text))
      const leases = await openBucket(rig.ops, 'leases')
      const older = JSON.stringify({ owner: 'older', released: false })
      await leases.put(`${partitionOf(rig.userId)}`, older)
      const asked = await startAsking(alertIds)
      await expectEachOnce(alertIds)
      expect(asked()).toEqual([0, 1, 2, 3])
    })
  })

  test('can count on it that a refusal is stored before what lies behind it begins', async () => {
    const happened: string[] = []
    await rig.startExecutor({
      connect: async (options) => {
        const bus = await connectBus(options)
        const { publish } = bus
        bus.publish = async (publication) => {
          const isRefusal = publication.payload.includes('"alert.refused"')
          // Time enough for the alert behind it, which is there already.
          if (isRefusal) await new Promise((resolve) => setTimeout(resolve, 500))
          const stored = await publish(publication)
          if (isRefusal) happened.push('stored')
          return stored
        }
        return bus
      },
      decoratePool: (pool) =>
        withVenues(pool, (venue) => ({
          ...venue,
          place: async (order, onSent) => {
            happened.push('placed')
            return await venue.place(order, onSent)
          },
        })),
    })
    await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))
    happened.length = 0
    await rig.send('MyBot(NOSUCHCOIN) { market(buy, 0.01) }')
    await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))
    expect(happened).toEqual(['stored', 'placed'])
  })

  test('knows of no order, and of each death, where its predecessor stopped before it ran what it found', async () => {
    await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    const leases = await openBucket(rig.ops, 'leases')
    const key = `${partitionOf(rig.userId)}`
    await leases.put(key, JSON.stringify({ owner: 'one that died', released: false, deaths: 1 }))
    await rig.paper.addFault({ match: {}, action: 'status', status: 503 })
    const isTaken = Promise.withResolvers<void>()
    const executor = await rig.startExecutor({
      decoratePool: (pool) => ({
        ...pool,
        hurry: (botId) => {
          pool.hurry(botId)
          isTaken.resolve()
        },
      }),
    })
    await isTaken.promise
    const known = async (): Promise<unknown[]> => {
      const { released, stopped, deaths, inOrder } = JSON.parse((await leases.get(key))?.text ?? 'null')
      return [released, stopped, deaths, inOrder]
    }
    expect(await known()).toEqual([false, undefined, 2, undefined])
    await executor.stop()
    expect(await known()).toEqual([false, true, 2, undefined])
    await rig.paper.clearFaults()
  })

  test('finds the port of its predecessor taken for as long as something runs there', async () => {
    const permitted = Promise.withResolvers<void>()
    const first = await rig.startExecutor({
      decoratePool: (pool) =>
        withVenues(pool, (venue) => ({
          ...venue,
          place: async (order, onSent) => {
            const placement = await venue.place(order, onSent)
            await permitted.promise
            return placement
          },
        })),
    })
    const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    await waitFor(async () => (await accepted()).length > 0)
    let isGone = false
    const left = first.stop().then(() => {
      isGone = true
    })
    await waitFor(async () => (await readBucket(rig.ops, 'members')).every(({ text }) => text === undefined))
    const answer = await fetch(`http://127.0.0.1:${first.port}/livez`)
    expect([answer.status, isGone]).toEqual([200, false])
    permitted.resolve()
    await left
    expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
    await expect(fetch(`http://127.0.0.1:${first.port}/livez`)).rejects.toThrow()
    const leases = await readBucket(rig.ops, 'leases')
    expect(leases.filter(({ text }) => text?.includes('"released":false'))).toEqual([])
  })

  describe('of an alert that waits', () => {
    const text = 'MyBot(BTCUSDT) { market(buy, 0.01); wait(2); market(sell, 0.01) }'

    /** Cuts an executor off from the bus the moment it has told that the wait of an alert began. */
    async function loseInWait(message = text): Promise<AlertId> {
      await rig.startExecutor({
        connect: async (options) => {
          const bus = await connectBus({ ...options, url: way.url })
          const { publish } = bus
          bus.publish = async (publication) => {
            const stored = await publish(publication)
            if (publication.payload.includes('"command.waiting"')) way.cut()
            return stored
          }
          return bus
        },
      })
      const alertId = await rig.send(message)
      await rig.eventsOf(alertId, 'command.waiting')
      return alertId
    }

    const long = 'MyBot(BTCUSDT) { market(buy, 0.01); wait(3600); market(sell, 0.01) }'
    const skipped = { status: 'skipped', errorCode: 'E516' }

    /** Expects that the rest of an alert ended since its bot was unlinked, and that all of its story is told. */
    async function expectEnded(alertId: AlertId): Promise<void> {
      expect(await rig.resultOf(alertId)).toMatchObject({
        outcome: 'executed',
        status: 'partial',
        executions: [{ status: 'partial', commands: [{ status: 'success' }, skipped, skipped] }],
      })
      const events = await rig.eventsOf(alertId, 'execution.finished')
      const told = events.flatMap((event) =>
        event.kind === 'command.finished' ? [`${event.command} ${event.outcome.status}`] : [],
      )
      expect(told).toEqual(['0 success', '1 skipped', '2 skipped'])
      expect(events.map(({ kind }) => kind)).not.toContain('command.alarm')
      expect(events.at(-1)).toMatchObject({ status: 'partial', exchange: 'paper_futures' })
      expect(await accepted()).toEqual(['BUY 00000'])
      await rig.noAlertsWait()
    }

    test('ends the rest where its bot was unlinked before its predecessor learned of it', async () => {
      const alertId = await loseInWait(long)
      await rig.unlink()
      await rig.startExecutor()
      await expectEnded(alertId)
    })

    test('ends the rest where its bot was unlinked while nobody was there', async () => {
      const first = await rig.startExecutor()
      const alertId = await rig.send(long)
      await rig.eventsOf(alertId, 'command.waiting')
      await first.stop()
      await rig.unlink()
      await rig.startExecutor()
      await expectEnded(alertId)
    })

    test('says that the order behind a wait that was over may be there where its bot was unlinked', async () => {
      const alertId = await loseInWait()
      await rig.unlink()
      await rig.startExecutor()
      expect(await rig.resultOf(alertId)).toMatchObject({
        executions: [{ commands: [{ status: 'success' }, { errorCode: 'E602' }, { status: 'skipped' }] }],
      })
      const events = await rig.eventsOf(alertId, 'execution.finished')
      expect(events.map(({ kind }) => kind)).toContain('command.alarm')
    })

    test('goes on with it however long its exchange takes to be warm', async () => {
      const alertId = await loseInWait()
      await rig.startExecutor({
        decoratePool: (pool) => {
          let isWarm = false
          return {
            ...pool,
            client: (botId) => (isWarm ? pool.client(botId) : undefined),
            // To an alert that nobody began this exchange would be out of reach.
            whenOpen: async (botId, timeoutMs) => {
              if (timeoutMs <= 10_000) return undefined
              const client = await pool.whenOpen(botId, timeoutMs)
              isWarm = true
              return client
            },
          }
        },
      })
      expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
      expect(await accepted()).toEqual(['BUY 00000', 'SELL 00200'])
    })

    test('says what is not known where its exchange cannot be reached at all', async () => {
      const alertId = await loseInWait()
      await rig.startExecutor({
        decoratePool: (pool) => ({ ...pool, client: () => undefined, whenOpen: async () => undefined }),
      })
      const commands = [
        { status: 'success' },
        { status: 'failed', errorCode: 'E602' },
        { status: 'skipped', errorCode: null },
      ]
      expect(await rig.resultOf(alertId)).toMatchObject({
        outcome: 'executed',
        status: 'partial',
        executions: [{ status: 'partial', commands }],
      })
      const events = await rig.eventsOf(alertId, 'execution.finished')
      expect(events.map(({ kind }) => kind)).toContain('command.alarm')
      expect(await accepted()).toEqual(['BUY 00000'])
    })
  })

  /** Starts an executor that places the order of an alert and then neither learns of it nor reaches the bus. */
  async function loseOneOrder(): Promise<AlertId> {
    await rig.startExecutor({
      ...byLink(),
      decoratePool: (pool) =>
        withVenues(pool, (venue) => ({
          ...venue,
          place: async (order, onSent) => {
            await venue.place(order, onSent)
            way.cut()
            return await new Promise<never>(() => undefined)
          },
        })),
    })
    const alertId = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    await waitFor(async () => (await accepted()).length > 0)
    return alertId
  }

  test('row 13: looks up what its predecessor had not looked up when it stopped, and adopts the filled order', async () => {
    const alertId = await loseOneOrder()
    const asked = { lookUps: 0 }
    const second = await rig.startExecutor({
      decoratePool: (pool) =>
        withVenues(pool, (venue) => ({
          ...venue,
          lookUp: async () => {
            asked.lookUps++
            return { outcome: 'unreachable', cause: 'no answer' }
          },
        })),
    })
    await waitFor(() => asked.lookUps > 0, { deadlineMs: 60_000 })
    await second.stop()
    await rig.startExecutor()
    await rig.resultOf(alertId)
    expect(await accepted()).toEqual(['BUY 00000'])
  })

  test('looks up what its predecessor had not even read when it stopped', async () => {
    const alertId = await loseOneOrder()
    const before = await rig.leaseOwner()
    const second = await rig.startExecutor({
      connect: async (options) => withoutReading(await connectBus(options), 'ALERTS'),
    })
    await waitFor(async () => (await rig.leaseOwner()) !== before, { deadlineMs: 60_000 })
    await second.stop()
    await rig.startExecutor()
    await rig.resultOf(alertId)
    expect(await accepted()).toEqual(['BUY 00000'])
  })
})

test('a former owner cancels nothing of what its successor placed, however late its list comes', async () => {
  const listing = Promise.withResolvers<void>()
  const mayList = Promise.withResolvers<void>()
  const canceled: string[] = []
  await rig.startExecutor({
    ...byLink(),
    decoratePool: (pool) =>
      withVenues(pool, (venue) => ({
        ...venue,
        openOrders: async (symbol, isUrgent) => {
          listing.resolve()
          await mayList.promise
          return await venue.openOrders(symbol, isUrgent)
        },
        cancel: async (ref, seenAt) => {
          const cancellation = await venue.cancel(ref, seenAt)
          canceled.push(cancellation.outcome)
          return cancellation
        },
      })),
  })
  const bought = await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  await rig.resultOf(bought)
  const cancel = await rig.send('MyBot(BTCUSDT) { cancel }')
  await listing.promise
  way.cut()
  await rig.startExecutor()
  expect(await rig.resultOf(cancel)).toMatchObject({ status: 'success' })
  const protectedBy = await rig.send('MyBot(BTCUSDT) { sltp(amount=100%, sl=58000, tp=62000) }')
  expect(await rig.resultOf(protectedBy)).toMatchObject({ status: 'success' })
  const placed = (await rig.account()).openOrders
  expect(placed).toHaveLength(2)
  mayList.resolve()
  await waitFor(() => canceled.length > 0)
  expect(canceled).toEqual(['withheld'])
  expect((await rig.account()).openOrders).toEqual(placed)
}, 60_000)
