import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { alertId, eventsOfAlert, refusal, stranger } from './event-builder.ts'
import { type HistoryFixture, startFixture } from './history-fixture.ts'

describe('history.execution.list', () => {
  let history: HistoryFixture
  beforeAll(async () => {
    history = await startFixture()
    await history.publish([
      ...eventsOfAlert({ number: 1, label: 'MyBot', symbol: 'BTCUSDT' }),
      ...eventsOfAlert({ number: 2, label: 'Other', symbol: 'ETHUSDT', exchange: 'bybit', type: 'balance' }),
      ...eventsOfAlert({ number: 3, status: 'failed', blocks: 2 }),
      ...eventsOfAlert({ number: 4, isFinished: false }),
      refusal(5),
      ...eventsOfAlert({ number: 6, userId: stranger }),
    ])
    await waitFor(async () => (await history.list({ userId: stranger, status: 'success' })).total === 1)
  })
  afterAll(async () => await history.stop())

  test('answers the newest first, with how many there are', async () => {
    expect(await ids()).toEqual([
      alertId(5),
      `${alertId(4)}-0`,
      `${alertId(3)}-1`,
      `${alertId(3)}-0`,
      `${alertId(2)}-0`,
      `${alertId(1)}-0`,
    ])
    expect((await history.list()).total).toBe(6)
  })

  test('pages without a gap', async () => {
    const pages = await Promise.all([0, 2, 4].map(async (offset) => await ids({ offset, limit: 2 })))
    expect(pages.flat()).toEqual(await ids())
    const beyond = await history.list({ offset: 100 })
    expect(beyond).toEqual({ executions: [], total: 6, hasMore: false })
  })

  test('pages by the last execution seen, without counting, also while new ones come', async () => {
    const first = await history.list({ limit: 4, withTotal: false })
    expect(first).toMatchObject({ total: null, hasMore: true })
    const before = first.executions.at(-1)?.id
    const rest = await history.list({ before, limit: 2 })
    expect(rest).toMatchObject({ total: 6, hasMore: false })
    expect([...first.executions, ...rest.executions].map(({ id }) => id)).toEqual(await ids())
    const exactly = await history.list({ before, limit: 1, status: 'success' })
    expect(exactly).toMatchObject({ executions: [{ alertId: alertId(2) }], hasMore: true })
  })

  test("knows nothing behind an execution that is unknown, or another user's", async () => {
    for (const before of ['nonsense', `${alertId(6)}-0`])
      expect(await history.list({ before })).toMatchObject({ executions: [], hasMore: false })
  })

  test.each([
    [{ label: 'other' }, [2]],
    [{ exchange: 'bybit' }, [2]],
    [{ symbol: 'ethusdt' }, [2]],
    [{ commandType: 'balance' }, [2]],
    [{ status: 'success' as const }, [2, 1]],
    [{ status: 'failed' as const }, [5, 3, 3]],
    [{ status: 'running' as const }, [4]],
    [{ label: 'MyBot', status: 'success' as const, commandType: 'market' }, [1]],
    [{ label: 'nobody' }, []],
    [{ symbol: "'; drop table execution; --" }, []],
  ])('filters by %j', async (filter, alerts) => {
    const { executions, total } = await history.list(filter)
    expect(executions.map((execution) => execution.alertId)).toEqual(alerts.map(alertId))
    expect(total).toBe(alerts.length)
  })

  test('shows nobody the executions of another user', async () => {
    expect(await ids({ userId: stranger })).toEqual([`${alertId(6)}-0`])
  })

  test('refuses a request that is not one', async () => {
    await expect(history.list({ limit: 0 })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('answers as many as one reply can carry when executions are large', async () => {
    const message = 'x'.repeat(64 * 1024)
    const numbers = Array.from({ length: 20 }, (_, index) => 100 + index)
    await history.publish(numbers.flatMap((number) => eventsOfAlert({ number, message })))
    await waitFor(async () => (await history.list({ status: 'success', limit: 1 })).total === 22)
    const { executions, total } = await history.list({ limit: 20 })
    expect(executions.length).toBeGreaterThan(5)
    expect(executions.length).toBeLessThan(20)
    expect(total).toBe(26)
  })

  async function ids(asked: Parameters<HistoryFixture['list']>[0] = {}): Promise<string[]> {
    return (await history.list(asked)).executions.map((execution) => execution.id)
  }
})
