import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { UserId } from '@tripline/proto/id'
import { tooManyAlerts } from '../domain/refusal.ts'
import type { RefusedEvent } from '../domain/refused-event.ts'
import { openRefusalCounts, type RefusalCounts } from './refusal-counts.ts'

const one = UserId.parse('6f9f5c8e-0f5b-4c52-9d50-2f5d3b6a1a01')
const other = UserId.parse('6f9f5c8e-0f5b-4c52-9d50-2f5d3b6a1a02')
const startedAt = Date.UTC(2026, 10, 21, 12)

let recorded: RefusedEvent[]
let counts: RefusalCounts

beforeEach(() => {
  jest.useFakeTimers({ now: startedAt })
  recorded = []
  counts = openRefusalCounts((event) => recorded.push(event), Date.now)
})
afterEach(() => {
  jest.useRealTimers()
})

function refuse(times: number, userId = one, limit = 1): string[] {
  return Array.from({ length: times }, () =>
    counts.count(userId, tooManyAlerts({ most: limit, origin: 'own' }, 1000), Date.now()),
  )
}

describe('refusals by a limit', () => {
  test('leave the first one at once, and one event a minute with the number of the others', () => {
    const [first, ...others] = refuse(88)
    expect(recorded.map(({ alertId, error }) => [alertId, error])).toEqual([
      [first, "1 alert refused by the webhook's limit of 1 a minute. Nothing was executed."],
    ])
    jest.advanceTimersByTime(59_999)
    expect(recorded).toHaveLength(1)
    jest.advanceTimersByTime(1)
    expect(recorded).toHaveLength(2)
    expect(recorded[1]).toMatchObject({
      kind: 'alert.refused',
      userId: one,
      errorCode: 'rate_limited',
      error: "87 alerts refused by the webhook's limit of 1 a minute. Nothing was executed.",
      message: '',
      botId: null,
      receivedAt: startedAt,
      at: startedAt + 60_000,
    })
    expect(new Set(others)).toEqual(new Set([recorded[1]?.alertId]))
    jest.advanceTimersByTime(600_000)
    expect(recorded).toHaveLength(2)
  })

  test('go on in the next minute, and begin anew after one without any', () => {
    refuse(2)
    jest.advanceTimersByTime(60_000)
    refuse(1)
    expect(recorded).toHaveLength(2)
    jest.advanceTimersByTime(60_000)
    expect(recorded).toHaveLength(3)
    jest.advanceTimersByTime(60_000)
    refuse(1)
    expect(recorded).toHaveLength(4)
  })

  test('are counted apart for each user and each limit', () => {
    refuse(3)
    refuse(2, other)
    refuse(2, one, 5)
    jest.advanceTimersByTime(60_000)
    const numbers = recorded.slice(3).map(({ userId, error }) => `${userId === one} ${error.split('.')[0]}`)
    expect(numbers).toEqual([
      "true 2 alerts refused by the webhook's limit of 1 a minute",
      "false 1 alert refused by the webhook's limit of 1 a minute",
      "true 1 alert refused by the webhook's limit of 5 a minute",
    ])
  })

  test('are recorded at the end of the process, each once', () => {
    refuse(5)
    counts.recordAll()
    counts.recordAll()
    expect(recorded.map(({ error }) => error.split(' ')[0])).toEqual(['1', '4'])
  })
})
