import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { alertId, bot, eventsOfAlert, noon, otherBot, refusal, stranger, user } from './event-builder.ts'
import { type HistoryFixture, startFixture } from './history-fixture.ts'

const noCounts = { success: 0, partial: 0, failed: 0, refused: 0 }
const hourMs = 3_600_000
const isoOf = (number: number): string => new Date(noon + number * 1000).toISOString()

describe('history.execution.summary', () => {
  let now = noon + 60_000
  let history: HistoryFixture
  beforeAll(async () => {
    history = await startFixture({ clock: () => now })
    await history.publish([
      ...[1, 2, 3, 4].flatMap((number) => eventsOfAlert({ number, tookMs: number * 10 })),
      ...eventsOfAlert({ number: 5, status: 'failed', tookMs: 100 }),
      ...eventsOfAlert({ number: 6, type: 'wait', tookMs: 30_000 }),
      ...eventsOfAlert({ number: 7, isFinished: false, type: 'wait' }),
      ...eventsOfAlert({ number: 8, botId: otherBot, status: 'failed' }),
      refusal(9),
      ...eventsOfAlert({ number: 10, userId: stranger }),
    ])
    await waitFor(async () => (await history.list({ userId: stranger, status: 'success' })).total === 1)
  })
  afterAll(async () => await history.stop())

  test('returns of each bot the newest execution and the figures of a day, in the order asked', async () => {
    expect(await history.summarize([otherBot, bot])).toEqual({
      lastAt: isoOf(9),
      failedLastHour: 3,
      bots: [
        {
          botId: otherBot,
          last: { id: `${alertId(8)}-0`, createdAt: isoOf(8), status: 'failed' },
          executions: 1,
          counts: { success: 0, partial: 0, failed: 1, refused: 0 },
          successRate: 0,
          medianMs: 3.5,
          p95Ms: 3.5,
        },
        {
          botId: bot,
          last: { id: `${alertId(7)}-0`, createdAt: isoOf(7), status: 'running' },
          executions: 7,
          counts: { success: 5, partial: 0, failed: 1, refused: 0 },
          successRate: 5 / 6,
          medianMs: 30,
          p95Ms: 100,
        },
      ],
    })
  })

  test('leaves executions older than an hour and a day out of the counts, and still returns the newest', async () => {
    now = noon + hourMs + 8500
    expect(await history.summarize([])).toEqual({ lastAt: isoOf(9), failedLastHour: 1, bots: [] })
    now = noon + 24 * hourMs + 60_000
    expect(await history.summarize([bot])).toEqual({
      lastAt: isoOf(9),
      failedLastHour: 0,
      bots: [
        {
          botId: bot,
          last: { id: `${alertId(7)}-0`, createdAt: isoOf(7), status: 'running' },
          executions: 0,
          counts: noCounts,
          successRate: null,
          medianMs: null,
          p95Ms: null,
        },
      ],
    })
  })

  test('returns nothing of the bots of another user', async () => {
    const { bots } = await history.summarize([otherBot], stranger)
    expect(bots).toEqual([
      {
        botId: otherBot,
        last: null,
        executions: 0,
        counts: noCounts,
        successRate: null,
        medianMs: null,
        p95Ms: null,
      },
    ])
    expect((await history.summarize([otherBot], user)).bots[0]?.last).not.toBeNull()
  })
})
