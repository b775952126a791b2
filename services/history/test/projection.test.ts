import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ensureStreams } from '@tripline/kit/bus/streams'
import { openDatabase } from '@tripline/kit/postgres'
import type { ExecutionEvent } from '@tripline/proto/event'
import { testLog } from '@tripline/testkit/log'
import { postgres } from '@tripline/testkit/postgres'
import { waitFor } from '@tripline/testkit/wait-for'
import fc from 'fast-check'
import { createTakeEvents } from '../src/consumers/event.ts'
import type { Db, Tables } from '../src/store/tables.ts'
import { alertId, amendedAlert, eventsOfAlert, lateAnswer, refusal } from './event-builder.ts'
import { type HistoryFixture, migrations, startFixture } from './history-fixture.ts'

describe('the projection of the event stream', () => {
  let history: HistoryFixture
  beforeAll(async () => {
    history = await startFixture()
  })
  afterAll(async () => await history.stop())

  test('shows an execution as running until it is finished', async () => {
    const events = eventsOfAlert({ number: 1 })
    await history.publish(events.slice(0, 2))
    const running = await listed(1)
    expect(running).toMatchObject({ status: 'running', totalMs: null, commands: [{ status: 'running' }] })
    await history.publish(events.slice(2))
    await waitFor(async () => (await listed(1)).status === 'success')
    expect(await listed(1)).toMatchObject({
      id: `${alertId(1)}-0`,
      createdAt: '2026-11-21T12:00:01.000Z',
      label: 'MyBot',
      exchange: 'paper_futures',
      symbol: 'BTCUSDT',
      totalMs: 6.25,
      message: 'MyBot(BTCUSDT) { market(buy, 0.01) }',
      commands: [
        {
          type: 'market',
          params: { side: 'buy', amount: '0.01' },
          status: 'success',
          executionTimeMs: 3.5,
          result: { id: '42', price: '60000' },
        },
      ],
    })
  })

  test('keeps a refused alert as a failed row with its code and text', async () => {
    await history.publish([refusal(2)])
    expect(await listed(2)).toMatchObject({
      id: alertId(2),
      status: 'failed',
      errorCode: 'E201',
      error: 'unknown bot NoBot',
      message: 'NoBot(BTCUSDT) { market(buy, 1) }',
      label: null,
      commands: [],
    })
  })

  test('leaves out messages that cannot be understood or stored, and takes later ones', async () => {
    const [impossible] = eventsOfAlert({ number: 3 })
    await history.publishText('no JSON')
    await history.publishText(JSON.stringify({ kind: 'execution.dreamt' }))
    await history.publishText(JSON.stringify({ ...impossible, receivedAt: 1e300, at: 1e300 }))
    await history.publish(eventsOfAlert({ number: 4 }))
    await listed(4)
    expect((await history.list()).executions.map((execution) => execution.alertId)).not.toContain(alertId(3))
    const aside = await history.query(
      `select convert_from(event, 'UTF8') as event, reason from set_aside order by 1`,
    )
    expect(aside).toMatchObject([
      { event: 'no JSON', reason: expect.stringContaining('not understood') },
      { event: expect.stringContaining('execution.dreamt') },
      { event: expect.stringContaining(alertId(3)), reason: expect.stringContaining('range') },
    ])
    await history.query('delete from set_aside')
  })

  test('leaves out of several events in one message those that cannot be understood or stored, and nothing else', async () => {
    const [impossible] = eventsOfAlert({ number: 6 })
    const [first, ...others] = eventsOfAlert({ number: 7 })
    const parts = [
      first,
      { kind: 'execution.dreamt', of: 'half \ud800' },
      { ...impossible, receivedAt: 1e300, at: 1e300 },
      'no event',
      ...others,
    ]
    await history.publishText(JSON.stringify(parts))
    const projected = await waitFor(async () => {
      const execution = await listed(7)
      return execution.status === 'success' && execution
    })
    const aside = await waitFor(async () => {
      const rows = await history.query(
        `select place, convert_from(event, 'UTF8') as event, reason from set_aside order by place`,
      )
      return rows.length === 3 && rows
    })
    expect(projected).toMatchObject({ commands: [{ status: 'success' }] })
    expect(aside).toMatchObject([
      {
        place: 1,
        event: JSON.stringify(parts[1]),
        reason: expect.stringContaining('not understood'),
      },
      { place: 2, event: JSON.stringify(parts[2]), reason: expect.stringContaining('range') },
      { place: 3, event: '"no event"', reason: expect.stringContaining('not understood') },
    ])
    expect((await history.list()).executions.map((execution) => execution.alertId)).not.toContain(alertId(6))
  })

  test('stores a message with characters that Postgres has no text for', async () => {
    await history.publish(eventsOfAlert({ number: 5, message: 'nul \0 and half \ud800' }))
    expect(await listed(5)).toMatchObject({ message: 'nul \ufffd and half \ufffd' })
  })

  test('keeps rows that are older than the stream, and gives the same rows when it is read again', async () => {
    await waitFor(async () => (await listed(5)).status === 'success')
    const before = await history.list()
    await history.executor.close()
    await history.stopHistory()
    const ops = await history.nats.connect('ops')
    await ops.manager.streams.purge('EVENTS', { seq: 8 })
    await ops.manager.consumers.delete('EVENTS', 'to-history')
    await ensureStreams(ops, { replicas: 1 })
    await history.restart()
    await waitFor(
      async () => (await ops.manager.consumers.info('EVENTS', 'to-history')).num_ack_pending === 0,
    )
    await waitFor(async () => {
      const { num_pending } = await ops.manager.consumers.info('EVENTS', 'to-history')
      return num_pending === 0
    })
    expect(await history.list()).toEqual(before)
  })

  async function listed(number: number) {
    return await waitFor(async () => {
      const { executions } = await history.list()
      return executions.find((execution) => execution.alertId === alertId(number))
    })
  }
})

