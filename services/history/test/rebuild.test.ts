import { describe, expect, test } from '@jest/globals'
import type { ExecutionEvent } from '@tripline/proto/event'
import { waitFor } from '@tripline/testkit/wait-for'
import { alertId, eventsOfAlert, lateAnswer, refusal } from './event-builder.ts'
import { type HistoryFixture, startFixture } from './history-fixture.ts'

const dayMs = 86_400_000
const today = Date.UTC(2026, 10, 21, 12)

/** The same events at other times. */
function moved(events: readonly ExecutionEvent[], byMs: number): ExecutionEvent[] {
  return events.map((event) => {
    const at = event.at + byMs
    return 'receivedAt' in event ? { ...event, at, receivedAt: event.receivedAt + byMs } : { ...event, at }
  })
}

describe('rebuilding', () => {
  test.each([1, 4])(
    'makes lost and spoiled rows anew from the stream, while the service runs, from messages of %d events',
    async (together) => {
      const history = await startFixture()
      const publish = async (events: readonly ExecutionEvent[]): Promise<void> => {
        for (let from = 0; from < events.length; from += together)
          await history.publishTogether(events.slice(from, from + together))
      }
      try {
        const events = [
          ...eventsOfAlert({ number: 1, blocks: 2 }),
          refusal(2),
          ...eventsOfAlert({ number: 3 }),
        ]
        // Alerts are received after the stream was made, so theirs are wholly in it.
        await publish(moved([...events, ...lateAnswer(4)], Date.now() + 60_000 - today))
        await waitFor(async () => (await history.list()).total === 5)
        const before = await storedRows(history)
        await history.query(`delete from execution where alert_id = '${alertId(1)}'`)
        await history.query(`update execution set status = 'partial', error = 'spoiled'`)
        await history.query('delete from event')
        expect(await storedRows(history)).not.toEqual(before)
        await history.rebuild()
        expect(await storedRows(history)).toEqual(before)
        await publish(moved(eventsOfAlert({ number: 9 }), Date.now() + dayMs - today))
        await waitFor(
          async () => (await history.list({ status: 'success' })).executions[0]?.alertId === alertId(9),
        )
      } finally {
        await history.stop()
      }
    },
  )

  test('stores events that were set aside, once they can be', async () => {
    const history = await startFixture()
    try {
      await history.query("alter table execution add constraint refused check (label <> 'MyBot') not valid")
      await history.publish(eventsOfAlert({ number: 1 }).slice(0, 1))
      await waitFor(async () => (await history.query('select 1 from set_aside')).length === 1)
      await history.query('alter table execution drop constraint refused')
      await history.rebuild()
      expect([(await history.list()).total, await history.query('select 1 from set_aside')]).toEqual([1, []])
    } finally {
      await history.stop()
    }
  })

  test('makes anew also alerts that were received before the stream began, where it has their first events', async () => {
    const history = await startFixture()
    try {
      await history.publishTogether([...eventsOfAlert({ number: 1 }), refusal(2)])
      await waitFor(async () => (await history.list()).total === 2)
      await waitFor(async () => (await history.list({ status: 'success' })).total === 1)
      const before = await storedRows(history)
      await history.query(`update execution set status = 'partial', error = 'spoiled'`)
      await history.rebuild()
      expect(await storedRows(history)).toEqual(before)
    } finally {
      await history.stop()
    }
  })

  test('leaves rows alone of which the stream no longer has every event', async () => {
    const history = await startFixture()
    try {
      await history.publish([...eventsOfAlert({ number: 1 })])
      await waitFor(async () => (await history.list({ status: 'success' })).total === 1)
      const before = await storedRows(history)
      const ops = await history.nats.connect('ops')
      await ops.manager.streams.purge('EVENTS', { seq: 4 })
      await history.rebuild()
      expect(await storedRows(history)).toEqual(before)
      await ops.manager.streams.purge('EVENTS')
      await history.rebuild()
      expect(await storedRows(history)).toEqual(before)
    } finally {
      await history.stop()
    }
  })

  test('refuses to lose rows that the stream should have and has not, unless it is forced', async () => {
    const history = await startFixture()
    try {
      const later = Date.now() + 60_000 - today
      await history.publish(
        moved(
          [1, 2, 3].flatMap((number) => eventsOfAlert({ number })),
          later,
        ),
      )
      await waitFor(async () => (await history.list({ status: 'success' })).total === 3)
      const before = await storedRows(history)
      const ops = await history.nats.connect('ops')
      const { state } = await ops.manager.streams.info('EVENTS')
      const each = state.messages / 3
      // As after a restore: the stream goes on, and what came between is not in it.
      for (let sequence = each + 1; sequence <= 2 * each; sequence++)
        await ops.manager.streams.deleteMessage('EVENTS', sequence)
      await expect(history.rebuild()).rejects.toThrow(
        `of 3 executions since the stream begins, 1 are not in it`,
      )
      expect(await storedRows(history)).toEqual(before)
      await history.rebuild(true)
      expect(await storedRows(history)).toEqual(
        before.filter(({ execution }) => execution.alertId !== alertId(2)),
      )
    } finally {
      await history.stop()
    }
  })

  async function storedRows(history: HistoryFixture) {
    const { executions } = await history.list({ limit: 100 })
    return await Promise.all(executions.map(async ({ id }) => await history.get(id)))
  }
})

describe('retention', () => {
  test('deletes rows that are older than it, and keeps everything when it is 0', async () => {
    const clock = (): number => today + 30 * dayMs
    const history = await startFixture({ settings: { RETENTION_DAYS: '0' }, clock })
    try {
      await history.publish(moved(eventsOfAlert({ number: 1 }), -dayMs))
      await history.publish(eventsOfAlert({ number: 2 }))
      await waitFor(async () => (await history.list({ status: 'success' })).total === 2)
      await history.restart()
      expect((await history.list()).total).toBe(2)
      await history.restart({ RETENTION_DAYS: '30' })
      await waitFor(async () => (await history.list()).total === 1)
      expect((await history.list()).executions[0]?.alertId).toBe(alertId(2))
    } finally {
      await history.stop()
    }
  })
})
