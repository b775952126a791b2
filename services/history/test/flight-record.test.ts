import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { alertId, eventsOfAlert, refusal, stranger } from './event-builder.ts'
import { type HistoryFixture, startFixture } from './history-fixture.ts'

describe('history.execution.get', () => {
  let history: HistoryFixture
  beforeAll(async () => {
    history = await startFixture()
    const [received, ...others] = eventsOfAlert({ number: 1 })
    if (received?.kind !== 'execution.received') throw new Error('an alert begins with its receipt')
    await history.tell([{ ...received, body: '{"message": "MyBot..."}' }, ...others])
    await history.tell([refusal(2), ...eventsOfAlert({ number: 3, userId: stranger })])
    await waitFor(async () => (await history.list({ userId: stranger, status: 'success' })).total === 1)
  })
  afterAll(async () => await history.stop())

  test('tells an execution with its raw body, its stages, and every event in order', async () => {
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

  test('tells why an alert was refused', async () => {
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
