import { describe, expect, test } from '@jest/globals'
import { openBucket, readBucket } from '@tripline/kit/bus/bucket'
import { connectBus } from '@tripline/kit/bus/bus'
import type { AlertId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { cuttableRigOfTest } from './cuttable-rig.ts'
import { withStoring } from './with-storing.ts'
import { behindOrders, reachesNone, withVenues } from './with-venues.ts'
import { withoutReading } from './without-reading.ts'

const on = cuttableRigOfTest()

describe('the orders that a predecessor left', () => {
  test('warns of an entry whose protection it cannot place, since its exchange cannot be reached', async () => {
    const { alertId, permit, left } = await on.stopBehindOrder(
      'MyBot(BTCUSDT) { market(buy, 0.01); stop(sell, 100%, 58000) }',
    )
    permit()
    await left
    await on.rig.startExecutor(reachesNone)
    const commands = [{ status: 'success' }, { status: 'failed', errorCode: 'E404' }]
    expect(await on.rig.resultOf(alertId)).toMatchObject({ executions: [{ commands }] })
    const events = await on.rig.eventsOf(alertId, 'execution.finished')
    expect(events.filter(({ kind }) => kind === 'command.alarm')).toMatchObject([
      { command: 1, code: 'E404', text: expect.stringContaining('the entry is filled') },
    ])
  })

  test('knows of no order, and of each death, where its predecessor stopped before it ran the alerts it found', async () => {
    await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    const leases = await openBucket(on.rig.ops, 'leases')
    const key = `${partitionOf(on.rig.userId)}`
    await leases.put(key, JSON.stringify({ owner: 'one that died', released: false, deaths: 1 }))
    await on.rig.paper.addFault({ match: {}, action: 'status', status: 503 })
    const isTaken = Promise.withResolvers<void>()
    const executor = await on.rig.startExecutor({
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
    await on.rig.paper.clearFaults()
  })

  test('finds the port of its predecessor taken for as long as something runs there', async () => {
    const { first, alertId, permit, left } = await on.stopBehindOrder('MyBot(BTCUSDT) { market(buy, 0.01) }')
    let isGone = false
    void left.then(() => {
      isGone = true
    })
    const answer = await fetch(`http://127.0.0.1:${first.port}/livez`)
    expect([answer.status, isGone]).toEqual([200, false])
    permit()
    await left
    expect(await on.rig.resultOf(alertId)).toMatchObject({ status: 'success' })
    await expect(fetch(`http://127.0.0.1:${first.port}/livez`)).rejects.toThrow()
    const leases = await readBucket(on.rig.ops, 'leases')
    expect(leases.filter(({ text }) => text?.includes('"released":false'))).toEqual([])
  })

  describe('of an alert that waits', () => {
    const text = 'MyBot(BTCUSDT) { market(buy, 0.01); wait(2); market(sell, 0.01) }'

    /** Cuts an executor off from the bus the moment it has published that the wait of an alert began. */
    async function loseInWait(message = text): Promise<AlertId> {
      const cutInWait: Parameters<typeof withStoring>[0] = async (publication, publish) => {
        const stored = await publish(publication)
        if (publication.payload.includes('"command.waiting"')) on.way.cut()
        return stored
      }
      await on.rig.startExecutor({ ...on.byLink(), ...withStoring(cutInWait, on.way) })
      const alertId = await on.rig.send(message)
      await on.rig.eventsOf(alertId, 'command.waiting')
      return alertId
    }

    const long = 'MyBot(BTCUSDT) { market(buy, 0.01); wait(3600); market(sell, 0.01) }'
    const skipped = { status: 'skipped', errorCode: 'E516' }

    /** Expects that the rest of an alert ended since its bot was unlinked, and that all of its events are published. */
    async function expectEnded(alertId: AlertId): Promise<void> {
      expect(await on.rig.resultOf(alertId)).toMatchObject({
        outcome: 'executed',
        status: 'partial',
        executions: [{ status: 'partial', commands: [{ status: 'success' }, skipped, skipped] }],
      })
      const events = await on.rig.eventsOf(alertId, 'execution.finished')
      const outcomes = events.flatMap((event) =>
        event.kind === 'command.finished' ? [`${event.command} ${event.outcome.status}`] : [],
      )
      expect(outcomes).toEqual(['0 success', '1 skipped', '2 skipped'])
      expect(events.map(({ kind }) => kind)).not.toContain('command.alarm')
      expect(events.at(-1)).toMatchObject({ status: 'partial', exchange: 'paper_futures' })
      expect(await on.accepted()).toEqual(['BUY 00000'])
      await on.rig.noAlertsWait()
    }

    test('ends the rest where its bot was unlinked before its predecessor learned of it', async () => {
      const alertId = await loseInWait(long)
      await on.rig.unlink()
      await on.rig.startExecutor()
      await expectEnded(alertId)
    })

    test('ends the rest where its bot was unlinked while nobody was there', async () => {
      const first = await on.rig.startExecutor()
      const alertId = await on.rig.send(long)
      await on.rig.eventsOf(alertId, 'command.waiting')
      await first.stop()
      await on.rig.unlink()
      await on.rig.startExecutor()
      await expectEnded(alertId)
    })

    test('says that the order behind a wait that was over may be there where its bot was unlinked', async () => {
      const alertId = await loseInWait()
      await on.rig.unlink()
      await on.rig.startExecutor()
      expect(await on.rig.resultOf(alertId)).toMatchObject({
        executions: [{ commands: [{ status: 'success' }, { errorCode: 'E602' }, { status: 'skipped' }] }],
      })
      const events = await on.rig.eventsOf(alertId, 'execution.finished')
      expect(events.map(({ kind }) => kind)).toContain('command.alarm')
    })

    test('goes on with it however long its exchange takes to be warm', async () => {
      const alertId = await loseInWait()
      await on.rig.startExecutor({
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
      expect(await on.rig.resultOf(alertId)).toMatchObject({ status: 'success' })
      expect(await on.accepted()).toEqual(['BUY 00000', 'SELL 00200'])
    })

    test('names the unknown orders where its exchange cannot be reached at all', async () => {
      const alertId = await loseInWait()
      await on.rig.startExecutor(reachesNone)
      const commands = [
        { status: 'success' },
        { status: 'failed', errorCode: 'E602' },
        { status: 'skipped', errorCode: null },
      ]
      expect(await on.rig.resultOf(alertId)).toMatchObject({
        outcome: 'executed',
        status: 'partial',
        executions: [{ status: 'partial', commands }],
      })
      const events = await on.rig.eventsOf(alertId, 'execution.finished')
      expect(events.map(({ kind }) => kind)).toContain('command.alarm')
      expect(await on.accepted()).toEqual(['BUY 00000'])
    })
  })

  /** Starts an executor that places the order of an alert and then neither learns of it nor reaches the bus. */
  async function loseOneOrder(): Promise<AlertId> {
    await on.rig.startExecutor({
      ...on.byLink(),
      ...behindOrders(async () => {
        on.way.cut()
        await new Promise<never>(() => undefined)
      }),
    })
    const alertId = await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
    await waitFor(async () => (await on.accepted()).length > 0)
    return alertId
  }

  test('row 13: looks up an order that its predecessor had not looked up when it stopped, and adopts the filled one', async () => {
    const alertId = await loseOneOrder()
    const asked = { lookUps: 0 }
    const second = await on.rig.startExecutor(
      withVenues(() => ({
        lookUp: async () => {
          asked.lookUps++
          return { outcome: 'unreachable', cause: 'no answer' }
        },
      })),
    )
    await waitFor(() => asked.lookUps > 0, { deadlineMs: 60_000 })
    await second.stop()
    await on.rig.startExecutor()
    await on.rig.resultOf(alertId)
    expect(await on.accepted()).toEqual(['BUY 00000'])
  })

  test('looks up an order whose alert its predecessor had not even read when it stopped', async () => {
    const alertId = await loseOneOrder()
    const before = await on.rig.leaseOwner()
    const second = await on.rig.startExecutor({
      connect: async (options) => withoutReading(await connectBus(options), 'ALERTS'),
    })
    await waitFor(async () => (await on.rig.leaseOwner()) !== before, { deadlineMs: 60_000 })
    await second.stop()
    await on.rig.startExecutor()
    await on.rig.resultOf(alertId)
    expect(await on.accepted()).toEqual(['BUY 00000'])
  })
})

test('a former owner cancels no order of its successor, however late its list comes', async () => {
  const listing = Promise.withResolvers<void>()
  const mayList = Promise.withResolvers<void>()
  const canceled: string[] = []
  await on.rig.startExecutor({
    ...on.byLink(),
    ...withVenues((venue) => ({
      openOrders: async (symbol, isUrgent) => {
        listing.resolve()
        await mayList.promise
        // Reads lag: one that shows nothing yet would leave nothing to cancel.
        return await waitFor(async () => {
          const open = await venue.openOrders(symbol, isUrgent)
          return open.outcome === 'read' && open.orders.length === 2 && open
        })
      },
      cancel: async (ref, seenAt) => {
        const cancellation = await venue.cancel(ref, seenAt)
        canceled.push(cancellation.outcome)
        return cancellation
      },
    })),
  })
  const bought = await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }')
  await on.rig.resultOf(bought)
  const cancel = await on.rig.send('MyBot(BTCUSDT) { cancel }')
  await listing.promise
  on.way.cut()
  await on.rig.startExecutor()
  expect(await on.rig.resultOf(cancel)).toMatchObject({ status: 'success' })
  const protectedBy = await on.rig.send('MyBot(BTCUSDT) { sltp(amount=100%, sl=58000, tp=62000) }')
  expect(await on.rig.resultOf(protectedBy)).toMatchObject({ status: 'success' })
  const placed = (await on.rig.account()).openOrders
  expect(placed).toHaveLength(2)
  mayList.resolve()
  await waitFor(() => canceled.length > 0)
  expect(canceled).toEqual(['withheld'])
  expect((await on.rig.account()).openOrders).toEqual(placed)
}, 60_000)