describe('a database that is away', () => {
  test('is reported as not ready and unavailable, and catches up once it is back', async () => {
    const history = await startFixture()
    try {
      await waitFor(history.isReady)
      history.cut(true)
      await history.publish(eventsOfAlert({ number: 1 }))
      await expect(history.list()).rejects.toMatchObject({ code: 'unavailable' })
      await waitFor(async () => !(await history.isReady()))
      await history.publish(eventsOfAlert({ number: 2 }))
      history.cut(false)
      await waitFor(async () => (await history.list({ status: 'success' })).total === 2)
      await waitFor(history.isReady)
    } finally {
      await history.stop()
    }
  })
})

describe('an event that fails for long', () => {
  test('is set aside, after which it is ready again, and the others are taken', async () => {
    const history = await startFixture()
    try {
      await waitFor(history.isReady)
      await history.query("alter table execution add constraint refused check (label <> 'Refused') not valid")
      await history.publish(eventsOfAlert({ number: 1, label: 'Refused' }).slice(0, 1))
      await history.publish(eventsOfAlert({ number: 2 }))
      await waitFor(async () => !(await history.isReady()))
      await waitFor(async () => (await history.list({ status: 'success' })).total === 1)
      await waitFor(history.isReady)
      const aside = await history.query("select convert_from(event, 'UTF8') as event, reason from set_aside")
      expect(aside).toMatchObject([
        {
          event: expect.stringContaining(alertId(1)),
          reason: expect.stringContaining('violates check constraint'),
        },
      ])
    } finally {
      await history.stop()
    }
  })
})

describe('rows', () => {
  test('are the same however the events are ordered, repeated, and cut into messages and batches', async () => {
    const events = [
      ...eventsOfAlert({ number: 1, blocks: 2 }),
      ...lateAnswer(),
      ...amendedAlert(8),
      refusal(9),
    ]
    const expected = await rowsAfter([events.map((event) => [event])])
    expect(expected.executions.find(({ id }) => id === `${alertId(8)}-0`)).toMatchObject({
      status: 'success',
      codes: null,
    })
    expect(expected.orders).toHaveLength(4)
    const batches = fc
      .shuffledSubarray(events, { minLength: events.length })
      .chain((order) => fc.array(fc.constantFrom(...events)).map((repeats) => [...repeats, ...order]))
      .chain((shuffled) =>
        fc.integer({ min: 1, max: shuffled.length }).map((size) => inParts(shuffled, size)),
      )
      .chain((messages) =>
        fc.integer({ min: 1, max: messages.length }).map((size) => inParts(messages, size)),
      )
    await fc.assert(
      fc.asyncProperty(batches, async (batch) => expect(await rowsAfter(batch)).toEqual(expected)),
      { numRuns: 40 },
    )
  })

  test('of more values than one statement may have are stored', async () => {
    await db.deleteFrom('execution').execute()
    const commands = Array.from({ length: 50 }, () => ({ type: 'balance', params: { coin: 'USDT' } }))
    const batch = Array.from({ length: 2 }, (_, number) =>
      eventsOfAlert({ number: number + 1, blocks: 70 }).filter(({ kind }) => kind === 'execution.received'),
    ).flat()
    const messages = batch.map((event, sequence) => ({
      subject: '',
      sequence,
      text: JSON.stringify({ ...event, commands }),
    }))
    await createTakeEvents({ db, log: testLog('history') })(messages)
    const { count } = await db
      .selectFrom('command')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect([batch.length, count]).toEqual([140, 7000])
    expect(await db.selectFrom('set_aside').selectAll().execute()).toEqual([])
  })

  let db: Db
  let stopDatabase: () => Promise<void>
  beforeAll(async () => {
    const database = await postgres({ schema: 'history', migrations })
    db = openDatabase<Tables>(database.url, 'history', testLog('history'))
    stopDatabase = database.stop
  })
  afterAll(async () => {
    await db.destroy()
    await stopDatabase()
  })

  async function rowsAfter(batches: ExecutionEvent[][][]) {
    await db.deleteFrom('execution').execute()
    for (const batch of batches) {
      const messages = batch.map((events, index) => ({
        subject: '',
        sequence: index,
        text: JSON.stringify(events.length === 1 ? events[0] : events),
      }))
      await createTakeEvents({ db, log: testLog('history') })(messages)
    }
    return {
      executions: await db.selectFrom('execution').selectAll().orderBy('id').execute(),
      events: await db
        .selectFrom('event')
        .selectAll()
        .orderBy('execution_id')
        .orderBy('at')
        .orderBy('id')
        .execute(),
      commands: await db.selectFrom('command').selectAll().orderBy('execution_id').orderBy('place').execute(),
      orders: await db.selectFrom('placed_order').selectAll().orderBy('client_order_id').execute(),
    }
  }

  function inParts<Part>(whole: Part[], size: number): Part[][] {
    const count = Math.ceil(whole.length / size)
    return Array.from({ length: count }, (_, index) => whole.slice(index * size, (index + 1) * size))
  }
})
