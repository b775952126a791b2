import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ExecutionEvent } from '@tripline/proto/event'
import { waitFor } from '@tripline/testkit/wait-for'
import {
  alertId,
  amendedAlert,
  eventsOfAlert,
  noon,
  orderId,
  refusal,
  resent,
  stranger,
} from './event-builder.ts'
import { type HistoryFixture, startFixture } from './history-fixture.ts'

const isoOf = (number: number): string => new Date(noon + number * 1000).toISOString()
type Asked = NonNullable<Parameters<HistoryFixture['list']>[0]>

let history: HistoryFixture
beforeAll(async () => {
  history = await startFixture()
  await history.publish([
    ...eventsOfAlert({
      number: 1,
      fee: { amount: '0.24', coin: 'USDT' },
      venueOrderId: '9001',
      totalMs: 10,
      slippage: '0.005',
    }),
    ...eventsOfAlert({
      number: 2,
      symbol: 'BTCUSDC',
      fee: { amount: '0.24', coin: 'USDC' },
      totalMs: 900,
      slippage: '-0.2',
    }),
    ...eventsOfAlert({ number: 3, status: 'failed', errorCode: 'E515', blocks: 2, message: '100%_off' }),
    ...eventsOfAlert({ number: 4, isFinished: false }),
    refusal(5),
    ...eventsOfAlert({ number: 6, fee: { amount: '-0.1', coin: 'USDT' }, totalMs: 2, slippage: '0.0049' }),
    resent(6),
    ...halfDone(7),
    ...amendedAlert(8),
    ...eventsOfAlert({ number: 9, userId: stranger, venueOrderId: '9009', totalMs: 5000 }),
  ])
  await waitFor(async () => (await history.list({ userId: stranger, status: 'success' })).total === 1)
})
afterAll(async () => await history.stop())

describe('history.execution.list', () => {
  test.each<[Asked, number[]]>([
    [{ from: isoOf(5) }, [8, 7, 6, 5]],
    [{ to: isoOf(2) }, [1]],
    [{ from: isoOf(2), to: isoOf(4) }, [3, 3, 2]],
    [{ from: isoOf(4), to: isoOf(2) }, []],
    [{ outcome: 'late' }, [3, 3]],
    [{ outcome: 'refused' }, [5]],
    [{ outcome: 'partial' }, [7]],
    [{ outcome: 'repeated' }, [6]],
    [{ outcome: 'repeated', status: 'failed' }, []],
    [{ outcome: 'slipped' }, [1]],
    [{ search: 'nobot(' }, [5]],
    [{ search: '100%_OFF' }, [3, 3]],
    [{ search: '100__off' }, []],
    [{ search: ' e506 ' }, [7]],
    [{ search: 'E515' }, [3, 3]],
    [{ search: 'E201' }, [5]],
    [{ search: '9001' }, [1]],
    [{ search: '900' }, []],
    [{ search: orderId(3, 1) }, [3, 3]],
    [{ search: orderId(2).toLowerCase() }, [2]],
    [{ search: `${alertId(7)}-0` }, [7]],
    [{ search: alertId(5) }, [5]],
    [{ search: '  ' }, [8, 7, 6, 5, 4, 3, 3, 2, 1]],
    [{ search: "'; drop table execution; --" }, []],
    [{ sort: 'oldest', to: isoOf(4) }, [1, 2, 3, 3]],
    [{ sort: 'slowest', status: 'success', from: isoOf(1), limit: 2 }, [2, 1]],
  ])('filters by %j', async (asked, alerts) => {
    expect((await history.list(asked)).executions.map((one) => one.alertId)).toEqual(alerts.map(alertId))
  })

  test.each(['oldest', 'slowest'] as const)(
    'pages by the last one seen where the %s come first',
    async (sort) => {
      const whole = (await history.list({ sort })).executions.map(({ id }) => id)
      expect(whole).toHaveLength(9)
      const paged: string[] = []
      for (let before: string | undefined; ; before = paged.at(-1)) {
        const { executions, hasMore } = await history.list({ sort, before, limit: 2 })
        paged.push(...executions.map(({ id }) => id))
        if (!hasMore) break
      }
      expect(paged).toEqual(whole)
    },
  )

  test("finds nothing by another user's ids, codes and messages", async () => {
    for (const search of ['9009', alertId(9), orderId(9)]) {
      expect(await history.list({ search })).toMatchObject({ executions: [], total: 0 })
      expect((await history.list({ search, userId: stranger })).total).toBe(1)
    }
    for (const search of ['E201', 'NoBot', '9001']) {
      expect((await history.list({ search, userId: stranger })).total).toBe(0)
    }
  })

  test.each([{ from: 'yesterday' }, { search: 'x'.repeat(101) }, { outcome: 'great' }, { sort: 'size' }])(
    'refuses %j',
    async (asked) => {
      await expect(history.list(asked as Asked)).rejects.toMatchObject({ code: 'invalid_request' })
    },
  )
})

describe('history.execution.sums', () => {
  test('counts the executions that the filters choose, and adds up their fills and fees', async () => {
    expect(await history.sum({})).toEqual({
      counts: { success: 4, partial: 1, failed: 3, running: 1 },
      refused: 1,
      successRate: 4 / 7,
      medianMs: 3.5,
      p95Ms: 3.5,
      filled: [
        { coin: 'USDC', amount: '600' },
        { coin: 'USDT', amount: '4200' },
      ],
      fees: [
        { coin: 'USDC', amount: '0.24' },
        { coin: 'USDT', amount: '0.14' },
      ],
    })
    expect(await history.sum({ search: '9001' })).toMatchObject({
      counts: { success: 1, partial: 0, failed: 0, running: 0 },
      filled: [{ coin: 'USDT', amount: '600' }],
    })
  })

  test('returns no sums for no executions', async () => {
    const counts = { success: 0, partial: 0, failed: 0, running: 0 }
    const nothing = {
      counts,
      refused: 0,
      successRate: null,
      medianMs: null,
      p95Ms: null,
      filled: [],
      fees: [],
    }
    expect(await history.sum({ search: 'nowhere' })).toEqual(nothing)
    expect(await history.sum({ search: '9009' })).toEqual(nothing)
  })
})

/** An alert of which one command is done and the next fails. */
function halfDone(number: number): ExecutionEvent[] {
  const done = eventsOfAlert({ number })
  const failed = eventsOfAlert({ number, status: 'failed' }).find(({ kind }) => kind === 'command.finished')
  if (failed?.kind !== 'command.finished') return done
  return done.flatMap((event): ExecutionEvent[] => {
    if (event.kind !== 'execution.finished') return [event]
    const { eventId, ...same } = failed
    return [
      { ...same, eventId: `${eventId}-2`, command: 1 },
      { ...event, status: 'partial' },
    ]
  })
}
