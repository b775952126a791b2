import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ExecutionEvent } from '@tripline/proto/event'
import { waitFor } from '@tripline/testkit/wait-for'
import { alertId, eventsOfAlert, refusal, stranger } from './event-builder.ts'
import { type HistoryFixture, startFixture } from './history-fixture.ts'

/** The events of an alert as executors publish them: its text is with the first block that is published. */
function withTextOnce(events: readonly ExecutionEvent[], body: string): ExecutionEvent[] {
  const received = events.filter(({ kind }) => kind === 'execution.received')
  return events.map((event) => {
    if (event.kind !== 'execution.received') return event
    return event === received[0] ? { ...event, body } : { ...event, message: '' }
  })
}

describe('the text of an alert with several blocks', () => {
  const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }\nMyBot(ETHUSDT) { market(buy, 0.01) }'
  const body = JSON.stringify({ message })
  let history: HistoryFixture
  beforeAll(async () => {
    history = await startFixture()
  })
  afterAll(async () => await history.stop())

  const eventsOf = async (number: number): Promise<unknown[]> =>
    await Promise.all(
      [0, 1, 2].map(async (block) => {
        const { execution, body } = await history.get(`${alertId(number)}-${block}`)
        return [execution.message, body]
      }),
    )

  test('is returned with each, though one event alone has it, and also after a rebuild', async () => {
    await history.publish(withTextOnce(eventsOfAlert({ number: 1, blocks: 3, message }), body))
    await waitFor(async () => (await history.list({ status: 'success' })).total === 3)
    expect(await eventsOf(1)).toEqual(Array.from({ length: 3 }, () => [message, body]))
    const { executions } = await history.list()
    expect(executions.map((execution) => execution.message)).toEqual([message, message, message])
    await history.rebuild()
    expect(await eventsOf(1)).toEqual(Array.from({ length: 3 }, () => [message, body]))
  })

  test('is returned also where the event that has it comes last', async () => {
    const [first, ...others] = withTextOnce(eventsOfAlert({ number: 2, blocks: 3, message }), body)
    await history.publish([...others, ...(first ? [first] : [])])
    await waitFor(async () => (await history.get(`${alertId(2)}-0`)).body !== null)
    expect(await eventsOf(2)).toEqual(Array.from({ length: 3 }, () => [message, body]))
  })

  test('is returned also as executors of an earlier version publish it, with every block', async () => {
    await history.publish(eventsOfAlert({ number: 3, blocks: 3, message }))
    await waitFor(async () => (await history.list({ status: 'success' })).total === 9)
    expect(await eventsOf(3)).toEqual(Array.from({ length: 3 }, () => [message, null]))
  })

  test('is returned also of rows that history of an earlier version wrote', async () => {
    await history.query(`update execution set message = '' where message is null`)
    expect(await eventsOf(1)).toEqual(Array.from({ length: 3 }, () => [message, body]))
  })
})

describe('history.execution.get', () => {
  let history: HistoryFixture
  beforeAll(async () => {
    history = await startFixture()
    const [received, ...others] = eventsOfAlert({ number: 1 })
    if (received?.kind !== 'execution.received') throw new Error('an alert begins with its receipt')
    await history.publish([{ ...received, body: '{"message": "MyBot..."}' }, ...others])
    await history.publish([refusal(2), ...eventsOfAlert({ number: 3, userId: stranger })])
    await waitFor(async () => (await history.list({ userId: stranger, status: 'success' })).total === 1)
  })
  afterAll(async () => await history.stop())

  test('returns an execution with its raw body, its stages, and every event in order', async () => {
    const { execution, body, stages, events } = await history.get(`${alertId(1)}-0`)
    expect(execution).toMatchObject({ status: 'success', commands: [{ type: 'market', status: 'success' }] })
    expect(body).toBe('{"message": "MyBot..."}')
    expect(stages).toEqual({ queueMs: 1, planMs: 2, venueMs: 1, settleMs: 2 })
    expect(events.map(({ kind, afterMs, command }) => [kind, afterMs, command])).toEqual([
      ['execution.received', 1, null],
      ['command.started', 2, 0],
      ['order.sent', 3, 0],
      ['order.acknowledged', 4, 0],
      ['command.finished', 5, 0],
      ['execution.finished', 6, null],
    ])
    expect(events[3]?.details).toMatchObject({ venueOrderId: '42', averagePrice: '60000', roundTripMs: 1.5 })
  })

  test('shows that an alert came again, and makes no row of one that has no execution', async () => {
    const { id: executionId, ...row } = (await history.get(`${alertId(1)}-0`)).execution
    const before = (await history.list({})).total
    const [received] = eventsOfAlert({ number: 1 })
    if (received?.kind !== 'execution.received') throw new Error('an alert begins with its receipt')
    const { alertId: resentAs, at } = received
    const again = { ...received, message: '', commands: [], resentAs, receivedAt: at + 5000 }
    const resent = { ...again, eventId: `${executionId}.-.resent.1`, at: at + 5001 }
    const unknown = alertId(9)
    const other = { ...resent, eventId: 'other', alertId: unknown, executionId: `${unknown}-0` as never }
    await history.publish([other, resent])
    const events = await waitFor(async () => {
      const recorded = (await history.get(executionId)).events
      return recorded.length === 7 && recorded
    })
    expect(events.at(-1)).toMatchObject({ kind: 'alert.resent', details: { resentAs } })
    expect((await history.get(executionId)).execution).toEqual({ id: executionId, ...row })
    expect((await history.list({})).total).toBe(before)
  })

  test('shows why an alert was refused', async () => {
    const { execution, events, stages } = await history.get(alertId(2))
    expect(execution).toMatchObject({ status: 'failed', errorCode: 'E201' })
    expect(events).toMatchObject([{ kind: 'alert.refused', details: { errorCode: 'E201' } }])
    expect(stages).toEqual({ settleMs: 1 })
  })

  test.each([['nonsense'], [`${alertId(1)}-1`], [`${alertId(3)}-0`]])(
    'knows nothing of %s, which is nobody’s or another user’s',
    async (id) => {
      await expect(history.get(id)).rejects.toMatchObject({ code: 'not_found' })
    },
  )

  test('hands nobody the row of another user', async () => {
    await expect(history.get(`${alertId(1)}-0`, stranger)).rejects.toMatchObject({ code: 'not_found' })
  })
})
