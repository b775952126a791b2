import { describe, expect, test } from '@jest/globals'
import { dayUseOf, figuresById, lastUseOf } from './key-use.ts'

const figuresOf = (id: string, lastAlertAt: string | null, executions: number) => ({
  api_key_id: id,
  api_key_label: id,
  last_alert_at: lastAlertAt,
  last_execution_id: null,
  last_status: null,
  executions_24h: executions,
  counts_24h: null,
  success_rate_24h: null,
  execution_time_p50_ms: null,
  execution_time_p95_ms: null,
})

const moment = '2026-11-21T12:00:00.000Z'
const figures = figuresById({
  keys: [figuresOf('busy', moment, 3), figuresOf('old', moment, 0), figuresOf('new', null, 0)],
})

describe('the use of a key', () => {
  test('is shown as it is known', () => {
    expect(['busy', 'old', 'new'].map((id) => lastUseOf(figures, id))).toEqual([moment, moment, null])
    expect(['busy', 'old', 'new'].map((id) => dayUseOf(figures, id))).toEqual(['used', 'unused', 'unused'])
  })

  test.each([
    ['before the figures came', undefined],
    ['of a key that they do not have yet', figures],
  ])('is no claim %s', (_when, known) => {
    expect(lastUseOf(known, 'newest')).toBeUndefined()
    expect(dayUseOf(known, 'newest')).toBe('unknown')
  })
})
