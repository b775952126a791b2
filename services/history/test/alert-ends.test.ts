import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import { lastSequence } from '@tripline/kit/bus/stream-end'
import type { ExecutionEvent } from '@tripline/proto/event'
import { listAlertEnds, readAlertEnds } from '@tripline/proto/history-request'
import { waitFor } from '@tripline/testkit/wait-for'
import { alertId, amendedAlert, eventsOfAlert, refusal, stranger, user } from './event-builder.ts'
import { type HistoryFixture, startFixture } from './history-fixture.ts'

describe('history.alert', () => {
  let history: HistoryFixture
  const whole = { userId: user, alertId: alertId(1), refusal: null, ended: 2, open: 0, contradicted: 0 }
  const half = { userId: stranger, alertId: alertId(2), refusal: null, ended: 0, open: 1, contradicted: 0 }
  const refused = { userId: user, alertId: alertId(3), refusal: 'E201', ended: 0, open: 0, contradicted: 0 }

  beforeAll(async () => {
    history = await startFixture()
    await history.publish([
      ...eventsOfAlert({ number: 1, blocks: 2 }),
      ...eventsOfAlert({ number: 2, userId: stranger, isFinished: false }),
      refusal(3),
    ])
    await waitFor(async () => (await history.list()).total === 3)
  })
  afterAll(async () => await history.stop())

  test('ends returns what is known of each alert under its own user, and nothing of the others', async () => {
    const alerts = [
      { userId: user, alertId: alertId(1) },
      { userId: stranger, alertId: alertId(2) },
      { userId: user, alertId: alertId(3) },
      { userId: stranger, alertId: alertId(1) },
      { userId: user, alertId: alertId(9) },
    ]
    const found = await sendRequest(history.executor, readAlertEnds, { alerts })
    const newest = await lastSequence(history.executor, 'EVENTS')
    expect(found).toMatchObject({ alerts: [whole, half, refused], pending: 0 })
    expect(found.alerts).toHaveLength(3)
    expect([found.storedUntil, found.takenUntil]).toEqual([newest, newest])
  })

  test('list returns the alerts of all users from one id on and before another', async () => {
    const asked = { from: alertId(1), before: alertId(3) }
    const intake = await history.nats.connect('intake')
    const found = await sendRequest(intake, listAlertEnds, asked)
    expect(found).toMatchObject({ alerts: [whole, half], hasMore: false, pending: 0 })
    expect(found.alerts).toHaveLength(2)
  })

  test('counts executions that have ended more than once, each time otherwise, and no repeated end', async () => {
    const [first, second, third] = [5, 6, 7].map((number) => eventsOfAlert({ number }))
    const again = (events: ExecutionEvent[] = [], status: 'success' | 'failed') =>
      events.flatMap((event) =>
        event.kind === 'execution.finished' ? [{ ...event, status, at: event.at + 5000 }] : [],
      )
    const all = [first, second, third].flatMap((events) => events ?? [])
    await history.publish([
      ...all,
      ...again(first, 'success'),
      ...again(second, 'failed'),
      ...amendedAlert(8),
    ])
    const alerts = [5, 6, 7, 8].map((number) => ({ userId: user, alertId: alertId(number) }))
    const ends = await waitFor(async () => {
      const found = await sendRequest(history.executor, readAlertEnds, { alerts })
      return found.pending === 0 && found.alerts.length === 4 && found.alerts
    })
    expect(ends.map(({ contradicted }) => contradicted)).toEqual([0, 1, 0, 0])
  })

  test('counts the events that it cannot take yet', async () => {
    await history.query("alter table execution add constraint refused check (label <> 'Held') not valid")
    await history.publish(eventsOfAlert({ number: 4, label: 'Held' }).slice(0, 1))
    const asked = { alerts: [{ userId: user, alertId: alertId(4) }] }
    const found = await sendRequest(history.executor, readAlertEnds, asked)
    expect(found).toMatchObject({ alerts: [], pending: 1 })
    expect(found.takenUntil).toBeLessThan(found.storedUntil)
  })
})
